/** The report on a feed at `/feeds/{token}`, as its shop, other clients and attackers see it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { awaitRun } from '../../src/feeds/await-run.ts';
import { SHOWN_RUNS } from '../../src/feeds/feed-report.ts';
import { addFeed, readFeed, runFeedSoon } from '../../src/feeds/feeds.ts';
import { REJECT_REASON } from '../../src/import/reject.ts';
import { eventually } from '../harness/eventually.ts';
import { feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { addReportedFeed } from '../harness/reported-feed.ts';

const HTML = { headers: { accept: 'text/html' } };
const EANS = ['4006381333931', '4006381333948', '4006381333955', '4006381333962'] as const;
const UNKNOWN = `/feeds/${'x'.repeat(43)}`;

const gateway = await forFile(
  startTestGateway({ FEEDS: 'on', TRUST_PROXY: '1', RATE_LIMIT_PUBLIC: '0', RATE_LIMIT_WRONG_KEYS: '3' }),
);
const { database } = gateway;
await gateway.importRows('Rival', [
  feedRow({ id: '1', gtin: EANS[0], asin: 'B0DEMO0001', price: '9.00 EUR' }),
  feedRow({ id: '2', gtin: EANS[1], asin: 'B0DEMO0002', price: '20.00 EUR' }),
]);
const feed = await addReportedFeed(database, 'A Shop');
await feed.run([
  feedRow({ id: 'dear', gtin: EANS[0], brand: 'Ada', image_link: 'https://pictures.example/1.jpg' }),
  feedRow({ id: 'cheap', gtin: EANS[1], brand: 'Ada', product_type: 'Tools' }),
  feedRow({ id: 'alone', gtin: EANS[2] }),
  feedRow({ id: 'torn', gtin: EANS[0], asin: 'B0DEMO0002' }),
  ...Array.from({ length: 23 }, (_, index) => feedRow({ id: `free${index}`, price: 'free' })),
]);
await feed.addRun('unchanged');

let clients = 0;
/** Asks as a client that has not asked before. */
const askAnew = (path: string, headers: Record<string, string> = {}) => {
  clients += 1;
  return gateway.get(path, { headers: { 'x-forwarded-for': `198.51.100.${clients}`, ...headers } });
};

