/** Reads the histories of products with few entries from a distributed ledger. */
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../database/database.ts';
import type { InTurn } from '../../database/in-turn.ts';
import { openShardReads } from '../../database/shard-reads.ts';
import type { HistoryFilter } from './history-window.ts';
import type { OfferPrices } from './offer-prices.ts';
import { PACKED_ENTRIES, type PackedEntry, parseEntries, pricesOf } from './packed-entries.ts';

// Above this, the entries outside of the time span cost more than planning a statement that leaves them out.
const LONG_HISTORY = 2_000;
/** How many products are remembered as long. */
const MOST_LONG = 10_000;

// Citus plans a statement on one table without subqueries once for each connection, and any other for each execution. The worker plans
// each execution, so these statements are as simple as possible. The service sorts the entries, and applies the time span and the filters.

/** All entries of a product. */
const WHOLE = `
  SELECT ${PACKED_ENTRIES} AS entries
  FROM ledger
  WHERE product_id = $1::bigint`;

/** All entries of each of several products, and null for those with very many. Goes to each shard that has one of the products. */
const WHOLE_OF_MANY = `
  SELECT product_id AS "productId", CASE WHEN count(*) <= ${LONG_HISTORY} THEN ${PACKED_ENTRIES} END AS entries
  FROM ledger
  WHERE product_id = ANY ($1::bigint[])
  GROUP BY product_id`;

/**
 * Opens a reader of the prices of a product at all shops and at all times. Those outside of a time span fill no bucket. It returns undefined for
 * a product with more than {@link LONG_HISTORY} entries, unless it has just found that out by reading it.
 */
export function openWholeHistories(
  database: Queryable,
  inTurn: InTurn,
): (productId: bigint, filter: HistoryFilter) => Promise<OfferPrices[] | undefined> {
  const long = new LRUCache<bigint, true>({ max: MOST_LONG });
  const read = openShardReads<PackedEntry[]>(inTurn, {
    async together(productIds) {
      const rows = await database.query<{ productId: bigint } & Row>(WHOLE_OF_MANY, [productIds], {
        name: 'whole_histories',
        batchSize: productIds.length,
      });
      const found = new Map<bigint, PackedEntry[]>();
      for (const { productId, entries } of rows) {
        if (entries) found.set(productId, parseEntries(entries));
        else long.set(productId, true);
      }
      return found;
    },
    async alone(productId) {
      const [row] = await database.query<Row>(WHOLE, [productId], { name: 'whole_histories', batchSize: 1 });
      const entries = row?.entries ? parseEntries(row.entries) : [];
      if (entries.length > LONG_HISTORY) long.set(productId, true);
      return entries;
    },
  });
  return async (productId, filter) => {
    const entries = long.has(productId) ? undefined : await read(productId);
    if (!entries && long.has(productId)) return undefined;
    return pricesOf(entries ?? [], filter);
  };
}

interface Row {
  entries: Uint8Array | null;
}
