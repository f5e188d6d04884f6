/** The statement and the loader of announced reductions. */
import { batched } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import { ENTRIES_AS_TEXT, parseEntries } from '../../ledger/read-ledger.ts';
import { type Reduction, reductionOf } from '../../ledger/reduction.ts';
import type { ListedOffer } from './read-offers.ts';

/** A reduction with the price that the shop compares it with, in minor units. */
export type AnnouncedReduction = Reduction & { regularPrice: bigint };

/** The most entries of an offer that are read, the newest: two months of hourly changes. What was before is taken for unknown. */
const MOST_ENTRIES = 1_500;

// By the primary keys of offer and ledger. The ledger is read only for offers with an announced reduction, which few have.
const REDUCTIONS = `
  SELECT offer.id, offer.regular_price AS "regularPrice", history.entries
  FROM unnest($1::bigint[], $2::bigint[]) AS asked (id, product_id)
  JOIN offer ON offer.id = asked.id AND offer.product_id = asked.product_id
  CROSS JOIN LATERAL (
    SELECT ${ENTRIES_AS_TEXT} AS entries
    FROM (
      SELECT *
      FROM ledger
      WHERE ledger.product_id = offer.product_id AND ledger.offer_id = offer.id
      ORDER BY observed_at DESC, import_run_id DESC
      LIMIT ${MOST_ENTRIES}
    ) AS entry
  ) AS history
  WHERE offer.withdrawn_at IS NULL
    AND offer.regular_price IS NOT NULL
    AND (offer.sale_until IS NULL OR offer.sale_until >= now())
    AND history.entries IS NOT NULL`;

/** The reductions that shops announce now, by their offers. */
export const reductionsByOffer = (database: Queryable) =>
  batched<Pick<ListedOffer, 'id' | 'productId'>, AnnouncedReduction | undefined>(async (offers) => {
    const rows = await database.query<{ id: bigint; regularPrice: bigint; entries: string }>(
      REDUCTIONS,
      [offers.map(({ id }) => id), offers.map(({ productId }) => productId)],
      { name: 'reductions', batchSize: offers.length },
    );
    const byOffer = new Map<bigint, AnnouncedReduction>();
    for (const { id, regularPrice, entries } of rows) {
      const reduction = reductionOf(parseEntries(entries).entries);
      if (reduction) byOffer.set(id, { ...reduction, regularPrice });
    }
    return offers.map(({ id }) => byOffer.get(id));
  });
