/** The statement and the loader of announced reductions. */
import { batched } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import { ledgerHomeOf } from '../../database/ledger-home.ts';
import { ENTRIES_AS_TEXT, parseEntries } from '../../ledger/read-ledger.ts';
import { type Reduction, reductionOf } from '../../ledger/reduction.ts';
import type { ListedOffer } from './read-offers.ts';

/** A reduction with the price that the shop compares it with, in minor units. */
export type AnnouncedReduction = Reduction & { regularPrice: bigint };

/** The most entries of an offer that are read, the newest: two months of hourly changes. What was before is taken for unknown. */
const MOST_ENTRIES = 1_500;

const IS_ANNOUNCED = `offer.withdrawn_at IS NULL
    AND offer.regular_price IS NOT NULL
    AND (offer.sale_until IS NULL OR offer.sale_until >= now())`;

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
  WHERE ${IS_ANNOUNCED}
    AND history.entries IS NOT NULL`;

// The same for a distributed ledger, in two statements: a worker has no offers. By the primary key of offer.
const REDUCED = `
  SELECT offer.id, offer.product_id AS "productId", offer.regular_price AS "regularPrice"
  FROM unnest($1::bigint[], $2::bigint[]) AS asked (id, product_id)
  JOIN offer ON offer.id = asked.id AND offer.product_id = asked.product_id
  WHERE ${IS_ANNOUNCED}`;

// By the primary key of ledger. The second condition on the products tells their shards.
const ENTRIES_OF_REDUCED = `
  SELECT offer_id AS id, ${ENTRIES_AS_TEXT} AS entries
  FROM (
    SELECT ledger.*,
           row_number() OVER (
             PARTITION BY ledger.product_id, ledger.offer_id
             ORDER BY ledger.observed_at DESC, ledger.import_run_id DESC
           ) AS place
    FROM unnest($1::bigint[], $2::bigint[]) AS asked (offer_id, product_id)
    JOIN ledger ON ledger.product_id = asked.product_id AND ledger.offer_id = asked.offer_id
    WHERE ledger.product_id = ANY ($2::bigint[])
  ) AS entry
  WHERE place <= ${MOST_ENTRIES}
  GROUP BY product_id, offer_id`;

/** The reductions that shops announce now, by their offers. */
export function reductionsByOffer(database: Queryable) {
  const { read } = ledgerHomeOf(database);
  const announced = (offers: readonly Asked[]) =>
    read(
      () => readJoint(database, offers),
      () => readDivided(database, offers),
    );
  return batched<Asked, AnnouncedReduction | undefined>(async (offers) => {
    const byOffer = new Map<bigint, AnnouncedReduction>();
    for (const { id, regularPrice, entries } of await announced(offers)) {
      const reduction = reductionOf(parseEntries(entries).entries);
      if (reduction) byOffer.set(id, { ...reduction, regularPrice });
    }
    return offers.map(({ id }) => byOffer.get(id));
  });
}

type Asked = Pick<ListedOffer, 'id' | 'productId'>;

interface AnnouncedRow {
  id: bigint;
  regularPrice: bigint;
  entries: string;
}

const asParameters = (offers: readonly Asked[]) => [
  offers.map(({ id }) => id),
  offers.map(({ productId }) => productId),
];

function readJoint(database: Queryable, offers: readonly Asked[]): Promise<AnnouncedRow[]> {
  return database.query(REDUCTIONS, asParameters(offers), { name: 'reductions', batchSize: offers.length });
}

async function readDivided(database: Queryable, offers: readonly Asked[]): Promise<AnnouncedRow[]> {
  const reduced = await database.query<Asked & { regularPrice: bigint }>(REDUCED, asParameters(offers), {
    name: 'reduced_offers',
    batchSize: offers.length,
  });
  if (reduced.length === 0) return [];
  const rows = await database.query<{ id: bigint; entries: string }>(ENTRIES_OF_REDUCED, asParameters(reduced), {
    name: 'reductions',
    batchSize: reduced.length,
  });
  const entriesOf = new Map(rows.map(({ id, entries }) => [id, entries]));
  return reduced.flatMap(({ id, regularPrice }) => {
    const entries = entriesOf.get(id);
    return entries === undefined ? [] : [{ id, regularPrice, entries }];
  });
}
