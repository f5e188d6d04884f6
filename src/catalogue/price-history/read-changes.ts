/** The named statements and loaders of price histories. */
import { batched } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import type { PriceChangeAt, TimeSpan } from './price-buckets.ts';

/** The product, the time span, and optionally the only merchant of a history. */
interface HistoryKey extends TimeSpan {
  productId: bigint;
  merchantId: bigint | null;
}

export interface Lowest {
  total: bigint;
  at: Date;
}

// By the primary key of ledger, skipping from offer to offer. For each offer, it reads the price valid at the start and the
// later changes, as one JSON value. Earlier changes are not read, however many they are.
const CHANGES = `
  WITH RECURSIVE listed (product_id, offer_id) AS (
    SELECT asked.product_id,
           (SELECT min(offer_id) FROM ledger WHERE ledger.product_id = asked.product_id)
    FROM unnest($1::bigint[]) AS asked (product_id)
    UNION ALL
    SELECT product_id,
           (
             SELECT min(offer_id)
             FROM ledger
             WHERE ledger.product_id = listed.product_id AND ledger.offer_id > listed.offer_id
           )
    FROM listed
    WHERE offer_id IS NOT NULL
  )
  SELECT listed.product_id AS "productId", listed.offer_id AS "offerId", history.changes
  FROM listed
  CROSS JOIN LATERAL (
    SELECT json_agg(
             json_build_array((date_part('epoch', observed_at) * 1000)::bigint, total) ORDER BY observed_at
           ) AS changes
    FROM (
      (
        SELECT observed_at, total
        FROM ledger
        WHERE ledger.product_id = listed.product_id
          AND ledger.offer_id = listed.offer_id
          AND observed_at <= $2::timestamptz
        ORDER BY observed_at DESC
        LIMIT 1
      )
      UNION ALL
      SELECT observed_at, total
      FROM ledger
      WHERE ledger.product_id = listed.product_id
        AND ledger.offer_id = listed.offer_id
        AND observed_at > $2::timestamptz
        AND observed_at < $3::timestamptz
    ) AS change
  ) AS history
  WHERE listed.offer_id IS NOT NULL
    AND history.changes IS NOT NULL
    AND ($4::bigint IS NULL OR EXISTS (SELECT FROM offer WHERE offer.id = listed.offer_id AND offer.merchant_id = $4::bigint))
  ORDER BY listed.product_id, listed.offer_id`;

// By the primary keys of ledger and offer.
const LOWEST_AT_MERCHANT = `
  SELECT DISTINCT ON (asked.product_id, asked.merchant_id)
         asked.product_id AS "productId", asked.merchant_id AS "merchantId", ledger.total, ledger.observed_at AS at
  FROM unnest($1::bigint[], $2::bigint[]) AS asked (product_id, merchant_id)
  JOIN ledger ON ledger.product_id = asked.product_id
  JOIN offer ON offer.id = ledger.offer_id AND offer.merchant_id = asked.merchant_id
  WHERE ledger.total IS NOT NULL
  ORDER BY asked.product_id, asked.merchant_id, ledger.total, ledger.observed_at`;

/** Opens the loaders of histories: one statement for all products over the same time span. */
export const openPriceHistories = (database: Queryable) => ({
  changes: batched<HistoryKey, PriceChangeAt[]>(async (keys) => {
    const windows = new Map<string, HistoryKey[]>();
    for (const key of keys) windows.set(windowOf(key), [...(windows.get(windowOf(key)) ?? []), key]);
    const groups = [...windows].map(async ([window, group]) => [window, await readWindow(database, group)] as const);
    const read = new Map(await Promise.all(groups));
    return keys.map((key) => read.get(windowOf(key))?.get(key.productId) ?? []);
  }),
  lowestAtMerchant: batched<OfferKey, Lowest | undefined>(async (keys) => {
    const rows = await database.query<Lowest & OfferKey>(
      LOWEST_AT_MERCHANT,
      [keys.map((key) => key.productId), keys.map((key) => key.merchantId)],
      { name: 'lowest_at_merchant' },
    );
    const byKey = new Map(rows.map((row) => [`${row.productId} ${row.merchantId}`, row]));
    return keys.map((key) => byKey.get(`${key.productId} ${key.merchantId}`));
  }),
});

interface OfferKey {
  productId: bigint;
  merchantId: bigint;
}

const windowOf = ({ from, until, merchantId }: HistoryKey) => `${from} ${until} ${merchantId}`;

/** The changes of products in one time span and at one merchant or all. */
async function readWindow(database: Queryable, keys: readonly HistoryKey[]): Promise<Map<bigint, PriceChangeAt[]>> {
  const byProduct = new Map<bigint, PriceChangeAt[]>(keys.map((key) => [key.productId, []]));
  const [first] = keys;
  if (!first) return byProduct;
  const { from, until, merchantId } = first;
  const rows = await database.query<{ productId: bigint; offerId: bigint; changes: [number, number | null][] }>(
    CHANGES,
    [[...byProduct.keys()], new Date(from), new Date(until), merchantId],
    { name: 'ledgers' },
  );
  for (const { productId, offerId, changes } of rows) {
    const known = byProduct.get(productId);
    for (const [at, total] of changes) known?.push({ offerId, at, total: total === null ? null : BigInt(total) });
  }
  return byProduct;
}
