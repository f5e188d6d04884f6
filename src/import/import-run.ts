/** Records each import, successful or not. */
import type { Database, Queryable } from '../database/database.ts';
import type { ImportSummary, StartedImport } from './import-request.ts';
import type { Moment } from './moment.ts';

/** Records a successful import, in its transaction. */
export async function recordRun(
  transaction: Queryable,
  { mode, observedAt, startedAt }: StartedImport,
  { merchantId }: Moment,
  summary: ImportSummary,
): Promise<void> {
  await transaction.query(
    `INSERT INTO import_run (merchant_id, mode, observed_at, read, added, changed, same, withdrawn, rejected, started_at, finished_at)
     VALUES ($1, $2::text::import_mode, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp())`,
    [
      merchantId,
      mode,
      observedAt,
      summary.read,
      summary.new,
      summary.changed,
      summary.same,
      summary.withdrawn,
      summary.rejected,
      startedAt,
    ],
  );
  await transaction.query('UPDATE merchant SET observed_at = GREATEST(observed_at, $2::timestamptz) WHERE id = $1', [
    merchantId,
    observedAt,
  ]);
}

/** Why an import failed, for metrics. */
export type FailureReason = 'refused' | 'broken' | 'failed';

/** Records a failed import for metrics. It never fails itself, because the operator must see the import's own error. */
export async function recordFailure(
  database: Database,
  { merchant, mode, startedAt }: StartedImport,
  reason: FailureReason,
): Promise<void> {
  await database
    .query(
      'INSERT INTO import_failure (merchant, mode, reason, started_at) VALUES ($1::text, $2::text::import_mode, $3::text, $4::timestamptz)',
      [merchant, mode, reason, startedAt],
    )
    .catch(() => {});
}
