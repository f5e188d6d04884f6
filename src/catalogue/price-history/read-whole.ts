/** Reads the histories of products with few entries from a distributed ledger. */
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../database/database.ts';
import type { InTurn } from '../../database/in-turn.ts';
import { openShardReads } from '../../database/shard-reads.ts';
import { WHOLE, WHOLE_FILTERED, WHOLE_OF_MANY, WHOLE_OF_MANY_FILTERED } from './history-statements.ts';
import { type HistoryWindow, isFiltered, nameOfWindow } from './history-window.ts';
import { entriesIn, type OfferPrices, parseProduct } from './offer-prices.ts';

// Above this, the entries from before the time span cost more than planning a statement that leaves them out.
const LONG_HISTORY = 2_000;
/** How many products are remembered as long. */
const MOST_LONG = 10_000;

/**
 * Opens a reader of all entries of a product until the end of a window, at all shops. Those from before its start fill no bucket. It returns
 * undefined for a product that is known to have very many.
 */
export function openWholeHistories(
  database: Queryable,
  inTurn: InTurn,
): (productId: bigint, window: HistoryWindow) => Promise<OfferPrices[] | undefined> {
  const long = new LRUCache<bigint, true>({ max: MOST_LONG });
  const parse = (productId: bigint, entries: Uint8Array | null) => {
    const prices = entries ? parseProduct(entries) : [];
    if (entriesIn(prices) > LONG_HISTORY) long.set(productId, true);
    return prices;
  };
  const read = openShardReads<HistoryWindow, OfferPrices[]>(inTurn, nameOfWindow, {
    async together(productIds, window) {
      const sql = isFiltered(window) ? WHOLE_OF_MANY_FILTERED : WHOLE_OF_MANY;
      const rows = await readWhole<{ productId: bigint; entries: Uint8Array }>(database, sql, productIds, window);
      return new Map(rows.map(({ productId, entries }) => [productId, parse(productId, entries)]));
    },
    async alone(productId, window) {
      const sql = isFiltered(window) ? WHOLE_FILTERED : WHOLE;
      const [row] = await readWhole<{ entries: Uint8Array | null }>(database, sql, productId, window);
      return parse(productId, row?.entries ?? null);
    },
  });
  return async (productId, window) => (long.has(productId) ? undefined : ((await read({ productId, window })) ?? []));
}

function readWhole<Row>(
  database: Queryable,
  sql: string,
  products: bigint | readonly bigint[],
  window: HistoryWindow,
): Promise<Row[]> {
  const { until, condition, availability } = window;
  const filters = isFiltered(window) ? [condition, availability] : [];
  return database.query<Row>(sql, [products, new Date(until), ...filters], {
    name: isFiltered(window) ? 'price_changes_filtered' : 'price_changes',
    batchSize: typeof products === 'bigint' ? 1 : products.length,
  });
}
