/** The named statements and loaders of price histories. */
import { batched } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import { followDistribution, isDistributed, needsOneShard } from '../../database/distribution.ts';
import type { Availability, Condition } from '../../generated/prisma/client.ts';
import type { TimeSpan } from '../../values/time-span.ts';
import type { CatalogueVersion } from '../version.ts';
import type { Interval } from './buckets.ts';
import { keepLong } from './keep-long.ts';
import { type OfferPrices, packTimes, packTotals, parseOfferPrices, STOCK } from './offer-prices.ts';
import { bucketPrices, type PriceBucket } from './price-buckets.ts';

/** Which prices a history covers: those at one merchant, of goods in one condition, and while the offer had one availability; or all. */
export interface HistoryFilter {
  merchantId: bigint | null;
  condition: Condition | null;
  availability: Availability | null;
}

export interface Lowest {
  total: bigint;
  at: Date;
}

/**
 * The form of a statement. `joint` reads several products at once. The others read one product, whose id they compare with a parameter
 * and never with a column, so that a distributed engine sends them to the shard of the product. There, nothing can be joined with the
 * ledger: `routed` reads the offers of all shops, and `routedByShop` reads all of them too, and then keeps those of one shop.
 */
type Form = 'joint' | 'routed' | 'routedByShop';

// By the primary key of ledger, skipping from offer to offer.
function listed(form: Form): string {
  const productOf = productIn(form);
  return `
  WITH RECURSIVE listed (product_id, offer_id) AS (
    SELECT asked.product_id,
           (SELECT min(offer_id) FROM ledger WHERE ledger.product_id = ${productOf('asked')})
    FROM ${form === 'joint' ? 'unnest($1::bigint[])' : '(SELECT $1::bigint)'} AS asked (product_id)
    UNION ALL
    SELECT product_id,
           (
             SELECT min(offer_id)
             FROM ledger
             WHERE ledger.product_id = ${productOf('listed')} AND ledger.offer_id > listed.offer_id
           )
    FROM listed
    WHERE offer_id IS NOT NULL
  )`;
}

const productIn = (form: Form) => (alias: string) => (form === 'joint' ? `${alias}.product_id` : '$1::bigint');

// By the primary key of offer.
const isOfMerchant = (offers: string) =>
  `EXISTS (SELECT FROM offer WHERE offer.id = ${offers}.offer_id AND offer.merchant_id = $2::bigint)`;
const OF_MERCHANT: Record<Form, string> = {
  joint: `($2::bigint IS NULL OR ${isOfMerchant('listed')})`,
  routed: '$2::bigint IS NULL',
  routedByShop: 'TRUE',
};

/** Wraps a statement, whose rows have an `offer_id`, so that only those of one shop remain. */
const shopOnly = (form: Form, statement: string) =>
  form === 'routedByShop'
    ? `SELECT * FROM (WITH found AS MATERIALIZED (${statement}) SELECT * FROM found WHERE ${isOfMerchant('found')}) AS kept`
    : statement;

// A fact that was not recorded is NULL, which equals no value.
const matches = (condition: string, availability: string) => `
  (${condition}::condition IS NULL OR condition = ${condition}::condition)
  AND (${availability}::availability IS NULL OR availability = ${availability}::availability)`;

const STOCK_OF_ALL = `
  CASE
    WHEN availability = 'in_stock' THEN ${STOCK.in}
    WHEN availability IS NULL AND total IS NOT NULL THEN ${STOCK.unknown}
    ELSE ${STOCK.out}
  END`;
// Whether an offer was in stock does not depend on the filter on availability.
const STOCK_OF_CONDITION = `
  CASE
    WHEN total IS NULL OR condition <> $5::condition OR availability <> 'in_stock' THEN ${STOCK.out}
    WHEN availability IS NULL OR ($5::condition IS NOT NULL AND condition IS NULL) THEN ${STOCK.unknown}
    ELSE ${STOCK.in}
  END`;

