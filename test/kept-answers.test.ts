/** Responses that are cached in memory: metered like all others, and never older than a second (docs/architecture.md, Caching). */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openChanges } from '../src/catalogue/changes.ts';
import { keep, keepRows } from '../src/catalogue/keep.ts';
import { TAG, tagOf } from '../src/catalogue/tags.ts';
import { followVersion } from '../src/catalogue/version.ts';
import { readConfig } from '../src/config.ts';
import type { Queryable } from '../src/database/database.ts';
import { startGateway } from '../src/gateway.ts';
import { keepAnswers, type MadeAnswer, openKeeping } from '../src/rest/kept-answers.ts';
import { eventually } from './harness/eventually.ts';
import { ask, feedRow, startTestGateway, type TestGateway } from './harness/gateway.ts';
import { forTest } from './harness/lifetime.ts';
import { versionAt } from './harness/version.ts';

const EAN = '4006381333931';
const PATH = `/api/v1/lookup?ean=${EAN}`;
const row = (price: string) => feedRow({ id: '1', title: 'Kettle Red', gtin: EAN, brand: 'Acme', price });

async function start(): Promise<{ gateway: TestGateway; key: string }> {
  const gateway = await forTest(startTestGateway({ ANSWER_CACHE_MB: '1' }));
  await gateway.importRows('A Shop', [row('10.00 EUR')]);
  return { gateway, key: (await gateway.makeKey('starter')).key };
}

