/**
 * The demo catalogue: its present is complete at once, its past follows in the background, and in the end everything is as if the feeds had been
 * imported in the order of time.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IssuedKey } from '../src/access/key-admin.ts';
import { readConfig } from '../src/config.ts';
import type { Database } from '../src/database/database.ts';
import { setUpDemo } from '../src/demo/demo.ts';
import { demoFeeds, importDemoFeed, missingFeeds } from '../src/demo/feeds.ts';
import { startPast } from '../src/demo/past.ts';
import { digestAll } from '../src/ledger/digest/digest-step.ts';
import { openLog } from '../src/operations/log.ts';
import { openTestDatabase } from './harness/database.ts';
import { importDemoInOrder } from './harness/demo.ts';
import { eventually } from './harness/eventually.ts';
import { type Answer, type Asking, feedRow, posting, startTestGateway, type TestGateway } from './harness/gateway.ts';
import { allConfirmed, type Receiver, startReceiver } from './harness/receiver.ts';

const LONG_MS = 600_000;
const EAN = '4006381333931';
const PUBLIC_URL = 'https://prices.test';
const COUNT = { present: demoFeeds(new Date()).present.length, past: demoFeeds(new Date()).past.length };

interface Change {
  seq: number;
  observedAt: string;
  types: string[];
}

let database: Database;
let receiver: Receiver;
let keys: IssuedKey[] = [];
/** The keys that each of two servers has printed, which were started at once. */
let printed: (IssuedKey[] | undefined)[] = [];
let gateway: TestGateway;
/** Has the same feeds, imported in order. */
let inOrder: TestGateway;
const said: string[] = [];
/** What was known before the past. */
let before: { newest: Date | undefined; lookups: Answer[]; changes: Change[]; cursor: string };
/** The numbers of feeds after each of the imports that were stopped. */
const stoppedAt: number[] = [];

const log = Object.assign(openLog('silent'), { info: (line: unknown) => void said.push(String(line)) });
const keyOf = (plan: string) => keys.find((each) => each.plan === plan)?.key ?? '';
const ask = (path: string, asking: Asking = {}, of = gateway) => of.get(path, { key: keyOf('enterprise'), ...asking });
const runs = () =>
  database.query<{ merchant: string; at: Date }>(
    'SELECT merchant.name AS merchant, import_run.observed_at AS at FROM import_run JOIN merchant ON merchant.id = merchant_id ORDER BY import_run.id',
  );
const isComplete = async () => {
  const { present, past } = await missingFeeds(database, new Date());
  return present.length + past.length === 0;
};

/** All changes after a cursor, and the cursor after them. */
async function changesAfter(cursor?: string): Promise<Pick<typeof before, 'changes' | 'cursor'>> {
  const { body } = await ask(`/api/v1/changes?limit=1000${cursor === undefined ? '' : `&cursor=${cursor}`}`);
  const { nextCursor, hasMore } = body.page;
  if (!hasMore) return { changes: body.data, cursor: nextCursor };
  const rest = await changesAfter(nextCursor);
  return { changes: [...body.data, ...rest.changes], cursor: rest.cursor };
}

const startNow = (observer: Parameters<typeof startPast>[1]) =>
  startPast(database, observer, { firstMs: 0, standbyMs: 200, failedMs: 200 });

/** Imports feeds of the past, and stops while the next one is imported. */
async function importSome(count: number): Promise<void> {
  let left = count;
  await new Promise<void>((resolve, reject) => {
    const started = startNow({
      onFeed() {
        left -= 1;
        if (left === 0) setImmediate(() => started.stop().then(resolve, reject));
      },
      onFailure: reject,
    });
  });
}

