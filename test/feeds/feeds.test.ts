/** Scheduled feeds: a gateway pulls them from a shop's server by itself. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { listAudit } from '../../src/access/audit.ts';
import { awaitRun } from '../../src/feeds/await-run.ts';
import {
  addFeed,
  confirmFeed,
  listFeeds,
  type NewFeed,
  pauseFeed,
  readFeed,
  removeFeed,
  renewReport,
  resumeFeed,
  runFeedSoon,
} from '../../src/feeds/feeds.ts';
import { deleteOldRuns } from '../../src/feeds/tidy-runs.ts';
import { eventually } from '../harness/eventually.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { forFile, forTest } from '../harness/lifetime.ts';
import { answerFeed, feedOf, someRows, startShopServer } from '../harness/shop-server.ts';

// The column has whole milliseconds, so that the present one may be rounded up into the future.
const RUN_NOW = "UPDATE feed SET next_run_at = now() - INTERVAL '1 second'";

const SECRET_KEY = 'a test key that has enough characters';
const MINUTE = 60_000;

const shop = await forFile(startShopServer());
const gateway = await forFile(
  startTestGateway({
    FEEDS: 'on',
    ANSWER_CACHE_MB: '16',
    SECRET_KEY,
    FEED_DOWNLOAD_SECONDS: '5',
    RATE_LIMIT_PUBLIC: '0',
  }),
);
const { key } = await gateway.makeKey('enterprise');

/** Adds a feed of a path of the shop's server, and waits for its first run. */
async function schedule(path: string, merchant: string, fields: Partial<NewFeed> = {}) {
  const feed = { url: shop.url(path), merchant, every: '1h', allowPrivate: true, ...fields };
  let id = '';
  const { database } = gateway;
  const add = async () => {
    ({ id } = await addFeed(database, feed, { secretKey: SECRET_KEY }));
  };
  await add();
  const first = await eventually(
    async () => (await readFeed(database, id)).runs[0],
    (run) => run?.finishedAt !== undefined,
    MINUTE,
  );
  return { id, first, run: () => awaitRun(database, id, () => runFeedSoon(database, id)) };
}

/** The offers of a shop, by the ids of its rows. */
async function offersOf(merchant: string) {
  const rows = await gateway.database.query<{ sku: string; slug: string }>(
    `SELECT offer.sku, product.slug FROM offer JOIN product ON product.id = offer.product_id
     JOIN merchant ON merchant.id = offer.merchant_id WHERE merchant.name = $1 AND offer.withdrawn_at IS NULL`,
    [merchant],
  );
  const offers = await Promise.all(
    rows.map(async ({ sku, slug: product }) => {
      const { body } = await gateway.get(`/api/v1/products/${product}/offers`, { key });
      return [
        sku,
        body.data.find((offer: { merchant: { name: string } }) => offer.merchant.name === merchant),
      ] as const;
    }),
  );
  return Object.fromEntries(offers);
}

/** The offer of a row once it was seen after a moment: cached answers may be almost a second old. */
const seenAfter = (merchant: string, id: string, moment: string) =>
  eventually(
    async () => (await offersOf(merchant))[id],
    ({ seenAt }) => Date.parse(seenAt) > Date.parse(moment),
  );

