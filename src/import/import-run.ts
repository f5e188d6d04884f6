/** Records each import, successful or not. */
import type { Database, Queryable } from '../database/database.ts';
import type { ImportSummary, StartedImport } from './import-request.ts';
import type { PlacedFeed } from './placed-feed.ts';
import { soleValue } from './sole-value.ts';

/** A feed that is written, with the number of its run, under which the ledger records its entries. */
export interface NumberedFeed extends PlacedFeed {
  runId: bigint;
}

/** A number for the next changes of the ledger. Taken under the lock of writers, so that numbers follow the order of commits. */
export async function nextRunId(transaction: Queryable): Promise<bigint> {
  return soleValue(transaction, "SELECT nextval('import_run_id_seq') AS id");
}

export async function recordRun(
  { transaction, ...run }: NumberedFeed,
  request: Pick<StartedImport, 'mode' | 'startedAt'>,
  summary: ImportSummary,
): Promise<void> {
  await insertRun(transaction, run, request, summary);
  await setObserved(transaction, run);
  await forgetContent(transaction, run.merchantId);
}

type Run = Pick<NumberedFeed, 'merchantId' | 'runId' | 'isFull' | 'observedAt'>;

/** Adds the row of an import. */
export async function insertRun(
  transaction: Queryable,
  { merchantId, runId, observedAt }: Pick<Run, 'merchantId' | 'runId' | 'observedAt'>,
  { mode, startedAt }: Pick<StartedImport, 'mode' | 'startedAt'>,
  { read, new: added, changed, same, withdrawn, rejected }: ImportSummary,
): Promise<void> {
  await transaction.query(
    `INSERT INTO import_run (
       id, merchant_id, mode, observed_at, read, added, changed, same, withdrawn, rejected, started_at, finished_at
     )
     VALUES ($1, $2, $3::text::import_mode, $4, $5, $6, $7, $8, $9, $10, $11, clock_timestamp())`,
    [runId, merchantId, mode, observedAt, read, added, changed, same, withdrawn, rejected, startedAt],
  );
}

/** Records when the shop was seen. */
export async function setObserved(
  transaction: Queryable,
  { merchantId, observedAt, isFull }: Pick<Run, 'merchantId' | 'observedAt' | 'isFull'>,
): Promise<void> {
  await transaction.query(SET_OBSERVED, [merchantId, observedAt, isFull]);
}

/**
 * Makes scheduled feeds import their content again, even if it is unchanged: those of a shop, and of the shops of offers in `moved`, whose
 * offers are no longer as those feeds left them. Call it late: the rows stay locked.
 */
export async function forgetContent(transaction: Queryable, merchantId?: bigint): Promise<void> {
  await transaction.query(FORGET_CONTENT, [merchantId ?? null]);
}

/** The same for all scheduled feeds. */
export async function forgetAllContent(transaction: Queryable): Promise<void> {
  await transaction.query(`${FORGET} WHERE content_digest IS NOT NULL`);
}

const FORGET = `
  UPDATE feed
  SET content_digest = NULL, etag = NULL, last_modified = NULL, content_import_id = NULL`;

// By feed_merchant_idx.
const FORGET_CONTENT = `
  ${FORGET}
  WHERE merchant_id IN (
    SELECT $1::bigint
    UNION ALL
    SELECT offer.merchant_id FROM moved JOIN offer ON offer.id = moved.offer_id
  )`;

const SET_OBSERVED = `
  UPDATE merchant
  SET observed_at = GREATEST(observed_at, $2::timestamptz),
      full_observed_at = CASE WHEN $3::boolean THEN GREATEST(full_observed_at, $2::timestamptz) ELSE full_observed_at END
  WHERE id = $1`;

/** Records a failed import for metrics. It never fails itself, because the operator must see the import's own error. */
export async function recordFailure(
  database: Database,
  { merchant, mode, startedAt }: StartedImport,
  reason: 'refused' | 'broken' | 'failed',
): Promise<void> {
  const add = `
    INSERT INTO import_failure (merchant, mode, reason, started_at)
    VALUES ($1::text, $2::text::import_mode, $3::text, $4::timestamptz)`;
  await database.query(add, [merchant, mode, reason, startedAt]).catch(() => {});
}
