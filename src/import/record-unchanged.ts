/**
 * Records that a shop's feed still has the content of its last import. The result is that of importing it again: the shop, and the offers
 * that the feed lists, were seen at that time. It takes no matching, because nothing else can have changed.
 */
import { TAG, type Tag, tagOf } from '../catalogue/tags.ts';
import type { Database, Queryable } from '../database/database.ts';
import { named } from '../database/observed.ts';
import { raiseVersion } from './figures.ts';
import type { ImportSummary } from './import-request.ts';
import { insertRun, nextRunId, setObserved } from './import-run.ts';
import { MOST_PRODUCTS, recordTags } from './invalidation.ts';
import { recordChanges } from './stream.ts';
import { writeAlone } from './write-lock.ts';

/** The import whose content is unchanged. */
interface LastImport {
  merchant_id: bigint;
  mode: 'full' | 'delta';
  observed_at: Date;
  read: number;
  added: number;
  changed: number;
  same: number;
  rejected: number;
}

export interface UnchangedFeed {
  /** The number of the import that last recorded the content. No other import of the shop may have followed. */
  lastRunId: bigint;
  observedAt: Date;
  startedAt: Date;
  /** Called in the transaction, as its last step. If it throws, nothing is recorded. */
  onRecorded: (transaction: Queryable, runId: bigint) => Promise<void>;
}

/** Records an import without any change. @returns its summary. */
export async function recordUnchanged(database: Database, feed: UnchangedFeed): Promise<ImportSummary> {
  const sighting = named(database, 'import_sighting');
  const [last] = await sighting.query<LastImport>(LAST, [feed.lastRunId]);
  if (!last) throw new Error(`Import ${feed.lastRunId} is not recorded.`);
  const isFull = last.mode === 'full';
  const products = isFull ? [] : await seeOffers(sighting, last, feed.observedAt);
  const { read, rejected } = last;
  const same = read - rejected;
  const offers = { read, new: 0, changed: 0, same, withdrawn: 0 };
  const summary: ImportSummary = { ...offers, rejected, reasons: {}, rejectsNotWritten: 0 };

  await writeAlone(database, false, async (transaction) => {
    const runId = await nextRunId(transaction);
    const run = { runId, merchantId: last.merchant_id, isFull, observedAt: feed.observedAt };
    await insertRun(transaction, run, { mode: last.mode, startedAt: feed.startedAt }, summary);
    await setObserved(transaction, run);
    const version = await raiseVersion(transaction);
    await recordChanges(transaction, { observedAt: feed.observedAt, merchantId: last.merchant_id });
    await recordTags(transaction, version, tagsOf(last.merchant_id, isFull, products));
    await feed.onRecorded(transaction, runId);
  });
  return summary;
}

// As import/invalidation.ts does for a feed without changes.
function tagsOf(merchantId: bigint, isFull: boolean, products: readonly bigint[]): Tag[] {
  const isWhole = isFull || products.length > MOST_PRODUCTS;
  return [
    ...(isWhole
      ? [tagOf('seenWhole', merchantId), TAG.allSeenWhole]
      : products.map((product) => tagOf('sighted', product))),
    tagOf('merchantRow', merchantId),
    TAG.merchants,
  ];
}

// A step takes some milliseconds, so that nothing waits long for the rows that it locks.
const OFFERS_A_STEP = 2_000;

/** Marks the offers that a delta feed lists as seen, in steps that may be repeated. @returns their products, or a few too many. */
async function seeOffers(database: Queryable, last: LastImport, observedAt: Date): Promise<bigint[]> {
  const products = new Set<bigint>();
  for (let after = 0n; ; ) {
    const rows: { id: bigint; product_id: bigint }[] = await database.query(SEE, [
      last.merchant_id,
      last.observed_at,
      observedAt,
      after,
      OFFERS_A_STEP,
    ]);
    for (const { product_id: product } of rows) if (products.size <= MOST_PRODUCTS) products.add(product);
    if (rows.length < OFFERS_A_STEP) return [...products];
    after = rows.reduce((highest, { id }) => (id > highest ? id : highest), after);
  }
}

const LAST = `
  SELECT merchant_id, mode::text AS mode, observed_at, read, added, changed, same, rejected
  FROM import_run
  WHERE id = $1`;

// The last import wrote its time to all offers that it listed: as that of their change, or as that of their sighting. By the unique index on
// offer (merchant_id, sku) and the primary key of offer_seen.
const SEE = `
  WITH listed AS MATERIALIZED (
    SELECT offer.id, offer.product_id
    FROM offer
    LEFT JOIN offer_seen AS seen ON seen.offer_id = offer.id
    WHERE offer.merchant_id = $1
      AND offer.id > $4::bigint
      AND offer.withdrawn_at IS NULL
      AND (offer.updated_at = $2::timestamptz OR seen.seen_at >= $2::timestamptz)
    ORDER BY offer.id
    LIMIT $5::int
  ), seen AS (
    INSERT INTO offer_seen (offer_id, seen_at)
    SELECT id, $3::timestamptz FROM listed ORDER BY id
    ON CONFLICT (offer_id) DO UPDATE SET seen_at = GREATEST(offer_seen.seen_at, excluded.seen_at)
  )
  SELECT id, product_id FROM listed`;