beforeAll(async () => {
  database = await openTestDatabase();
  // A gateway closes its database.
  const shared: Database = { ...database, close: async () => {} };
  const starts = [await setUpDemo(readConfig({}), database, log), await setUpDemo(readConfig({}), database, log)];
  receiver = await startReceiver();

  gateway = await startTestGateway({}, shared);
  printed = await Promise.all(starts.map((showKeys) => showKeys?.(gateway.address)));
  keys = printed.flatMap((some) => some ?? []);
  const lookups = await Promise.all([
    ask(`/api/v1/lookup?ean=${EAN}`, { key: keyOf('starter') }),
    ask('/api/v1/lookup?asin=B0DEMO0001', { key: keyOf('starter') }),
  ]);
  before = { newest: (await runs())[0]?.at, lookups, ...(await changesAfter()) };
  await gateway.stop();

  for (const count of [3, 4]) {
    await importSome(count);
    stoppedAt.push((await runs()).length);
  }

  gateway = await startTestGateway({ NODE_ENV: 'development', PUBLIC_URL, WEBHOOKS_ALLOW_PRIVATE: 'true' }, shared);
  const kinds = ['price_changed', 'new_low', 'low_equalled', 'back_in_stock', 'offer_withdrawn'];
  const wanted = { url: receiver.url, kinds, filter: { category: 'office-supplies' } };
  const { status } = await ask('/api/v1/webhooks', { key: keyOf('pro'), ...posting(wanted) });
  expect(status).toBe(201);
  await allConfirmed(database);
  // Another server on the same database.
  const other = startNow({
    onFeed() {},
    onFailure(error) {
      throw error;
    },
  });
  expect(await eventually(isComplete, (isSo) => isSo, LONG_MS)).toBe(true);
  await other.stop();

  const reference = await openTestDatabase();
  await importDemoInOrder(reference, before.newest ?? new Date());
  inOrder = await startTestGateway({ PUBLIC_URL }, reference);
}, 2 * LONG_MS);
afterAll(async () => {
  await gateway.stop();
  await inOrder.stop();
  await receiver.stop();
  await database.close();
});

describe('the present', () => {
  test('is given keys once, even if two servers are started at once', () => {
    expect(printed.filter((some) => some === undefined)).toHaveLength(1);
    expect(keys.map(({ plan }) => plan)).toEqual(['free', 'starter', 'pro', 'enterprise']);
  });

  test('is imported first, and looked up as printed before the past is there', () => {
    for (const { status, body } of before.lookups) {
      expect(status).toBe(200);
      expect(body.data.product.name).toBe('Markina Glow Line Highlighter Yellow');
      expect(body.data.offers.length).toBeGreaterThanOrEqual(6);
    }
    expect(said).toContain(`Importing the demo catalogue: ${COUNT.present} of ${COUNT.present} feeds`);
  });

  test('is all that the stream of changes has, in the order of commits', async () => {
    expect(before.changes.length).toBeGreaterThan(1_000);
    expect(new Set(before.changes.map(({ observedAt }) => Date.parse(observedAt)))).toEqual(
      new Set([before.newest?.getTime()]),
    );
    const numbers = before.changes.map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    expect((await changesAfter(before.cursor)).changes).toEqual([]);
  });
});

describe('the past', () => {
  test('stops after the feed that it writes, and continues with the next one', () => {
    expect(stoppedAt[0]).toBeGreaterThanOrEqual(COUNT.present + 3);
    expect(stoppedAt[0]).toBeLessThanOrEqual(COUNT.present + 4);
    expect(stoppedAt[1]).toBeGreaterThanOrEqual((stoppedAt[0] ?? 0) + 4);
    expect(stoppedAt[1]).toBeLessThanOrEqual((stoppedAt[0] ?? 0) + 5);
  });

  test('is imported once, the oldest feed first, even by two servers', async () => {
    const feeds = demoFeeds(before.newest ?? new Date());
    const names = (await runs()).map(({ merchant, at }) => `${at.toISOString()} ${merchant}`);
    expect(names).toEqual(
      [...feeds.present, ...feeds.past].map(({ merchant, observedAt }) => `${observedAt.toISOString()} ${merchant}`),
    );
  });

  test('is not imported again', async () => {
    const [feed] = demoFeeds(before.newest ?? new Date()).past;
    expect(feed && (await importDemoFeed(database, feed))).toBe(false);
    expect(await runs()).toHaveLength(COUNT.present + COUNT.past);
    expect(await database.query('SELECT reason FROM import_failure')).toEqual([]);
  });

  test('sends no message to webhooks: the first one is that of a new feed', async () => {
    const row = feedRow({ id: 'n', title: 'Marker', gtin: EAN, price: '0.10 EUR' });
    const observedAt = new Date();
    await gateway.importRows('New Shop', [row], { observedAt });
    await inOrder.importRows('New Shop', [row], { observedAt });
    const [message] = await receiver.messages(1);
    expect(JSON.stringify(message?.body)).toContain('0.1');
  });
});