describe('the report tells the shop', () => {
  test('how many rows were read, accepted and rejected, why, and how to fix them', async () => {
    const { status, body } = await gateway.get(feed.path);
    expect(status).toBe(200);
    expect(body.lastRows).toMatchObject({
      outcome: 'imported',
      read: 27,
      accepted: 3,
      rejected: 24,
      changes: { new: 3, changed: 0, same: 0, withdrawn: 0 },
    });
    expect(body.lastRows.reasons).toHaveLength(2);
    const [price, conflict] = body.lastRows.reasons;
    expect(price).toMatchObject({ reason: 'invalid_price', rows: 23, ...REJECT_REASON.invalid_price });
    expect(price.examples).toHaveLength(20);
    expect(price.examples[0]).toEqual({ line: 5, id: 'free0', detail: expect.stringContaining('"free"') });
    expect(conflict).toMatchObject({ reason: 'identifier_conflict', rows: 1 });
  });

  test('which rows state GTINs, brands, pictures and categories', async () => {
    const { body } = await gateway.get(feed.path);
    expect(body.lastRows.coverage).toEqual({ gtin: 3, brand: 2, picture: 1, category: 1 });
  });

  test('which identifiers contradict the catalogue', async () => {
    const { body } = await gateway.get(feed.path);
    expect(body.conflicts).toEqual({
      total: 1,
      items: [
        {
          gtin: EANS[0],
          gtinProduct: 'thing-1',
          asin: 'B0DEMO0002',
          asinProduct: 'thing-2',
          statedAt: expect.stringMatching(/Z$/),
        },
      ],
    });
  });

  test('how many of its offers are the cheapest', async () => {
    const { body } = await gateway.get(feed.path);
    expect(body.offers).toEqual({ listed: 3, cheapest: 2, alone: 1, countedAt: expect.stringMatching(/Z$/) });
  });

  test('the state of the feed, without its address', async () => {
    const { body, text } = await gateway.get(feed.path);
    expect(body.shop).toEqual({ name: 'A Shop', listedOffers: 3, lastSeenAt: expect.stringMatching(/Z$/) });
    expect(body.feed).toEqual({
      status: 'ok',
      host: 'feeds.example',
      mode: 'full',
      everySeconds: 3_600,
      isRunning: false,
      failures: 0,
      lastSuccessAt: expect.stringMatching(/Z$/),
      nextRunAt: expect.stringMatching(/Z$/),
    });
    expect(text).not.toContain('secret');
  });

  test('the clicks of each of the last thirty days', async () => {
    const { database } = gateway;
    const shop = await addReportedFeed(database, 'Clicked');
    await shop.run([feedRow({ id: 'a' }), feedRow({ id: 'b' })]);
    const offers = await database.query<{ id: bigint }>(
      "SELECT offer.id FROM offer JOIN merchant ON merchant.id = offer.merchant_id WHERE name = 'Clicked'",
    );
    for (const { id } of offers) expect((await gateway.get(`/go/off_${id.toString(36)}`)).status).toBe(302);
    const clicks = () => gateway.get(shop.path).then(({ body }) => body.clicks);
    const days = await eventually(clicks, (list) => list.at(-1).clicks === 2, 60_000);
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toEqual({ day: new Date().toISOString().slice(0, 10), clicks: 2 });
    expect(days[0]).toEqual({ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), clicks: 0 });
  });

  test('its last thirty runs, the newest first, and the rows of the last feed that was read before them', async () => {
    const busy = await addReportedFeed(gateway.database, 'Busy');
    await busy.run([feedRow({ id: 'a' })]);
    for (let run = 0; run < SHOWN_RUNS; run += 1) await busy.addRun('unchanged');
    await busy.addRun(
      'refused',
      'Nothing was changed. Check the feed; to import it, use `pda feeds run feed_1 --confirm`.',
    );
    await busy.addRun('broken', 'line 7: the feed ends within <item>.');
    const { body } = await gateway.get(busy.path);
    // The shop has no use for the operator's commands.
    expect(body.runs[1].message).toBe('Nothing was changed. Check the feed.');
    expect(body.runs).toHaveLength(SHOWN_RUNS);
    expect(body.runs[0]).toMatchObject({
      outcome: 'broken',
      message: 'line 7: the feed ends within <item>.',
      read: null,
    });
    expect(body.lastRows).toMatchObject({ read: 1, accepted: 1, rejected: 0, reasons: [] });
  });

  test.each([
    ['paused', { paused_at: new Date() }],
    ['needs_confirmation', { needs_confirmation_at: new Date() }],
    ['failing', { failures: 3 }],
    ['waiting', {}],
  ])('that the feed is %s, before it has ever been read', async (status, columns) => {
    const other = await addReportedFeed(gateway.database, `Shop ${status}`, columns);
    const { body } = await gateway.get(other.path);
    expect(body.feed).toMatchObject({ status, lastSuccessAt: null });
    expect(body.feed.nextRunAt === null).toBe(status === 'paused');
    expect(body).toMatchObject({ runs: [], lastRows: null, offers: null, conflicts: { total: 0 }, clicks: [] });
    expect((await gateway.get(other.path, HTML)).status).toBe(200);
  });

  test('the rows of a feed that the guard refused', async () => {
    const guarded = await addReportedFeed(gateway.database, 'Guarded');
    await guarded.run([feedRow({ id: '1' }), feedRow({ id: '2' }), feedRow({ id: '3' })]);
    await guarded.run([feedRow({ id: '1' }), feedRow({ id: '9', price: 'free' })]);
    const { body } = await gateway.get(guarded.path);
    expect(body.lastRows).toMatchObject({ outcome: 'refused', read: 2, accepted: 1, rejected: 1, changes: null });
    expect(body.runs.map(({ read }: { read: number }) => read)).toEqual([2, 3]);
    expect(body.offers).toMatchObject({ listed: 3, cheapest: 3, alone: 3 });
  });
});

