/** Records each import, successful or not. */
import type { Database } from '../database/database.ts';
import type { ImportSummary, StartedImport } from './import-request.ts';
import type { PlacedFeed } from './placed-feed.ts';

export async function recordRun(
  { transaction, merchantId, observedAt }: PlacedFeed,
  { mode, startedAt }: StartedImport,
  { read, new: added, changed, same, withdrawn, rejected }: ImportSummary,
): Promise<void> {
  await transaction.query(
    `INSERT INTO import_run (merchant_id, mode, observed_at, read, added, changed, same, withdrawn, rejected, started_at, finished_at)
     VALUES ($1, $2::text::import_mode, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp())`,
    [merchantId, mode, observedAt, read, added, changed, same, withdrawn, rejected, startedAt],
  );
  const setLast = 'UPDATE merchant SET observed_at = GREATEST(observed_at, $2::timestamptz) WHERE id = $1';
  await transaction.query(setLast, [merchantId, observedAt]);
}

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