describe('a scheduled feed', () => {
  test('is pulled by itself, and its offers are served', async () => {
    shop.serve('/first', answerFeed(someRows(3)));
    const { id, first } = await schedule('/first', 'First Shop');
    expect(first).toMatchObject({ outcome: 'imported', imported: { read: 3, new: 3 } });
    expect(Object.keys(await offersOf('First Shop'))).toHaveLength(3);
    const feed = await readFeed(gateway.database, id);
    expect(feed).toMatchObject({ state: 'waiting', every: '1h', mode: 'full', failures: 0, shop: 'first-shop' });
    const pause = Number(feed.nextRunAt) - Number(feed.lastRun?.startedAt);
    expect(pause).toBe(60 * MINUTE);
    expect(feed.reportPath).toMatch(/^\/feeds\/[\w-]{32,}$/);
  });

  test('is not imported again if the server says that it is unchanged, but its offers count as seen', async () => {
    shop.serve('/tagged', answerFeed(someRows(2), '"v1"'));
    const { first, run } = await schedule('/tagged', 'Tagged Shop');
    const before = (await offersOf('Tagged Shop')).r0;
    const second = await run();
    expect(second).toMatchObject({ outcome: 'unchanged', bytes: 0, imported: { read: 2, same: 2, new: 0 } });
    expect(shop.requests('/tagged').map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"v1"']);
    const after = await seenAfter('Tagged Shop', 'r0', before.seenAt);
    expect(Date.parse(after.seenAt)).toBeGreaterThan(Date.parse(before.seenAt));
    expect(Date.parse(after.seenAt)).toBeGreaterThanOrEqual(Number(second.startedAt));
    expect(after.updatedAt).toBe(before.updatedAt);
    expect(first?.bytes).toBeGreaterThan(0);
  });

  test('is not imported again if the same bytes arrive', async () => {
    shop.serve('/same', answerFeed(someRows(2)));
    const { run } = await schedule('/same', 'Same Shop');
    const before = (await offersOf('Same Shop')).r1;
    expect(await run()).toMatchObject({ outcome: 'unchanged' });
    const after = await seenAfter('Same Shop', 'r1', before.seenAt);
    expect(Date.parse(after.seenAt)).toBeGreaterThan(Date.parse(before.seenAt));
    shop.serve('/same', answerFeed(someRows(3)));
    expect(await run()).toMatchObject({ outcome: 'imported', imported: { new: 1, same: 2 } });
  });

  test('of a delta marks only the offers that it lists as seen', async () => {
    await gateway.importRows('Delta Shop', someRows(2, {}, 8));
    shop.serve('/delta', answerFeed(someRows(2), '"d"'));
    const { run } = await schedule('/delta', 'Delta Shop', { isDelta: true });
    const before = await offersOf('Delta Shop');
    expect(Object.keys(before).sort()).toEqual(['r0', 'r1', 'r8', 'r9']);
    for (const _ of [1, 2]) expect(await run()).toMatchObject({ outcome: 'unchanged' });
    await seenAfter('Delta Shop', 'r0', before.r0.seenAt);
    const after = await offersOf('Delta Shop');
    const seen = (offers: typeof after, id: string) => Date.parse(offers[id].seenAt);
    expect(seen(after, 'r0')).toBeGreaterThan(seen(before, 'r0'));
    expect(seen(after, 'r8')).toBe(seen(before, 'r8'));
  });

  test('has a report for the shop, which unchanged content keeps', async () => {
    shop.serve('/reported', answerFeed([...someRows(2), { id: 'bad' }], '"p"'));
    const { id, run } = await schedule('/reported', 'Reported Shop');
    const { reportPath } = await readFeed(gateway.database, id);
    // The shop's offers are counted after the run, and reports are kept for a moment.
    const read = () =>
      eventually(
        async () => (await gateway.get(reportPath)).body,
        ({ offers }) => offers !== null,
        MINUTE,
      );
    const expected = { offers: { listed: 2, cheapest: 2 }, lastRows: { read: 3, rejected: 1 } };
    expect(await read()).toMatchObject(expected);
    expect(await run()).toMatchObject({ outcome: 'unchanged' });
    expect(await read()).toMatchObject(expected);
  });

  test('is imported again, although it is unchanged, after another import of the shop', async () => {
    shop.serve('/restored', answerFeed(someRows(2), '"r"'));
    const { run } = await schedule('/restored', 'Restored Shop');
    await gateway.importRows('Restored Shop', someRows(2, { price: '99.00 EUR' }));
    expect(await run()).toMatchObject({ outcome: 'imported', imported: { changed: 2 } });
    const price = async () => (await offersOf('Restored Shop')).r0.price;
    expect(await eventually(price, (each) => each === 10)).toBe(10);
  });

  test('is imported again, although it is unchanged, when a sale of its rows begins or ends', async () => {
    const end = `${new Date(Date.now() + 60 * MINUTE).toISOString().slice(0, 16)}Z`;
    const rows = someRows(1, { sale_price: '8.00 EUR', sale_price_effective_date: `2020-01-01T00:00Z/${end}` });
    shop.serve('/sale', answerFeed(rows, '"s"'));
    const { id, run } = await schedule('/sale', 'Sale Shop');
    const number = 'SELECT content_valid_until AS until FROM feed WHERE url = $1';
    const [row] = await gateway.database.query<{ until: Date }>(number, [shop.url('/sale')]);
    // The end belongs to the sale.
    expect(row?.until).toEqual(new Date(Date.parse(end) + 1));
    await gateway.database.query('UPDATE feed SET content_valid_until = now() WHERE url = $1', [shop.url('/sale')]);
    expect(await run()).toMatchObject({ outcome: 'imported', imported: { same: 1 } });
    expect(shop.requests('/sale').at(-1)?.headers['if-none-match']).toBeUndefined();
    expect((await readFeed(gateway.database, id)).failures).toBe(0);
  });
});

describe('a failure', () => {
  test('is shown with its reason, without what is secret, and delays the next pull', async () => {
    shop.serve('/failing', (response) => response.writeHead(503).end());
    const { id, first, run } = await schedule('/failing?token=hunter2', 'Failing Shop');
    expect(first).toMatchObject({ outcome: 'broken', message: expect.stringContaining('503') });
    expect(await run()).toMatchObject({ outcome: 'broken' });
    const feed = (await listFeeds(gateway.database)).find((each) => each.id === id);
    expect(feed).toMatchObject({ state: 'failing', failures: 2, url: `${shop.url('/failing')}?token=…` });
    expect(JSON.stringify([feed, await readFeed(gateway.database, id)])).not.toContain('hunter2');
    const pause = Number(feed?.nextRunAt) - Number(feed?.lastRun?.finishedAt);
    expect(pause).toBeGreaterThan(MINUTE);
    expect(pause).toBeLessThan(3 * MINUTE);

    shop.serve('/failing', answerFeed(someRows(1)));
    expect(await run()).toMatchObject({ outcome: 'imported' });
    expect(await readFeed(gateway.database, id)).toMatchObject({ state: 'waiting', failures: 0 });
  });

  test.each([
    ['an address of the own network', '/private', { allowPrivate: false }, 'not on the public internet'],
    ['a format that is not known', '/html', {}, ''],
  ])('is reported for %s', async (_, path, fields, message) => {
    shop.serve(path, (response) => response.end('<!doctype html><p>Log in</p>'));
    const { first } = await schedule(path, `Shop ${path}`, fields);
    expect(first).toMatchObject({ outcome: 'broken', message: expect.stringContaining(message) });
  });

  test('does not come from a row whose sale period PostgreSQL has no year for: the row is rejected', async () => {
    const sale = { sale_price: '5 EUR', sale_price_effective_date: '0000-01-01/9999-12-31' };
    shop.serve('/year', answerFeed([...someRows(2), ...someRows(1, sale, 2)]));
    const { first } = await schedule('/year', 'Year Shop');
    expect(first).toMatchObject({ outcome: 'imported' });
    expect(Object.keys(await offersOf('Year Shop'))).toEqual(['r0', 'r1']);
  });

  test('of a server that sends a byte at a time ends with the time limit, and holds up no other feed', async () => {
    shop.serve('/drip', (response) => {
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    });
    shop.serve('/quick', answerFeed(someRows(1)));
    const dripping = schedule('/drip', 'Drip Shop');
    await shop.requested('/drip', 1);
    expect((await schedule('/quick', 'Quick Shop')).first).toMatchObject({ outcome: 'imported' });
    const { first } = await dripping;
    expect(first).toMatchObject({ outcome: 'broken', message: expect.stringContaining('took longer than 5 seconds') });
  });

  test.each([
    ['less', 10],
    ['more', -10],
  ])('is reported for a server that sends %s than its Content-Length', async (word, difference) => {
    const content = Buffer.from(feedOf(someRows(20)));
    shop.serve(`/${word}`, (response) => {
      const head = `HTTP/1.1 200 OK\r\nContent-Length: ${content.length + difference}\r\n\r\n`;
      response.socket?.end(Buffer.concat([Buffer.from(head), content]));
    });
    const { first } = await schedule(`/${word}`, `Shop of ${word}`);
    expect(first).toMatchObject({ outcome: 'broken' });
    const merchants = await gateway.database.query('SELECT id FROM merchant WHERE name = $1', [`Shop of ${word}`]);
    expect(merchants).toEqual([]);
  });

  test('is reported for an archive of endless empty members', async () => {
    const members = Buffer.concat(Array<Buffer>(220_000).fill(gzipSync('')));
    shop.serve('/bomb', (response) => response.end(members));
    const { first } = await schedule('/bomb', 'Bomb Shop');
    expect(first).toMatchObject({ outcome: 'broken', message: expect.stringContaining('hardly any content') });
  });
});

describe('the guard', () => {
  test('refuses a feed that would empty the shop, until an operator confirms exactly the next run', async () => {
    const { database } = gateway;
    shop.serve('/guarded', answerFeed(someRows(10)));
    const { id, run } = await schedule('/guarded', 'Guarded Shop');
    await expect(confirmFeed(database, id)).rejects.toThrow('nothing to confirm');
    shop.serve('/guarded', answerFeed(someRows(2)));
    expect(await run()).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining(`pda feeds run ${id} --confirm`),
    });
    expect(await readFeed(database, id)).toMatchObject({ state: 'needs confirmation', failures: 1 });
    expect(Object.keys(await offersOf('Guarded Shop'))).toHaveLength(10);

    const forced = await awaitRun(database, id, () => confirmFeed(database, id, { actor: 'console (ada)' }));
    expect(forced).toMatchObject({ outcome: 'imported', isForced: true, imported: { withdrawn: 8 } });
    expect(await readFeed(database, id)).toMatchObject({ state: 'waiting', isConfirmed: false });
    const audit = (await listAudit(database)).filter(({ after }) => JSON.stringify(after)?.includes('Guarded Shop'));
    expect(audit.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['feed.add', 'feed.confirm', 'import.force']),
    );
    expect(audit.find(({ action }) => action === 'feed.confirm')?.actor).toBe('console (ada)');

    shop.serve('/guarded', answerFeed([...someRows(1, {}, 50)]));
    expect(await run()).toMatchObject({ outcome: 'refused', isForced: false });
  });
});

