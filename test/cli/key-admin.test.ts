/** The administration of keys, directly on the database. */
import { describe, expect, test } from 'vitest';
import { listAudit } from '../../src/access/audit.ts';
import { findKeys } from '../../src/access/find-keys.ts';
import {
  createKey,
  createKeys,
  KeyNotFound,
  KeyRefused,
  listKeys,
  revokeKey,
  rotateKey,
  showKey,
  usageOf,
} from '../../src/access/key-admin.ts';
import { setPlan, setTerms } from '../../src/access/key-limits.ts';
import { openKeyDirectory } from '../../src/access/keys.ts';
import { monthOf } from '../../src/access/meter.ts';
import { decodeId } from '../../src/values/id.ts';
import { openTestDatabase } from '../harness/database.ts';
import { forFile } from '../harness/lifetime.ts';

const database = await forFile(openTestDatabase());

/** Whether a server that starts now accepts the key. */
const worksNow = async (key: string) => (await openKeyDirectory(database).find(key, () => '127.0.0.1')) !== undefined;
const count = (id: string, month: string, used: number, quota: number) =>
  database.query('INSERT INTO usage_counter (key_id, month, quota, used, granted) VALUES ($1, $2, $3, $4, 1)', [
    decodeId('key', id),
    month,
    quota,
    used,
  ]);

describe('a new key', () => {
  test('works, and its secret is never shown again', async () => {
    const { id, key, ...rest } = await createKey(database, { name: ' A client ', plan: 'pro', rateLimit: 7 });
    expect(rest).toEqual({ plan: 'pro', name: 'A client' });
    expect(await worksNow(key)).toBe(true);
    const shown = await showKey(database, id);
    expect(shown).toMatchObject({ id, name: 'A client', plan: 'pro', prefixes: [key.slice(0, 8)], rateLimit: 7 });
    expect(JSON.stringify([shown, await listKeys(database)])).not.toContain(key);
  });

  test.each([
    ['', 'a blank'],
    ['   ', 'blanks alone'],
    ['x'.repeat(101), '101 characters'],
    ['A\u001b[2Jclient', 'an order to the terminal'],
    ['A\nclient', 'two lines'],
    ['A\u009bclient', 'an order of eight bits'],
    ['A\u2028client', 'two lines of Unicode'],
  ])('is not made with the name %j, which is %s', async (name) => {
    await expect(createKey(database, { name, plan: 'free' })).rejects.toThrow(KeyRefused);
  });

  test('is not created if another key of the same call fails', async () => {
    const before = await listKeys(database);
    const tooMuch = { name: 'refused', plan: 'free', rateLimit: 2 ** 31 } as const;
    await expect(createKeys(database, [{ name: 'never', plan: 'free' }, tooMuch])).rejects.toThrow();
    expect(await listKeys(database)).toEqual(before);
  });
});

describe('a rotated key', () => {
  test('keeps its id, plan and usage, and both secrets work during the grace period', async () => {
    const made = await createKey(database, { name: 'rotating', plan: 'starter' });
    await count(made.id, monthOf(new Date()), 3, 10_000);
    const rotated = await rotateKey(database, made.id, 24);
    expect(rotated).toMatchObject({ id: made.id, plan: 'starter', name: 'rotating' });
    expect([await worksNow(made.key), await worksNow(rotated.key)]).toEqual([true, true]);
    expect((await usageOf(database, { keyId: made.id }))[0]?.used).toBe(3);
  });

  test('has only the new secret if there is no grace period', async () => {
    const made = await createKey(database, { name: 'rotating', plan: 'starter' });
    const rotated = await rotateKey(database, made.id, 0);
    expect([await worksNow(made.key), await worksNow(rotated.key)]).toEqual([false, true]);
    expect((await showKey(database, made.id)).prefixes).toEqual([rotated.key.slice(0, 8)]);
  });

  test('does not extend the time that an earlier rotation left a secret', async () => {
    const made = await createKey(database, { name: 'rotating', plan: 'starter' });
    await rotateKey(database, made.id, 0);
    await rotateKey(database, made.id, 48);
    expect(await worksNow(made.key)).toBe(false);
  });
});

describe('an impossible change is refused with a sentence that says what to do', () => {
  test('if the key does not exist', async () => {
    for (const id of ['key_zzz', 'nothing', 'prd_1', '']) {
      await expect(showKey(database, id)).rejects.toThrow(KeyNotFound);
      await expect(revokeKey(database, id)).rejects.toThrow('pda keys list');
      await expect(rotateKey(database, id, 1)).rejects.toThrow(KeyNotFound);
      await expect(setPlan(database, id, 'pro')).rejects.toThrow(KeyNotFound);
      await expect(usageOf(database, { keyId: id })).rejects.toThrow(KeyNotFound);
    }
  });

  test('if a revoked or expired key is rotated, because its new secret would not work', async () => {
    const revoked = await createKey(database, { name: 'revoked', plan: 'free' });
    await revokeKey(database, revoked.id);
    await expect(rotateKey(database, revoked.id, 1)).rejects.toThrow(/is revoked: create a new one/);
    const expired = await createKey(database, { name: 'expired', plan: 'free', expiresAt: new Date(Date.now() - 1) });
    await expect(rotateKey(database, expired.id, 1)).rejects.toThrow(/has expired: create a new one/);
  });
});