const IN_ORDER = 'observed_at, import_run_id';

// By the primary key of ledger. For each offer, it reads the entries valid at the start and the later ones, in the order of the index,
// which aggregates keep. Earlier entries are not read, however many they are.
const readEntries = (form: Form, total: string, stock: string) => {
  const productOf = productIn(form);
  return `${shopOnly(
    form,
    `${listed(form)}
  SELECT listed.product_id AS "productId", listed.offer_id, history.times, history.totals
  FROM listed
  CROSS JOIN LATERAL (
    SELECT ${packTimes('observed_at')} AS times, ${packTotals(total, stock)} AS totals
    FROM (
      SELECT observed_at, total, availability, condition
      FROM ledger
      WHERE ledger.product_id = ${productOf('listed')}
        AND ledger.offer_id = listed.offer_id
        AND observed_at < $4::timestamptz
        AND observed_at >= COALESCE(
          (
            SELECT max(earlier.observed_at)
            FROM ledger AS earlier
            WHERE earlier.product_id = ${productOf('listed')}
              AND earlier.offer_id = listed.offer_id
              AND earlier.observed_at <= $3::timestamptz
          ),
          $3::timestamptz
        )
      ORDER BY observed_at, import_run_id
    ) AS entry
  ) AS history
  WHERE listed.offer_id IS NOT NULL
    AND history.times IS NOT NULL
    AND ${OF_MERCHANT[form]}`,
  )}
  ORDER BY "productId", offer_id`;
};

/**
 * All entries of a product before a time. Citus plans a statement on one table without subqueries once for each connection, and any other
 * for each execution, on the coordinator and on the worker, which takes several times as long as reading the few entries too many.
 */
const ALL_CHANGES = `
  SELECT ${packTimes('observed_at', IN_ORDER)} AS times,
         ${packTotals('total', STOCK_OF_ALL, IN_ORDER)} AS totals
  FROM ledger
  WHERE product_id = $1::bigint AND observed_at < $2::timestamptz
  GROUP BY offer_id
  ORDER BY offer_id`;

const inAllForms = (build: (form: Form) => string): Record<Form, string> => ({
  joint: build('joint'),
  routed: build('routed'),
  routedByShop: build('routedByShop'),
});

// Two statements, because conditions that filter nothing would take a fifth of the time of a long history.
const CHANGES = inAllForms((form) => readEntries(form, 'total', STOCK_OF_ALL));
const CHANGES_FILTERED = inAllForms((form) =>
  readEntries(form, `CASE WHEN ${matches('$5', '$6')} THEN total END`, STOCK_OF_CONDITION),
);

// By the primary key of ledger. An entry counts unless a later import replaced it, which few did: the cheapest are looked at first.
const LOWEST = inAllForms((form) => {
  const productOf = productIn(form);
  return `
  SELECT DISTINCT ON (product_id) product_id AS "productId", total, observed_at AS at
  FROM (${shopOnly(
    form,
    `${listed(form)}
    SELECT listed.product_id, listed.offer_id, cheapest.total, cheapest.observed_at
    FROM listed
    CROSS JOIN LATERAL (
      SELECT entry.total, entry.observed_at
      FROM (
        SELECT total, observed_at, import_run_id
        FROM ledger
        WHERE ledger.product_id = ${productOf('listed')}
          AND ledger.offer_id = listed.offer_id
          AND total IS NOT NULL
          AND (${matches('$3', '$4')})
        ORDER BY total, observed_at
        OFFSET 0
      ) AS entry
      WHERE entry.import_run_id = (
        SELECT max(replacement.import_run_id)
        FROM ledger AS replacement
        WHERE replacement.product_id = ${productOf('listed')}
          AND replacement.offer_id = listed.offer_id
          AND replacement.observed_at = entry.observed_at
      )
      ORDER BY entry.total, entry.observed_at
      LIMIT 1
    ) AS cheapest
    WHERE listed.offer_id IS NOT NULL AND ${OF_MERCHANT[form]}`,
  )}) AS lowest
  ORDER BY product_id, total, observed_at`;
});