describe('a cached response', () => {
  test('is the same as the first one, and each request for it is charged', async () => {
    const { gateway, key } = await start();
    const first = await gateway.get(PATH, { key });
    const second = await gateway.get(PATH, { key });
    expect(second.text).toBe(first.text);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(second.headers.get('link')).toBe(first.headers.get('link'));
    const left = (answer: typeof first) => Number(answer.headers.get('x-quota-remaining'));
    expect(left(second)).toBe(left(first) - 1);
  });

  test('is not returned without a key, or to a key whose quota is used up', async () => {
    const { gateway, key } = await start();
    await gateway.get(PATH, { key });
    expect((await gateway.get(PATH)).status).toBe(401);
    const { key: spent } = await gateway.makeKey('free', { rateLimit: 1_000 });
    await gateway.database.query(
      `INSERT INTO usage_counter (key_id, month, quota, used, granted)
       SELECT max(id), to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), 100, 100, 0 FROM api_key`,
    );
    expect((await gateway.get(PATH, { key: spent })).status).toBe(402);
  });

  test('becomes a 304 for a client that already has it', async () => {
    const { gateway, key } = await start();
    const etag = (await gateway.get(PATH, { key })).headers.get('etag') ?? '';
    expect((await gateway.get(PATH, { key, headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('may be read by pages of the listed origins only, whichever asked first', async () => {
    const gateway = await forTest(
      startTestGateway({ ANSWER_CACHE_MB: '1', CORS_ORIGINS: 'https://one.example,https://two.example' }),
    );
    await gateway.importRows('A Shop', [row('10.00 EUR')]);
    const { key } = await gateway.makeKey('starter');
    const allowed: (string | null)[] = [];
    for (const origin of [
      'https://one.example',
      'https://two.example',
      'https://other.example',
      'https://one.example',
    ]) {
      const { headers } = await gateway.get(PATH, { key, headers: { origin } });
      expect(headers.get('vary')).toContain('Origin');
      allowed.push(headers.get('access-control-allow-origin'));
    }
    expect(allowed).toEqual(['https://one.example', 'https://two.example', null, 'https://one.example']);
    expect((await gateway.get(PATH, { key })).headers.has('access-control-allow-origin')).toBe(false);
  });

  test('is compressed in the encoding that each client prefers, and has the same content for all', async () => {
    const gateway = await forTest(startTestGateway({ ANSWER_CACHE_MB: '1' }));
    const shops = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve'];
    for (const shop of shops) await gateway.importRows(shop, [row('10.00 EUR')]);
    const { key } = await gateway.makeKey('enterprise');
    const asked = ['identity', 'br', 'gzip', 'br', 'gzip', 'identity'];
    const answers: string[] = [];
    for (const encoding of asked) {
      const { headers, text } = await gateway.get(PATH, { key, headers: { 'accept-encoding': encoding } });
      expect(headers.get('content-encoding') ?? 'identity').toBe(encoding);
      answers.push(text);
    }
    expect(new Set(answers).size).toBe(1);
  });

  test('is replaced on every instance after an import has changed a price', async () => {
    const { gateway } = await start();
    const shared = { ...gateway.database, close: async () => {} };
    const second = await forTest(startGateway(readConfig({ PORT: '0', LOG_LEVEL: 'silent' }), shared));
    const { key } = await gateway.makeKey('enterprise');
    const prices = async () => {
      const both = await Promise.all([gateway.get(PATH, { key }), ask(second.address + PATH, { key })]);
      return both.map(({ body }) => body.data.offers[0].totalPrice);
    };
    expect(await prices()).toEqual([10, 10]);
    await gateway.importRows('A Shop', [row('8.50 EUR')]);
    expect(await eventually(prices, (both) => both.every((price) => price === 8.5))).toEqual([8.5, 8.5]);
  });
});

describe('the version of the catalogue', () => {
  let versions: bigint[];
  let asked: number;
  const database = {
    async query() {
      asked += 1;
      const [version] = versions;
      if (version === undefined) throw new Error('The database is away.');
      return [{ version, tags: null }];
    },
  } as unknown as Queryable;
  beforeEach(() => {
    versions = [1n];
    asked = 0;
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is known for 900 milliseconds after it was read, and no longer', async () => {
    const version = followVersion(database);
    expect(version.known()).toBeUndefined();
    expect(await version.look()).toBe(1n);
    vi.advanceTimersByTime(400);
    expect(version.known()).toBe(1n);
    versions = [];
    vi.advanceTimersByTime(500);
    expect(version.known()).toBe(1n);
    await vi.advanceTimersByTimeAsync(1);
    expect(version.known()).toBeUndefined();
  });

  test('is read again before it expires, so that no request waits for it', async () => {
    const version = followVersion(database);
    await version.look();
    versions = [2n];
    await vi.advanceTimersByTimeAsync(401);
    expect(version.known()).toBe(1n);
    await vi.advanceTimersByTimeAsync(0);
    expect(version.known()).toBe(2n);
  });

  test('is read once for concurrent requests', async () => {
    const version = followVersion(database);
    expect(await Promise.all([version.look(), version.look(), version.look()])).toEqual([1n, 1n, 1n]);
    expect(asked).toBe(1);
  });

  test('is unknown after a newer one was noted, until that one has been read', async () => {
    const version = followVersion(database);
    await version.look();
    version.note(1n);
    expect(version.known()).toBe(1n);
    version.note(2n);
    expect(version.known()).toBeUndefined();
    versions = [2n];
    expect(await version.catchUp()).toBe(2n);
    expect(version.known()).toBe(2n);
  });

  test('is read anew to catch up, even if a read is under way', async () => {
    const version = followVersion(database);
    const earlier = version.look();
    expect([await version.catchUp(), await earlier]).toEqual([1n, 1n]);
    expect(asked).toBe(2);
  });

  test('is unknown while the database is unavailable', async () => {
    versions = [];
    expect(await followVersion(database).look()).toBeUndefined();
  });
});

describe('cached rows', () => {
  const tagsOfRow = (row: string) => [tagOf('brandRow', BigInt(row.split(' ')[1] ?? 0))];

  test('are read again after they changed, and every time while no version is known', async () => {
    let known: bigint | undefined = 1n;
    const version = versionAt(() => known);
    const loaded: number[] = [];
    const rows = keep<bigint, string>(
      {
        async load(key) {
          loaded.push(Number(key));
          return key > 0n ? `row ${key}` : undefined;
        },
      },
      version,
      10,
      tagsOfRow,
    );
    expect([await rows.load(1n), await rows.load(1n)]).toEqual(['row 1', 'row 1']);
    expect(loaded).toEqual([1]);
    version.changes.announce([tagOf('brandRow', 2n)]);
    await rows.load(1n);
    expect(loaded).toEqual([1]);
    version.changes.announce([tagOf('brandRow', 1n)]);
    await rows.load(1n);
    expect(loaded).toEqual([1, 1]);
    known = undefined;
    await rows.load(1n);
    expect(loaded).toEqual([1, 1, 1]);
    known = 2n;
    await rows.load(0n);
    await rows.load(0n);
    expect(loaded).toEqual([1, 1, 1, 0, 0]);
  });

  test('are not cached if they changed while they were read', async () => {
    const version = versionAt(() => 1n);
    let go = () => {};
    let state = 'before';
    const rows = keep<bigint, string>(
      { load: (key) => new Promise((resolve) => (go = () => resolve(`row ${key} ${state}`))) },
      version,
      10,
      tagsOfRow,
    );
    const early = rows.load(1n);
    version.changes.announce([tagOf('brandRow', 1n)]);
    go();
    expect(await early).toBe('row 1 before');
    state = 'after';
    const again = rows.load(1n);
    go();
    expect(await again).toBe('row 1 after');
  });
});

describe('cached totals', () => {
  test('are counted once until their list changes, and again after a failure', async () => {
    let known: bigint | undefined = 1n;
    const version = versionAt(() => known);
    const asked: unknown[][] = [];
    let isAway = false;
    const database = {
      async query(_sql: string, parameters: unknown[]) {
        asked.push(parameters);
        if (isAway) throw new Error('The database is away.');
        return [{ count: asked.length }];
      },
    } as unknown as Queryable;
    const kept = keepRows(database, version, 10);
    const count = (value: unknown) => kept.query('SELECT $1', [value], { dependsOn: [`brand:${value}`] });
    expect(await Promise.all([count(1n), count(1n)])).toEqual([[{ count: 1 }], [{ count: 1 }]]);
    expect(await count(2n)).toEqual([{ count: 2 }]);
    expect(await kept.query('SELECT $1', [1n])).toEqual([{ count: 3 }]);
    version.changes.announce(['brand:1']);
    isAway = true;
    await expect(count(1n)).rejects.toThrow('away');
    isAway = false;
    expect(await count(1n)).toEqual([{ count: 5 }]);
    expect(await count(2n)).toEqual([{ count: 2 }]);
    known = undefined;
    expect(await count(1n)).toEqual([{ count: 6 }]);
  });
});

describe('the response cache', () => {
  const answer = (bytes: number) => ({ body: 'x'.repeat(bytes), etag: '"a"', headers: {}, links: {}, dressed: {} });

  test('takes any share of the configured memory, such as a third of 64 MB', () => {
    const answers = keepAnswers(64 / 3, openChanges());
    answers.keep('/a', answer(100), [], 0);
    expect(answers.find('/a')?.body).toHaveLength(100);
  });

  test('has a maximum size, and evicts the least recently used response first', () => {
    const answers = keepAnswers(1, openChanges());
    for (let n = 0; n < 200; n += 1) answers.keep(`/${n}`, answer(10_000), [], 0);
    expect(answers.find('/0')).toBeUndefined();
    expect(answers.find('/199')).toBeDefined();
  });

  test('is made once for all who ask meanwhile, and again for those who ask after a change', async () => {
    const version = versionAt(() => 1n);
    const find = openKeeping({ answers: keepAnswers(1, version.changes), version });
    const makings: (() => void)[] = [];
    const work = () =>
      new Promise<MadeAnswer>((resolve) => {
        makings.push(() => resolve({ answer: answer(makings.length), tags: () => [TAG.products] }));
      });
    const before = [find('/a', work), find('/a', work)];
    version.changes.announce([TAG.products]);
    const after = [find('/a', work), find('/a', work)];
    expect(makings).toHaveLength(2);
    for (const finish of makings) finish();
    const [first, same, later] = await Promise.all([...before, ...after]);
    expect([same, later === first]).toEqual([first, false]);
    await expect(find('/b', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await find('/b', async () => ({ answer: answer(7), tags: () => [] }))).toMatchObject({
      body: 'x'.repeat(7),
    });
  });
});