test('a key that is revoked again keeps the time of its first revocation', async () => {
  const { id, key } = await createKey(database, { name: 'revoked', plan: 'free' });
  const { revokedAt } = await revokeKey(database, id);
  expect(await worksNow(key)).toBe(false);
  expect((await revokeKey(database, id)).revokedAt).toEqual(revokedAt);
});

describe('usage', () => {
  test('of the current month has the quota of the current plan, and 0 without a remainder if unlimited', async () => {
    const { id } = await createKey(database, { name: 'using', plan: 'free' });
    await count(id, monthOf(new Date()), 60, 100);
    expect(await usageOf(database, { keyId: id })).toMatchObject([{ used: 60, quota: 100, remaining: 40 }]);
    await setPlan(database, id, 'enterprise');
    const [usage] = await usageOf(database, { keyId: id });
    expect(usage).toMatchObject({ plan: 'enterprise', used: 60, quota: 0 });
    expect(usage).not.toHaveProperty('remaining');
  });

  test('of a past month has the quota of that month', async () => {
    const { id } = await createKey(database, { name: 'using', plan: 'free' });
    await count(id, '2020-02', 100, 100);
    await count(id, '2020-03', 5, Number.MAX_SAFE_INTEGER);
    await setPlan(database, id, 'pro');
    const inMonth = async (month: string) => (await usageOf(database, { keyId: id, month }))[0];
    expect(await inMonth('2020-02')).toMatchObject({ month: '2020-02', used: 100, quota: 100, remaining: 0 });
    expect(await inMonth('2020-03')).toMatchObject({ used: 5, quota: 0 });
    expect(await inMonth('2020-04')).toMatchObject({ used: 0, quota: 100_000, remaining: 100_000 });
  });
});

describe('the limits of a key', () => {
  test('replace those of its plan, until they are taken away', async () => {
    const { id } = await createKey(database, { name: 'limited', plan: 'free', monthlyQuota: 250 });
    await count(id, monthOf(new Date()), 60, 250);
    expect(await usageOf(database, { keyId: id })).toMatchObject([{ quota: 250, remaining: 190 }]);
    const expiresAt = new Date('2999-01-01T00:00:00Z');
    expect(await setTerms(database, id, { rateLimit: 7, monthlyQuota: 0, expiresAt })).toMatchObject({
      ...{ plan: 'free', rateLimit: 7, monthlyQuota: 0, expiresAt },
    });
    expect(await usageOf(database, { keyId: id })).toMatchObject([{ quota: 0 }]);
    const cleared = await setTerms(database, id, { rateLimit: null, monthlyQuota: null, expiresAt: null });
    expect(Object.keys(cleared)).toEqual(['id', 'name', 'plan', 'prefixes', 'createdAt']);
    expect(await usageOf(database, { keyId: id })).toMatchObject([{ quota: 100, remaining: 40 }]);
  });

  test('are recorded with what was before, by the one who changed them, and only where they differ', async () => {
    const { id } = await createKey(database, { name: 'limited', plan: 'free', rateLimit: 3 });
    await setTerms(database, id, { plan: 'pro', rateLimit: 3, monthlyQuota: 9 }, { actor: 'console: ops' });
    await setTerms(database, id, { plan: 'pro', monthlyQuota: 9 });
    expect((await listAudit(database, { keyId: id })).slice(1)).toMatchObject([
      { action: 'key.set-plan', actor: 'console: ops', before: { plan: 'free' }, after: { plan: 'pro' } },
      { action: 'key.set-limits', actor: 'console: ops', before: { monthlyQuota: null }, after: { monthlyQuota: 9 } },
    ]);
  });

  test('that two operators change at once are both recorded, each with what it replaced', async () => {
    const { id } = await createKey(database, { name: 'limited', plan: 'free' });
    await Promise.all([setTerms(database, id, { rateLimit: 1 }), setTerms(database, id, { rateLimit: 2 })]);
    const [, first, second] = await listAudit(database, { keyId: id });
    expect(first?.before).toEqual({ rateLimit: null });
    expect(second?.before).toEqual(first?.after);
    expect(second?.after).toEqual({ rateLimit: (await showKey(database, id)).rateLimit });
  });
});

describe('a search for keys', () => {
  test('finds a part of a name in any case, the first characters of a key, a whole key, and an id', async () => {
    const made = await createKey(database, { name: 'Señor 100%_Client', plan: 'free' });
    const find = async (text: string) => (await findKeys(database, text))?.keys.map(({ id }) => id);
    for (const text of ['señor', '100%_cl', made.key.slice(0, 8), made.key, made.id, ` ${made.id} `]) {
      expect(await find(text)).toEqual([made.id]);
    }
    expect(await find('100__')).toEqual([]);
    expect(await find('\\')).toEqual([]);
  });

  test('goes through all keys once, newest first, and refuses cursors of another search', async () => {
    await createKeys(
      database,
      Array.from({ length: 60 }, (_, index) => ({ name: `paged ${index}`, plan: 'free' as const })),
    );
    const first = await findKeys(database, 'PAGED');
    const second = await findKeys(database, 'paged', (await findKeys(database, 'paged'))?.next);
    const names = [...(first?.keys ?? []), ...(second?.keys ?? [])].map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 60 }, (_, index) => `paged ${59 - index}`));
    expect(second?.next).toBeUndefined();
    expect(await findKeys(database, 'other', first?.next)).toBeUndefined();
    expect(await findKeys(database, '', 'x')).toBeUndefined();
  });
});