/**
 * The points of histories over the same span and filter cost one statement, and so do their lowest prices. Where the ledger is distributed,
 * each product costs one.
 */
export function openPriceHistories(database: Queryable, version: CatalogueVersion) {
  const home: Home = { database, hasShards: followDistribution(database), isDistributed: false };
  const offers = batchedByWindow((productIds, window: HistoryWindow) => readOffers(home, productIds, window));
  const lowest = batchedByWindow((productIds, filter: HistoryFilter) => readLowest(home, productIds, filter));
  const kept = keepLong<PriceBucket[]>(version);
  const keptLowest = keepLong<{ lowest: Lowest | undefined }>(version);
  return {
    /** The points of a history, without empty ones. */
    points: (productId: bigint, window: HistoryWindow, interval: Interval): Promise<PriceBucket[]> =>
      kept(productId, `${interval} ${nameOf(window)}`, async () => {
        const prices = (await offers.load({ productId, window })) ?? [];
        const points = bucketPrices(prices, window, interval);
        return {
          value: points,
          entries: prices.reduce((sum, { times }) => sum + times.length, 0),
          size: points.length,
        };
      }),
    /** The lowest price ever recorded that matches a filter. It is found among all entries, so it is always cached. */
    lowest: async (productId: bigint, filter: HistoryFilter): Promise<Lowest | undefined> => {
      const found = await keptLowest(productId, nameOf(filter), async () => ({
        value: { lowest: await lowest.load({ productId, window: filter }) },
        entries: Number.POSITIVE_INFINITY,
        size: 1,
      }));
      return found.lowest;
    },
  };
}

/** The time span and the filter of a history. */
export interface HistoryWindow extends TimeSpan, HistoryFilter {}

const nameOf = (window: HistoryFilter & Partial<TimeSpan>): string =>
  [window.from, window.until, window.merchantId, window.condition, window.availability].join(' ');

/** A loader of values by product that reads those of one window together. */
function batchedByWindow<Window extends HistoryFilter, Value>(
  read: (productIds: readonly bigint[], window: Window) => Promise<Map<bigint, Value | Error>>,
) {
  return batched<{ productId: bigint; window: Window }, Value | undefined>(async (keys) => {
    const groups = new Map<string, { window: Window; productIds: Set<bigint> }>();
    for (const { productId, window } of keys) {
      const name = nameOf(window);
      const group = groups.get(name) ?? { window, productIds: new Set() };
      if (group.productIds.size === 0) groups.set(name, group);
      group.productIds.add(productId);
    }
    const reading = [...groups].map(
      async ([name, { window, productIds }]) => [name, await read([...productIds], window)] as const,
    );
    const byWindow = new Map(await Promise.all(reading));
    return keys.map(({ productId, window }) => byWindow.get(nameOf(window))?.get(productId));
  });
}

async function readOffers(
  home: Home,
  productIds: readonly bigint[],
  window: HistoryWindow,
): Promise<Map<bigint, OfferPrices[] | Error>> {
  const { from, until, merchantId, condition, availability } = window;
  const isFiltered = condition !== null || availability !== null;
  if (!isFiltered && merchantId === null && (await home.hasShards())) {
    return readFromShards(home.database, productIds, window);
  }
  const { rows, failed } = await readInForm<{ productId: bigint; times: string; totals: string }>(
    { home, merchantId, name: isFiltered ? 'price_changes_filtered' : 'price_changes' },
    isFiltered ? CHANGES_FILTERED : CHANGES,
    productIds,
    [new Date(from), new Date(until), ...(isFiltered ? [condition, availability] : [])],
  );
  const byProduct = new Map<bigint, OfferPrices[]>(productIds.map((id) => [id, []]));
  for (const { productId, times, totals } of rows) byProduct.get(productId)?.push(parseOfferPrices(times, totals));
  return new Map<bigint, OfferPrices[] | Error>([...byProduct, ...failed]);
}

