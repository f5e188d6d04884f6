/** The loaders of price histories. */
import { batched } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import { type LedgerHome, ledgerHomeOf } from '../../database/ledger-home.ts';
import type { Availability, Condition } from '../../generated/prisma/client.ts';
import type { TimeSpan } from '../../values/time-span.ts';
import type { CatalogueVersion } from '../version.ts';
import type { Interval } from './buckets.ts';
import { CHANGES, CHANGES_FILTERED, LOWEST, type Statements } from './history-statements.ts';
import { keepLong } from './keep-long.ts';
import { type OfferPrices, parseOfferPrices } from './offer-prices.ts';
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
 * The points of histories over the same span and filter cost one statement, and so do their lowest prices. Where the ledger is distributed,
 * each product costs one.
 */
export function openPriceHistories(database: Queryable, version: CatalogueVersion) {
  const home: Home = { database, ...ledgerHomeOf(database) };
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
  const span = [new Date(from), new Date(until)];
  const isFiltered = condition !== null || availability !== null;
  const { rows, failed } = await readInForm<{ productId: bigint; times: string; totals: string }>(
    home,
    isFiltered
      ? { name: 'price_changes_filtered', statements: CHANGES_FILTERED, filters: [...span, condition, availability] }
      : { name: 'price_changes', statements: CHANGES, filters: span },
    productIds,
    merchantId,
  );
  const byProduct = new Map<bigint, OfferPrices[]>(productIds.map((id) => [id, []]));
  for (const { productId, times, totals } of rows) byProduct.get(productId)?.push(parseOfferPrices(times, totals));
  return new Map<bigint, OfferPrices[] | Error>([...byProduct, ...failed]);
}

async function readLowest(
  home: Home,
  productIds: readonly bigint[],
  { merchantId, condition, availability }: HistoryFilter,
): Promise<Map<bigint, Lowest | Error>> {
  const { rows, failed } = await readInForm<Lowest & { productId: bigint }>(
    home,
    { name: 'lowest_price', statements: LOWEST, filters: [condition, availability] },
    productIds,
    merchantId,
  );
  return new Map<bigint, Lowest | Error>([...rows.map((row) => [row.productId, row] as const), ...failed]);
}

interface Home extends LedgerHome {
  database: Queryable;
}

interface Reading {
  /** The name of the statement in logs and metrics. */
  name: string;
  statements: Statements;
  /** The parameters after the products and the shop. */
  filters: readonly unknown[];
}

/** The rows of the products that could be read, and the errors of the others. */
interface Found<Row> {
  rows: Row[];
  failed: [productId: bigint, error: Error][];
}

/** Reads products with one statement, or each with its own where the ledger is distributed. */
function readInForm<Row>(
  { database, read, readEach }: Home,
  { name, statements, filters }: Reading,
  productIds: readonly bigint[],
  merchantId: bigint | null,
): Promise<Found<Row>> {
  const joint = async (): Promise<Found<Row>> => {
    const options = { name, batchSize: productIds.length };
    return {
      rows: await database.query<Row>(statements.joint, [productIds, merchantId, ...filters], options),
      failed: [],
    };
  };
  const divided = async (): Promise<Found<Row>> => {
    const sql = statements[merchantId === null ? 'routed' : 'routedByShop'];
    const byProduct = await readEach(productIds, (id) =>
      database.query<Row>(sql, [id, merchantId, ...filters], { name, batchSize: 1 }),
    );
    const found: Found<Row> = { rows: [], failed: [] };
    for (const [productId, rows] of byProduct) {
      if (rows instanceof Error) found.failed.push([productId, rows]);
      else found.rows.push(...rows);
    }
    return found;
  };
  return read(joint, divided);
}
