/** Reads the histories of products with few entries from a distributed ledger. */
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../database/database.ts';
import type { InTurn } from '../../database/in-turn.ts';
import { openShardReads } from '../../database/shard-reads.ts';
import { LONG_HISTORY, WHOLE, WHOLE_FILTERED, WHOLE_OF_MANY, WHOLE_OF_MANY_FILTERED } from './history-statements.ts';
import { type HistoryWindow, isFiltered, nameOfWindow } from './history-window.ts';
import { entriesIn, type OfferPrices, parseProduct } from './offer-prices.ts';

/** How many products are remembered as long. */
const MOST_LONG = 10_000;

/**
 * Opens a reader of all entries of a product until the end of a window, at all shops. Those from before its start fill no bucket. It returns
 * undefined for a product that is long ({@link LONG_HISTORY}), unless it has just found that out by reading it.
 */
export function openWholeHistories(
  database: Queryable,
  inTurn: InTurn,
): (productId: bigint, window: HistoryWindow) => Promise<OfferPrices[] | undefined> {
  const long = new LRUCache<bigint, true>({ max: MOST_LONG });
  const read = openShardReads<HistoryWindow, OfferPrices[]>(inTurn, nameWithoutStart, {
    async together(productIds, window) {
      const sql = isFiltered(window) ? WHOLE_OF_MANY_FILTERED : WHOLE_OF_MANY;
      const rows = await readWhole<{ productId: bigint } & Entries>(database, sql, productIds, window);
      const found = new Map<bigint, OfferPrices[]>();
      for (const { productId, entries } of rows) {
        if (entries) found.set(productId, parseProduct(entries));
        else long.set(productId, true);
      }
      return found;
    },
    async alone(productId, window) {
      const sql = isFiltered(window) ? WHOLE_FILTERED : WHOLE;
      const [row] = await readWhole<Entries>(database, sql, productId, window);
      const prices = row?.entries ? parseProduct(row.entries) : [];
      if (entriesIn(prices) > LONG_HISTORY) long.set(productId, true);
      return prices;
    },
  });
  return async (productId, window) => {
    const prices = long.has(productId) ? undefined : await read({ productId, window });
    return prices ?? (long.has(productId) ? undefined : []);
  };
}

interface Entries {
  entries: Uint8Array | null;
}

// The statements read all entries from before the end of a window, wherever it starts.
const nameWithoutStart = ({ from: _, ...window }: HistoryWindow) => nameOfWindow(window);

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