describe('the headers of a feed', () => {
  test('are sent to its own origin only, stored encrypted, and never shown', async () => {
    const other = await forTest(startShopServer());
    other.serve('/moved', answerFeed(someRows(1)));
    // The name differs, so that the address counts as the feed's own network only for the first origin.
    shop.serve('/moved', (response) => response.writeHead(302, { location: other.url('/moved') }).end());
    shop.serve('/stays', (response) => response.writeHead(302, { location: '/stayed' }).end());
    shop.serve('/stayed', answerFeed(someRows(1)));
    const headers = ['Authorization: Bearer swordfish', 'X-Shop: 7'];
    const { id, first } = await schedule('/stays', 'Header Shop', { headers });
    expect(first).toMatchObject({ outcome: 'imported' });
    expect(shop.requests('/stayed')[0]?.headers).toMatchObject({ authorization: 'Bearer swordfish', 'x-shop': '7' });
    const moved = await schedule('/moved', 'Header Shop', { headers });
    for (const request of other.requests('/moved')) expect(request.headers.authorization).toBeUndefined();
    expect(moved.first?.outcome).toBe('broken');

    const rows = await gateway.database.query('SELECT * FROM feed');
    const shown = [
      await readFeed(gateway.database, id),
      await listFeeds(gateway.database),
      await listAudit(gateway.database),
    ];
    const text = JSON.stringify([rows, shown], (_, value) => (typeof value === 'bigint' ? String(value) : value));
    expect(text).not.toContain('swordfish');
    expect(text).not.toContain(Buffer.from('swordfish').toString('base64').slice(0, 10));
    expect(await readFeed(gateway.database, id)).toMatchObject({ headers: ['authorization', 'x-shop'] });
  });

  test('cannot be read under another SECRET_KEY, or at another URL', async () => {
    const feed = { url: shop.url('/sealed'), merchant: 'Sealed Shop', every: '1h', allowPrivate: true };
    const headers = ['Authorization: Bearer swordfish'];
    const { database } = gateway;
    const { id } = await addFeed(
      database,
      { ...feed, headers },
      { secretKey: 'another key of at least 32 characters' },
    );
    const last = async () => (await readFeed(database, id)).lastRun;
    expect(await eventually(last, (run) => run?.outcome !== undefined, MINUTE)).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('SECRET_KEY'),
    });
    expect(shop.requests('/sealed')).toEqual([]);
  });
});