test('each pull fills the report, also of a feed that is broken, refused or unchanged', async () => {
  const line = (fields: { id: string; price?: string }) => `${JSON.stringify(feedRow({ brand: 'Ada', ...fields }))}\n`;
  const good = line({ id: '1' }) + line({ id: '2' }) + line({ id: '3' });
  let content = good + line({ id: '4', price: 'free' });
  const server = createServer((_request, response) => response.end(content)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const { database } = gateway;
  const url = `http://127.0.0.1:${port}/feed.jsonl?key=secret-value`;
  const { id } = await addFeed(database, { url, merchant: 'Pulled', every: '1h', allowPrivate: true });
  const { reportPath } = await readFeed(database, id);
  const read = () => gateway.get(reportPath).then(({ body }) => body);
  const pull = (text: string) => {
    content = text;
    return awaitRun(database, id, () => runFeedSoon(database, id));
  };

  const first = await eventually(read, ({ offers }) => offers !== null, 60_000);
  expect(first.feed.status).toBe('ok');
  expect(first.lastRows).toMatchObject({ outcome: 'imported', read: 4, accepted: 3, rejected: 1, changes: { new: 3 } });
  expect(first.lastRows.coverage).toMatchObject({ gtin: 0, brand: 3 });
  expect(first.lastRows.reasons[0].examples).toEqual([{ line: 4, id: '4', detail: expect.stringContaining('"free"') }]);
  expect(first.offers).toMatchObject({ listed: 3, cheapest: 3, alone: 3 });

  await pull(content);
  await pull(line({ id: '1' }) + line({ id: '5', price: 'free' }));
  await pull(`${good}{"id":`);
  const last = await eventually(read, ({ runs }) => runs.length === 4 && runs[0].outcome !== null, 60_000);
  const figures = last.runs.map((run: Record<string, unknown>) => [run.outcome, run.read, run.accepted, run.rejected]);
  expect(figures).toEqual([
    ['broken', 3, 3, 0],
    ['refused', 2, 1, 1],
    ['unchanged', 4, 3, 1],
    ['imported', 4, 3, 1],
  ]);
  expect(last.feed).toMatchObject({ status: 'needs_confirmation', failures: 2 });
  expect(last.lastRows).toMatchObject({ outcome: 'broken', read: 3, changes: null });
  expect(last.offers).toMatchObject({ listed: 3 });
  expect(JSON.stringify(last)).not.toMatch(/secret-value|pda feeds/);
});

describe('the page', () => {
  test('shows the same figures to browsers', async () => {
    const { status, headers, text } = await gateway.get(feed.path, HTML);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    for (const shown of ['A Shop', REJECT_REASON.invalid_price.fix, 'free19', 'thing-2', 'feeds.example', '2 of 3'])
      expect(text).toContain(shown);
    expect(text).not.toContain('free20');
    expect(text).not.toContain('secret');
  });

  test('is not kept, not indexed, and not named to other sites', async () => {
    for (const asking of [HTML, {}]) {
      const { headers } = await gateway.get(feed.path, asking);
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
      expect(headers.get('vary')).toContain('Accept');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
    }
    const { text } = await gateway.get(feed.path, HTML);
    expect(text).toContain('<meta name="robots" content="noindex, nofollow"/>');
    expect(text).not.toMatch(/<script|style="|onload=/);
  });

  test('shows hostile names and values as text', async () => {
    const name = `</title><script>alert(1)</script>\u202e"'\u0007\u2067`;
    const hostile = await addReportedFeed(gateway.database, name, { failures: 1 });
    await hostile.run([
      feedRow({ id: '"><img src=x onerror=alert(2)>\u202e', link: 'https://a.example', price: '<b>free</b>' }),
      feedRow({ id: 'good', title: '<i>Thing</i>' }),
      feedRow({ id: 'good', title: '<i>Thing</i>' }),
    ]);
    const unread = '<svg/onload=alert(3)>\u2066';
    await hostile.addRun(
      'failed',
      `${unread} https://user:concealed@feeds.example:8443/feed?key=concealed#concealed answered 500.`,
    );
    const { text } = await gateway.get(hostile.path, HTML);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters.
    expect(text).not.toMatch(/<script|<img src=x|<b>free|<svg\/onload|concealed|[\u0007\u202e\u2066\u2067]/);
    for (const shown of ['&lt;script>', '\\u202e', '\\u2066', 'feeds.example:8443 answered 500.'])
      expect(text).toContain(shown);
    const { body } = await gateway.get(hostile.path);
    expect(body.runs[0].message).toBe(`<svg/onload=alert(3)>\\u2066 feeds.example:8443 answered 500.`);
    expect(JSON.stringify(body)).not.toContain('concealed');
  });
});

describe('an address without a report', () => {
  test.each([UNKNOWN, '/feeds/short', '/feeds/%00', `/feeds/${'x'.repeat(500)}`])('%s is not found', async (path) => {
    const page = await askAnew(path, { accept: 'text/html' });
    expect(page.status).toBe(404);
    expect(page.text).toContain('Report not found');
    const json = await askAnew(path);
    expect(json.status).toBe(404);
    expect(json.body).toMatchObject({
      code: 'not_found',
      detail: expect.stringContaining('No report has this address'),
    });
  });

  test('is not found below a report or without a token', async () => {
    for (const path of ['/feeds', '/feeds/', `${feed.path}/`, `${feed.path}/runs`])
      expect([path, (await askAnew(path)).status]).toEqual([path, 404]);
  });

  test('counts as a guess, and after some of them only known reports are shown', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.1' };
    const get = (path: string) => gateway.get(path, { headers });
    const other = await addReportedFeed(gateway.database, 'Guessed');
    expect((await get(feed.path)).status).toBe(200);
    for (const letter of 'abc') expect((await get(`/feeds/${letter.repeat(40)}`)).status).toBe(404);
    const refused = await get(`/feeds/${'d'.repeat(40)}`);
    expect(refused.status).toBe(429);
    expect(refused.body.detail).toContain('check the address of the report');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // Not even a right guess tells the guesser anything.
    expect((await get(other.path)).status).toBe(429);
    expect((await get(feed.path)).status).toBe(200);
    expect((await askAnew(other.path)).status).toBe(200);
  });
});

test('a report that many ask for is read once in a while, and goes with its feed', async () => {
  const [popular, removed] = [
    await addReportedFeed(gateway.database, 'Popular'),
    await addReportedFeed(gateway.database, 'Removed'),
  ];
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => gateway.get([popular, removed][index % 2]?.path ?? '')),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await popular.addRun('unchanged');
  await gateway.database.query('DELETE FROM feed WHERE id = $1', [removed.id]);
  expect((await gateway.get(popular.path)).body.runs).toEqual([]);
  const runs = () => gateway.get(popular.path).then(({ body }) => body.runs);
  expect(await eventually(runs, (list) => list.length === 1, 60_000)).toHaveLength(1);
  const status = () => gateway.get(removed.path).then((answer) => answer.status);
  expect(await eventually(status, (is) => is === 404, 60_000)).toBe(404);
});
