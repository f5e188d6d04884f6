/** The audit log: it records every change that an operator makes to a key, and nobody can alter it. */
import { describe, expect, test } from 'vitest';
import { currentActor, listAudit } from '../../src/access/audit.ts';
import { createKey, createKeys, KeyNotFound, listKeys, revokeKey, rotateKey } from '../../src/access/key-admin.ts';
import { setPlan } from '../../src/access/key-limits.ts';
import { openTestDatabase } from '../harness/database.ts';
import { feedRow, importRows } from '../harness/gateway.ts';
import { makeHome } from '../harness/home.ts';
import { forFile, forTest } from '../harness/lifetime.ts';
import { run } from '../harness/process.ts';

const database = await forFile(openTestDatabase());

describe('the audit log', () => {
  test('lists the changes to a key in order, with the state before and after', async () => {
    const expiresAt = new Date('2999-12-31T00:00:00Z');
    const { id, key } = await createKey(database, { name: 'A client', plan: 'starter', rateLimit: 120, expiresAt });
    await setPlan(database, id, 'pro');
    const rotated = await rotateKey(database, id, 48);
    await revokeKey(database, id);
    const entries = await listAudit(database, { keyId: id });
    const what = { key: id, actor: currentActor(), role: expect.stringMatching(/\w/), at: expect.any(Date) };
    const prefix = key.slice(0, 8);
    expect(entries).toEqual([
      {
        ...what,
        action: 'key.create',
        after: { name: 'A client', plan: 'starter', rateLimit: 120, expiresAt: expiresAt.toISOString(), prefix },
      },
      { ...what, action: 'key.set-plan', before: { plan: 'starter' }, after: { plan: 'pro' } },
      {
        ...what,
        action: 'key.rotate',
        before: { prefixes: [prefix] },
        after: { prefix: rotated.key.slice(0, 8), graceHours: 48 },
      },
      { ...what, action: 'key.revoke' },
    ]);
    for (const secret of [key, rotated.key]) expect(JSON.stringify(entries)).not.toContain(secret.slice(8));
  });

  test('omits commands that changed nothing', async () => {
    const { id } = await createKey(database, { name: 'calm', plan: 'free' });
    await setPlan(database, id, 'free');
    await revokeKey(database, id);
    await revokeKey(database, id);
    await expect(setPlan(database, 'key_zzz', 'pro')).rejects.toThrow(KeyNotFound);
    expect((await listAudit(database, { keyId: id })).map(({ action }) => action)).toEqual([
      'key.create',
      'key.revoke',
    ]);
  });

  test('is written in the same transaction as the change', async () => {
    const own = await forTest(openTestDatabase());
    const { id } = await createKey(own, { name: 'before', plan: 'free' });
    const tooMuch = { name: 'refused', plan: 'free', rateLimit: 2 ** 31 } as const;
    await expect(createKeys(own, [{ name: 'undone', plan: 'free' }, tooMuch])).rejects.toThrow();
    expect(await listAudit(own)).toHaveLength(1);
    await own.script('ALTER TABLE audit_event RENAME TO elsewhere');
    await expect(createKey(own, { name: 'unrecorded', plan: 'free' })).rejects.toThrow('audit_event');
    await expect(setPlan(own, id, 'pro')).rejects.toThrow('audit_event');
    await expect(rotateKey(own, id, 0)).rejects.toThrow('audit_event');
    await expect(revokeKey(own, id)).rejects.toThrow('audit_event');
    const keys = await listKeys(own);
    expect(keys).toMatchObject([{ name: 'before', plan: 'free' }]);
    expect(keys[0]?.prefixes).toHaveLength(1);
    expect(keys[0]?.revokedAt).toBeUndefined();
  });

  test.each([
    "UPDATE audit_event SET actor = 'somebody else'",
    'DELETE FROM audit_event',
    'TRUNCATE audit_event',
    'TRUNCATE audit_event CASCADE',
  ])('refuses %s, even from the owner of the table', async (sql) => {
    const before = await listAudit(database);
    await expect(database.query(sql)).rejects.toThrow('append-only');
    expect(await listAudit(database)).toEqual(before);
  });

  test('lists forced imports, and no others', async () => {
    const rows = Array.from({ length: 4 }, (_, n) => feedRow({ id: `${n}` }));
    await importRows(database, 'A Shop', rows);
    await importRows(database, 'A Shop', rows.slice(0, 1), { isForced: true, isDryRun: true });
    await importRows(database, 'A Shop', rows.slice(0, 1), { isForced: true });
    const imports = (await listAudit(database)).filter(({ action }) => action === 'import.force');
    expect(imports).toEqual([
      expect.objectContaining({ after: expect.objectContaining({ merchant: 'A Shop', mode: 'full', withdrawn: 3 }) }),
    ]);
  });

  test('names the user behind sudo', () => {
    expect(currentActor({})).toMatch(/^[^@]+@.+/);
    expect(currentActor({ SUDO_USER: 'ada' })).toBe(`ada as ${currentActor({})}`);
  });
});

