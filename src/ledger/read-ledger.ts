/** Reads the ledger of products. */
import { loadOne } from '../database/batch.ts';
import type { Queryable } from '../database/database.ts';
import { positionIn } from '../database/enumeration.ts';
import { AVAILABILITIES, CONDITIONS, countEntry, type LedgerEntry, type OfferEntries } from './entry.ts';

const milliseconds = (column: string) => `(date_part('epoch', ${column}) * 1000)::bigint`;

/** SQL for one text with all entries of a group of rows of the ledger; {@link parseEntries} parses it. */
export const ENTRIES_AS_TEXT = `array_agg(
             ARRAY[
               ${milliseconds('observed_at')}, total, price, shipping, regular_price,
               ${milliseconds('sale_from')}, ${milliseconds('sale_until')},
               ${positionIn(AVAILABILITIES, 'availability')},
               ${positionIn(CONDITIONS, 'condition')}, import_run_id
             ]
             ORDER BY observed_at, import_run_id
           )::text`;

// By the primary keys of ledger and offer. One text for each offer costs both sides much less than JSON or a row for each entry. The entries
// are read first, because they may be on other servers than the offers.
const ENTRIES = `
  SELECT "productId", "offerId", "merchantId", entries
  FROM (
    WITH history AS MATERIALIZED (
      SELECT product_id, offer_id,
             ${ENTRIES_AS_TEXT} AS entries
      FROM ledger
      WHERE product_id = ANY ($1::bigint[])
      GROUP BY product_id, offer_id
    )
    SELECT history.product_id AS "productId", history.offer_id AS "offerId", offer.merchant_id AS "merchantId", history.entries
    FROM history
    JOIN offer ON offer.id = history.offer_id
  ) AS offers
  ORDER BY "productId", "offerId"`;

// Citus plans statements on one table without subqueries once for each connection, and others for each execution.
const ENTRIES_OF_PRODUCT = `
  SELECT offer_id AS "offerId",
         ${ENTRIES_AS_TEXT} AS entries
  FROM ledger
  WHERE product_id = $1::bigint
  GROUP BY offer_id
  ORDER BY offer_id`;

// By the primary key of offer.
const MERCHANTS = `
  SELECT id AS "offerId", merchant_id AS "merchantId"
  FROM offer
  WHERE id = ANY ($1::bigint[])`;

/** Opens a reader of all entries of a product, with statements that suit a distributed ledger: one for its shard, and one for its shops. */
export function openShardLedgers(database: Queryable): (productId: bigint) => Promise<OfferEntries[]> {
  const merchants = loadOne<bigint, { offerId: bigint; merchantId: bigint }>(
    database,
    { name: 'ledger_merchants', sql: MERCHANTS },
    ({ offerId }) => offerId,
  );
  return async (productId) => {
    const histories = await database.query<{ offerId: bigint; entries: string }>(ENTRIES_OF_PRODUCT, [productId], {
      name: 'ledger_of_products',
      batchSize: 1,
    });
    const known = await Promise.all(histories.map(({ offerId }) => merchants.load(offerId)));
    return histories.flatMap(({ offerId, entries }, index) => {
      const merchantId = known[index]?.merchantId;
      return merchantId === undefined ? [] : [{ offerId, merchantId, ...parseEntries(entries) }];
    });
  };
}

/** The most entries of several products to have in memory at the same time: about 20 MB. One product may have more. */
export const MOST_ENTRIES_AT_ONCE = 100_000;

// From the primary key of ledger.
const LENGTHS = `
  SELECT product_id AS "productId", count(*)::int AS entries
  FROM ledger
  WHERE product_id = ANY ($1::bigint[])
  GROUP BY product_id`;

/** The numbers of entries of products. Products without entries are absent. */
export async function readLengths(database: Queryable, productIds: readonly bigint[]): Promise<Map<bigint, number>> {
  const rows = await database.query<{ productId: bigint; entries: number }>(LENGTHS, [productIds], {
    name: 'ledger_lengths',
    batchSize: productIds.length,
  });
  return new Map(rows.map(({ productId, entries }) => [productId, entries]));
}

/** Reads all entries of products, by product and in the order of the offers' numbers. Products without entries are absent. */
export async function readLedger(
  database: Queryable,
  productIds: readonly bigint[],
): Promise<Map<bigint, OfferEntries[]>> {
  const rows = await database.query<{ productId: bigint; offerId: bigint; merchantId: bigint; entries: string }>(
    ENTRIES,
    [productIds],
    { name: 'ledger_of_products', batchSize: productIds.length },
  );
  const byProduct = new Map<bigint, OfferEntries[]>();
  for (const { productId, offerId, merchantId, entries } of rows) {
    const offers = byProduct.get(productId) ?? [];
    if (offers.length === 0) byProduct.set(productId, offers);
    offers.push({ offerId, merchantId, ...parseEntries(entries) });
  }
  return byProduct;
}

/** Parses an array such as `{{1795305600000,999,999,NULL,NULL,NULL,NULL,0,0,7},…}`. */
export function parseEntries(text: string): Pick<OfferEntries, 'entries' | 'uncounted'> {
  const entries: LedgerEntry[] = [];
  const uncounted: LedgerEntry[] = [];
  for (const row of text.slice(2, -2).split('},{')) {
    const [at, total, price, shipping, regularPrice, saleFrom, saleUntil, availability, condition, importRunId] =
      row.split(',');
    const entry: LedgerEntry = {
      at: Number(at),
      total: amountOf(total),
      price: amountOf(price),
      shipping: amountOf(shipping),
      regularPrice: amountOf(regularPrice),
      saleFrom: numberOf(saleFrom),
      saleUntil: numberOf(saleUntil),
      availability: AVAILABILITIES[Number(availability)] ?? null,
      condition: CONDITIONS[Number(condition)] ?? null,
      importRunId: BigInt(importRunId ?? 0),
    };
    uncounted.push(...countEntry(entries, entry));
  }
  return uncounted.length > 0 ? { entries, uncounted } : { entries };
}

const amountOf = (text: string | undefined) => (text === undefined || text === 'NULL' ? null : BigInt(text));
const numberOf = (text: string | undefined) => (text === undefined || text === 'NULL' ? null : Number(text));
