/** The statement and the loader of announced reductions. */
import { batched } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import { ENTRIES_AS_TEXT, parseEntries } from '../../ledger/read-ledger.ts';
import { type Reduction, reductionOf } from '../../ledger/reduction.ts';
import type { ListedOffer } from './read-offers.ts';

/** A reduction with the price that the shop compares it with, in minor units. */
export type AnnouncedReduction = Reduction & { regularPrice: bigint };

/** The most entries of an offer that are read, the newest: two months of hourly changes. What was before is taken for unknown. */
const MOST_ENTRIES = 1_500;

// By the primary key of offer.
const REDUCED = `
  SELECT offer.id, offer.product_id AS "productId", offer.regular_price AS "regularPrice"
  FROM unnest($1::bigint[], $2::bigint[]) AS asked (id, product_id)
  JOIN offer ON offer.id = asked.id AND offer.product_id = asked.product_id
  WHERE offer.withdrawn_at IS NULL
    AND offer.regular_price IS NOT NULL
    AND (offer.sale_until IS NULL OR offer.sale_until >= now())`;

// By the primary key of ledger. A statement of its own, because the ledger may be on other machines than the offers.
const ENTRIES = `
  SELECT product_id AS "productId", offer_id AS id, ${ENTRIES_AS_TEXT} AS entries
  FROM (
    SELECT *, row_number() OVER (PARTITION BY product_id, offer_id ORDER BY observed_at DESC, import_run_id DESC) AS place
    FROM ledger
    WHERE product_id = ANY ($1::bigint[]) AND offer_id = ANY ($2::bigint[])
  ) AS entry
  WHERE place <= ${MOST_ENTRIES}
  GROUP BY product_id, offer_id`;

/** The reductions that shops announce now, by their offers. The ledger is read only for offers with one, which few have. */
export const reductionsByOffer = (database: Queryable) =>
  batched<Pick<ListedOffer, 'id' | 'productId'>, AnnouncedReduction | undefined>(async (offers) => {
    const reduced = await database.query<{ id: bigint; productId: bigint; regularPrice: bigint }>(
      REDUCED,
      [offers.map(({ id }) => id), offers.map(({ productId }) => productId)],
      { name: 'reduced_offers', batchSize: offers.length },
    );
    const entries = await readEntries(database, reduced);
    const byOffer = new Map<bigint, AnnouncedReduction>();
    for (const { id, regularPrice } of reduced) {
      const reduction = reductionOf(entries.get(id) ?? []);
      if (reduction) byOffer.set(id, { ...reduction, regularPrice });
    }
    return offers.map(({ id }) => byOffer.get(id));
  });

/** The entries of offers at their present products. */
async function readEntries(database: Queryable, offers: readonly { id: bigint; productId: bigint }[]) {
  if (offers.length === 0) return new Map<bigint, LedgerEntry[]>();
  const rows = await database.query<{ id: bigint; productId: bigint; entries: string }>(
    ENTRIES,
    [[...new Set(offers.map(({ productId }) => productId))], offers.map(({ id }) => id)],
    { name: 'reductions', batchSize: offers.length },
  );
  // An offer that moved from one of the products to another has entries at both.
  const productOf = new Map(offers.map(({ id, productId }) => [id, productId]));
  const present = rows.filter(({ id, productId }) => productOf.get(id) === productId);
  return new Map(present.map(({ id, entries }) => [id, parseEntries(entries).entries]));
}