/** Reads each product with its own statement. Entries from before the time span fill no bucket, but count as read for the cache. */
async function readFromShards(
  database: Queryable,
  productIds: readonly bigint[],
  { until }: TimeSpan,
): Promise<Map<bigint, OfferPrices[] | Error>> {
  return readEach(productIds, async (productId) => {
    const rows = await database.query<{ times: string; totals: string }>(ALL_CHANGES, [productId, new Date(until)], {
      name: 'price_changes',
      batchSize: 1,
    });
    return rows.map(({ times, totals }) => parseOfferPrices(times, totals));
  });
}

// Of the connections of a process, the others serve other requests meanwhile.
const AT_ONCE = 4;

/** Reads products in parallel. The error of one, whose worker may be lost, fails no other. */
async function readEach<Value>(
  productIds: readonly bigint[],
  read: (productId: bigint) => Promise<Value>,
): Promise<Map<bigint, Value | Error>> {
  const results = new Map<bigint, Value | Error>();
  const waiting = [...productIds];
  const readOn = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const failed = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
      results.set(id, await read(id).catch(failed));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readOn));
  return results;
}

async function readLowest(
  home: Home,
  productIds: readonly bigint[],
  { merchantId, condition, availability }: HistoryFilter,
): Promise<Map<bigint, Lowest | Error>> {
  const { rows, failed } = await readInForm<Lowest & { productId: bigint }>(
    { home, merchantId, name: 'lowest_price' },
    LOWEST,
    productIds,
    [condition, availability],
  );
  return new Map<bigint, Lowest | Error>([...rows.map((row) => [row.productId, row] as const), ...failed]);
}

interface Home {
  database: Queryable;
  /** Whether the ledger is distributed, as known for a minute. */
  hasShards(): Promise<boolean>;
  /** Whether the engine has refused a statement for several products. */
  isDistributed: boolean;
}

/** The rows of the products that could be read, and the errors of the others. */
interface Found<Row> {
  rows: Row[];
  failed: [productId: bigint, error: Error][];
}

interface Reading {
  home: Home;
  merchantId: bigint | null;
  /** The name of the statement. */
  name: string;
}

/**
 * Reads products with one statement, or each with its own where the ledger is distributed: they go to their shards in parallel, and the loss
 * of one worker fails only the products on it. The form for one product serves every home, unless it is for one shop.
 */
async function readInForm<Row>(
  { home, merchantId, name }: Reading,
  statements: Record<Form, string>,
  productIds: readonly bigint[],
  parameters: readonly unknown[],
): Promise<Found<Row>> {
  const { database } = home;
  const isRouted = home.isDistributed || (productIds.length === 1 && merchantId === null);
  if (!isRouted) {
    try {
      const options = { name, batchSize: productIds.length };
      return {
        rows: await database.query<Row>(statements.joint, [productIds, merchantId, ...parameters], options),
        failed: [],
      };
    } catch (error) {
      // The ledger can become distributed at any time, and only the engine knows which statements it can plan.
      if (!needsOneShard(error) || !(await isDistributed(database))) throw error;
      home.isDistributed = true;
    }
  }
  const sql = statements[merchantId === null ? 'routed' : 'routedByShop'];
  const byProduct = await readEach(productIds, (id) =>
    database.query<Row>(sql, [id, merchantId, ...parameters], { name, batchSize: 1 }),
  );
  const found: Found<Row> = { rows: [], failed: [] };
  for (const [productId, rows] of byProduct) {
    if (rows instanceof Error) found.failed.push([productId, rows]);
    else found.rows.push(...rows);
  }
  return found;
}