describe('in the end, everything is as after an import in the order of time:', () => {
  /** The answers of both, without the numbers of offers, and the times of last changes, which are those of the import of the present. */
  const both = (path: string, asking?: Asking) =>
    Promise.all(
      [gateway, inOrder].map(async (each) =>
        plain(await ask(path, { ...asking, key: await enterpriseKeyOf(each) }, each)),
      ),
    );
  let orderedKey: Promise<string> | undefined;
  const enterpriseKeyOf = async (of: TestGateway) => {
    if (of === gateway) return keyOf('enterprise');
    orderedKey ??= inOrder.makeKey('enterprise').then(({ key }) => key);
    return orderedKey;
  };
  const plain = ({ status, text }: Answer) => {
    expect(status).toBe(200);
    return JSON.parse(text, (name, value) =>
      name === 'updatedAt' || name === 'nextCursor' ? undefined : isOfferId(value) ? 'off' : value,
    );
  };
  const isOfferId = (value: unknown) => typeof value === 'string' && /^(\/go\/|http.*\/go\/)?off_\w+$/.test(value);

  /** Expects equal answers. Figures up to now change with each minute, so those of two minutes are asked for again. */
  async function expectEqual(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const [one, other] = await eventually(
        () => both(path),
        ([first, second]) => JSON.stringify(first) === JSON.stringify(second),
        1_000,
      );
      expect({ path, answer: one }).toEqual({ path, answer: other });
    }
  }

  const slugs: string[] = [];
  const codes: { ean?: string; asin?: string }[] = [];
  beforeAll(async () => {
    await digestAll(database);
    await digestAll(inOrder.database);
    for (let cursor = ''; ; ) {
      const { body } = await ask(`/api/v1/products?limit=100&sort=name${cursor && `&cursor=${cursor}`}`);
      slugs.push(...body.data.map(({ slug }: { slug: string }) => slug));
      codes.push(...body.data.map(({ identifier }: { identifier: { ean?: string; asin?: string } }) => identifier));
      if (body.page.nextCursor === undefined) break;
      cursor = body.page.nextCursor;
    }
    expect(slugs.length).toBe(331);
  });

  test('lookups', async () => {
    expect(codes.length).toBe(slugs.length);
    await expectEqual(
      codes.map(({ ean, asin }) => `/api/v1/lookup?${ean === undefined ? `asin=${asin}` : `ean=${ean}`}`),
    );
  });

  test('products', () => expectEqual(slugs.map((slug) => `/api/v1/products/${slug}`)));

  test('price statistics', () => expectEqual(slugs.map((slug) => `/api/v1/products/${slug}/price-stats`)));

  test('price histories', () => expectEqual(slugs.map((slug) => `/api/v1/products/${slug}/price-history?days=365`)));

  test('deals, indices and comparisons of shops', () =>
    expectEqual([
      '/api/v1/deals?limit=100',
      '/api/v1/deals?limit=100&minPercent=10',
      ...['electronics', 'home-garden'].flatMap((category) => [
        `/api/v1/price-index?category=${category}`,
        `/api/v1/merchant-comparison?category=${category}`,
      ]),
    ]));

  test('lists of products, shops, brands, categories and articles, and searches', () =>
    expectEqual([
      ...['popularity', 'price_asc', 'price_desc', 'name', 'newest'].map(
        (sort) => `/api/v1/products?limit=100&sort=${sort}`,
      ),
      '/api/v1/products?limit=100&q=highlighter',
      '/api/v1/facets?inStock=true',
      '/api/v1/merchants?limit=100',
      '/api/v1/brands?limit=100',
      '/api/v1/categories?limit=100',
      '/api/v1/articles?limit=100',
      '/api/v1/search?q=sonavia',
    ]));
});