describe('an operator', () => {
  test.each([
    [{ url: 'https://ada:secret@shop.example/f' }, '--header'],
    [{ url: 'ftp://shop.example/f' }, 'http:// or https://'],
    [{ every: '59s' }, 'from 1m to 30d'],
    [{ every: '0m' }, 'from 1m to 30d'],
    [{ every: '31d' }, 'from 1m to 30d'],
    [{ merchant: ' ' }, '--merchant'],
    [{ encoding: 'klingon' }, '--encoding'],
    [{ headers: ['no colon'] }, 'Name: value'],
    [{ headers: ['Host: other.example'] }, 'set by the service'],
    [{ headers: ['A: b\r\nC: d'] }, 'printable ASCII'],
    [{ headers: Array.from({ length: 11 }, (_, index) => `X-${index}: 1`) }, 'at most 10'],
    [{ url: 'http://shop.example/f', headers: ['A: b'] }, 'unencrypted'],
  ])('cannot add a feed with %j', async (fields, message) => {
    const feed = { url: 'https://shop.example/f', merchant: 'Any Shop', every: '1h', ...fields };
    await expect(addFeed(gateway.database, feed, { secretKey: SECRET_KEY })).rejects.toThrow(message);
  });

  test('cannot add headers without SECRET_KEY, nor a feed twice', async () => {
    const feed = { url: 'https://shop.example/twice', merchant: 'Twice Shop', every: '30d' };
    await expect(addFeed(gateway.database, { ...feed, headers: ['A: b'] })).rejects.toThrow('SECRET_KEY is not set');
    const { id } = await addFeed(gateway.database, feed);
    await expect(addFeed(gateway.database, feed)).rejects.toThrow(`it is ${id}`);
    await removeFeed(gateway.database, id);
  });

  test('pauses, resumes and removes a feed', async () => {
    const { database } = gateway;
    shop.serve('/paused', answerFeed(someRows(1)));
    const { id, run } = await schedule('/paused', 'Paused Shop');
    expect(await pauseFeed(database, id)).toMatchObject({ state: 'paused' });
    await expect(runFeedSoon(database, id)).rejects.toThrow(`pda feeds resume ${id}`);
    await database.query(`${RUN_NOW} WHERE url = $1`, [shop.url('/paused')]);
    // Another feed is pulled meanwhile, so the gateway has looked.
    shop.serve('/other', answerFeed(someRows(1)));
    await schedule('/other', 'Other Shop');
    expect(shop.requests('/paused')).toHaveLength(1);
    await resumeFeed(database, id);
    await shop.requested('/paused', 2);
    await run();
    const { reportPath } = await readFeed(database, id);
    await renewReport(database, id);
    expect((await readFeed(database, id)).reportPath).not.toBe(reportPath);
    await removeFeed(database, id);
    await expect(readFeed(database, id)).rejects.toThrow('No feed has the id');
    await expect(pauseFeed(database, 'fed_zzzz')).rejects.toThrow('No feed has the id');
    expect(Object.keys(await offersOf('Paused Shop'))).toHaveLength(1);
  });

  test('sees the metrics of feeds', async () => {
    const text = await gateway.services.metrics.registry.metrics();
    expect(text).toMatch(/pda_feed_runs_total\{outcome="imported"\} [1-9]/);
    expect(text).toMatch(/pda_feeds\{state="all"\} [1-9]/);
    expect(text).toContain('pda_feed_overdue_seconds');
  });
});