async function makeOwnHome() {
  const home = await forTest(makeHome());
  return home;
}

test('pda audit filters by key and time, and a process that logs also logs each change', async () => {
  const { environment } = await makeOwnHome();
  const made = await run('pda', ['keys', 'create', '--name', 'A', '--plan', 'free', '--json'], {
    ...environment,
    LOG_LEVEL: 'info',
  });
  const { id, key } = JSON.parse(made.stdout);
  expect(JSON.parse(made.stderr)).toMatchObject({ audit: { action: 'key.create', key: id, actor: currentActor() } });
  expect(made.stderr).not.toContain(key.slice(8));
  const all = await run('pda', ['audit', '--key', id, '--json'], environment);
  expect(all.stderr).toBe('');
  expect(JSON.parse(all.stdout)).toMatchObject([{ action: 'key.create', key: id, after: { name: 'A', plan: 'free' } }]);
  const later = await run('pda', ['audit', '--since', '2999-01-01', '--json'], environment);
  expect(later.stdout).toBe('[]\n');
  expect((await run('pda', ['audit', '--since', 'yesterday'], environment)).status).toBe(2);
});

test('pda audit filters by action, and says which actions there are', async () => {
  const { environment } = await makeOwnHome();
  const made = await run('pda', ['keys', 'create', '--name', 'A', '--plan', 'free', '--json'], environment);
  const { id } = JSON.parse(made.stdout);
  await run('pda', ['keys', 'set-plan', id, 'pro'], environment);
  const only = await run('pda', ['audit', '--action', 'key.set-plan', '--json'], environment);
  expect(JSON.parse(only.stdout)).toMatchObject([{ action: 'key.set-plan', key: id, after: { plan: 'pro' } }]);
  const none = await run('pda', ['audit', '--action', 'feed.edit', '--json'], environment);
  expect([none.status, none.stdout]).toEqual([0, '[]\n']);
  const wrong = await run('pda', ['audit', '--action', 'feed.change'], environment);
  expect([wrong.status, wrong.stdout]).toEqual([2, '']);
  expect(wrong.stderr).toContain('key.create');
  expect(wrong.stderr).toContain('feed.edit');
});

test('pda audit reports a key that never existed, but not one that was deleted or never changed', async () => {
  const { environment, within } = await makeOwnHome();
  const made = await run('pda', ['keys', 'create', '--name', 'A', '--plan', 'free', '--json'], environment);
  const { id } = JSON.parse(made.stdout);
  for (const unknown of ['key_77', 'nothing']) {
    const { status, stdout, stderr } = await run('pda', ['audit', '--key', unknown], environment);
    expect(stderr).toBe(`No key has the id ${unknown}: \`pda keys list\` shows all keys.\n`);
    expect({ status, stdout }).toEqual({ status: 4, stdout: '' });
  }
  const later = await run('pda', ['audit', '--key', id, '--since', '2999-01-01', '--json'], environment);
  expect([later.status, later.stdout]).toEqual([0, '[]\n']);
  await within((owner) => owner.script('DELETE FROM api_key_secret; DELETE FROM api_key'));
  const gone = await run('pda', ['audit', '--key', id, '--json'], environment);
  expect(JSON.parse(gone.stdout)).toMatchObject([{ action: 'key.create', key: id }]);
  const goneAndLater = await run('pda', ['audit', '--key', id, '--since', '2999-01-01', '--json'], environment);
  expect([goneAndLater.status, goneAndLater.stdout]).toEqual([0, '[]\n']);
});
