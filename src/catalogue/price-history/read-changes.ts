/** The loaders of price histories. */
import { batched } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import { ledgerHomeOf } from '../../database/ledger-home.ts';
import type { CatalogueVersion } from '../version.ts';
import type { Interval } from './buckets.ts';
import { CHANGES, CHANGES_FILTERED, LOWEST, type Statements } from './history-statements.ts';
import { type HistoryFilter, type HistoryWindow, isFiltered, nameOfWindow } from './history-window.ts';
import { keepLong } from './keep-long.ts';
import { entriesIn, type OfferPrices, parseOfferPrices } from './offer-prices.ts';
import { bucketPrices, type PriceBucket } from './price-buckets.ts';
import { openWholeHistories } from './read-whole.ts';

export interface Lowest {
  total: bigint;
  at: Date;
}

/**
 * Combines concurrent reads of histories over the same span and filter, and those of lowest prices. Where the ledger is distributed, it combines
 * only those of histories at all shops (read-whole.ts).
 */
export function openPriceHistories(database: Queryable, version: CatalogueVersion) {
  const home = ledgerHomeOf(database);
  const offers = batchedByWindow((ids, window: HistoryWindow) => readOffers(database, ids, window));
  const lowest = batchedByWindow((ids, filter: HistoryFilter) => readLowest(database, ids, filter));
  const whole = openWholeHistories(database, home.inTurn);
  const offersOf = (productId: bigint, window: HistoryWindow) =>
    home.read(
      async () => (await offers.load({ productId, window })) ?? [],
      async () =>
        (window.merchantId === null ? await whole(productId, window) : undefined) ??
        home.inTurn(() => readRoutedOffers(database, productId, window)),
    );
  const lowestOf = (productId: bigint, filter: HistoryFilter) =>
    home.read(
      () => lowest.load({ productId, window: filter }),
      () => home.inTurn(() => readLowestOfShard(database, productId, filter)),
    );
  const kept = keepLong<PriceBucket[]>(version);
  const keptLowest = keepLong<{ lowest: Lowest | undefined }>(version);
  return {
    /** The points of a history, without empty ones. */
    points: (productId: bigint, window: HistoryWindow, interval: Interval): Promise<PriceBucket[]> =>
      kept(productId, `${interval} ${nameOfWindow(window)}`, async () => {
        const prices = await offersOf(productId, window);
        const points = bucketPrices(prices, window, interval);
        return { value: points, entries: entriesIn(prices), size: points.length };
      }),
    /** The lowest price ever recorded that matches a filter. It is found among all entries, so it is always cached. */
    lowest: async (productId: bigint, filter: HistoryFilter): Promise<Lowest | undefined> => {
      const found = await keptLowest(productId, nameOfWindow(filter), async () => ({
        value: { lowest: await lowestOf(productId, filter) },
        entries: Number.POSITIVE_INFINITY,
        size: 1,
      }));
      return found.lowest;
    },
  };
}

/** A loader of values by product that reads those of one window together. */
function batchedByWindow<Window extends HistoryFilter, Value>(
  read: (productIds: readonly bigint[], window: Window) => Promise<Map<bigint, Value>>,
) {
  return batched<{ productId: bigint; window: Window }, Value | undefined>(async (keys) => {
    const groups = new Map<string, { window: Window; productIds: Set<bigint> }>();
    for (const { productId, window } of keys) {
      const name = nameOfWindow(window);
      const group = groups.get(name) ?? { window, productIds: new Set() };
      if (group.productIds.size === 0) groups.set(name, group);
      group.productIds.add(productId);
    }
    const reading = [...groups].map(
      async ([name, { window, productIds }]) => [name, await read([...productIds], window)] as const,
    );
    const byWindow = new Map(await Promise.all(reading));
    return keys.map(({ productId, window }) => byWindow.get(nameOfWindow(window))?.get(productId));
  });
}

/** A statement with its name in logs and metrics, and its parameters after the products and the shop. */
interface Reading {
  name: string;
  statements: Statements;
  filters: readonly unknown[];
}

function changesIn(window: HistoryWindow): Reading {
  const span = [new Date(window.from), new Date(window.until)];
  return isFiltered(window)
    ? {
        name: 'price_changes_filtered',
        statements: CHANGES_FILTERED,
        filters: [...span, window.condition, window.availability],
      }
    : { name: 'price_changes', statements: CHANGES, filters: span };
}

const lowestIn = ({ condition, availability }: HistoryFilter): Reading => ({
  name: 'lowest_price',
  statements: LOWEST,
  filters: [condition, availability],
});

interface PackedRow {
  productId: bigint;
  times: string;
  totals: string;
}
type LowestRow = Lowest & { productId: bigint };

async function readOffers(
  database: Queryable,
  productIds: readonly bigint[],
  window: HistoryWindow,
): Promise<Map<bigint, OfferPrices[]>> {
  const rows = await readJoint<PackedRow>(database, changesIn(window), productIds, window);
  const byProduct = new Map<bigint, OfferPrices[]>(productIds.map((id) => [id, []]));
  for (const { productId, times, totals } of rows) byProduct.get(productId)?.push(parseOfferPrices(times, totals));
  return byProduct;
}

async function readLowest(
  database: Queryable,
  productIds: readonly bigint[],
  filter: HistoryFilter,
): Promise<Map<bigint, Lowest>> {
  const rows = await readJoint<LowestRow>(database, lowestIn(filter), productIds, filter);
  return new Map(rows.map((row) => [row.productId, row]));
}

function readJoint<Row>(
  database: Queryable,
  { name, statements, filters }: Reading,
  productIds: readonly bigint[],
  { merchantId }: HistoryFilter,
): Promise<Row[]> {
  const options = { name, batchSize: productIds.length };
  return database.query<Row>(statements.joint, [productIds, merchantId, ...filters], options);
}

async function readRoutedOffers(database: Queryable, productId: bigint, window: HistoryWindow): Promise<OfferPrices[]> {
  const rows = await readRouted<PackedRow>(database, changesIn(window), productId, window);
  return rows.map(({ times, totals }) => parseOfferPrices(times, totals));
}

async function readLowestOfShard(
  database: Queryable,
  productId: bigint,
  filter: HistoryFilter,
): Promise<Lowest | undefined> {
  const [row] = await readRouted<LowestRow>(database, lowestIn(filter), productId, filter);
  return row;
}

function readRouted<Row>(
  database: Queryable,
  { name, statements, filters }: Reading,
  productId: bigint,
  { merchantId }: HistoryFilter,
): Promise<Row[]> {
  const sql = statements[merchantId === null ? 'routed' : 'routedByShop'];
  return database.query<Row>(sql, [productId, merchantId, ...filters], { name, batchSize: 1 });
}