test('runs are deleted beyond the newest hundred of a feed, and after 90 days, however they ended', async () => {
  const { database } = gateway;
  shop.serve('/kept', answerFeed(someRows(1)));
  const { id, run } = await schedule('/kept', 'Kept Shop');
  const add = `
    INSERT INTO feed_run (feed_id, started_at, finished_at, outcome)
    SELECT feed.id, now() - $2::interval, now() - $2::interval,
           (ARRAY['superseded', 'imported', 'failed']::feed_outcome[])[1 + n % 3]
    FROM feed, generate_series(1, $3::int) AS n
    WHERE url = $1`;
  await database.query(add, [shop.url('/kept'), '1 day', 150]);
  await run();
  const count = async () => {
    const [row] = await database.query<{ runs: number }>(
      'SELECT count(*)::int AS runs FROM feed_run JOIN feed ON feed.id = feed_id WHERE url = $1',
      [shop.url('/kept')],
    );
    return row?.runs;
  };
  expect(await count()).toBe(100);
  expect((await readFeed(database, id, 1_000)).runs).toHaveLength(100);

  await database.query(add, [shop.url('/kept'), '89 days', 3]);
  await database.query(add, [shop.url('/kept'), '91 days', 6]);
  expect(await count()).toBe(109);
  await deleteOldRuns(database);
  expect(await count()).toBe(103);
});
