/**
 * Records how a run ended and when the feed is due next. Every statement requires that the run still has the feed. The outcome of a
 * successful run is recorded in the transaction of its import, so that either both take effect or neither.
 */
import type { Database, Queryable } from '../database/database.ts';
import type { FeedOutcome } from '../generated/prisma/enums.ts';
import { backoffMs } from './backoff.ts';
import { type ClaimedFeed, RunLost } from './claim.ts';

/** A successful run. */
export interface Success {
  outcome: 'imported' | 'unchanged';
  importRunId: bigint;
  merchantId?: bigint;
  bytes: number;
  digest: string;
  etag: string | undefined;
  lastModified: string | undefined;
  /** Until when the content states the same prices; for unchanged content, what is known of it stays. */
  validUntil?: Date | undefined;
  /** What the shop's report shows; of unchanged content, it is that of the last run. */
  report?: object | undefined;
}

/** The content must be imported after all: something else changed the shop's offers meanwhile. */
export class ContentForgotten extends Error {
  override name = 'ContentForgotten';

  constructor() {
    super('The content of the feed must be imported again.');
  }
}

/** Checks in the transaction that nothing but the feed's own content has changed the shop's offers. @throws {RunLost} @throws {ContentForgotten} */
export async function requireContent(transaction: Queryable, feed: ClaimedFeed): Promise<void> {
  const [row] = await transaction.query<{ id: bigint | null }>(CONTENT, [feed.id, feed.runId]);
  if (!row) throw new RunLost();
  if (row.id !== feed.contentImportId) throw new ContentForgotten();
}

/** Records a success in the transaction of its import. @throws {RunLost}, which must undo the transaction. */
export async function recordSuccess(transaction: Queryable, feed: ClaimedFeed, success: Success): Promise<void> {
  const { outcome, importRunId, merchantId = null, bytes, digest, etag, lastModified, validUntil, report } = success;
  const rows = await transaction.query(SUCCEED, [
    feed.id,
    feed.runId,
    merchantId,
    digest,
    etag ?? null,
    lastModified ?? null,
    validUntil ?? null,
    importRunId,
    feed.startedAt,
  ]);
  if (rows.length === 0) throw new RunLost();
  if (outcome === 'unchanged') await transaction.query(COPY_REPORT, [feed.runId, feed.contentImportId]);
  await transaction.query(FINISH, [
    feed.runId,
    outcome,
    null,
    bytes,
    importRunId,
    report === undefined ? null : JSON.stringify(report),
  ]);
}

/** A failed run. */
export interface Failure {
  outcome: 'refused' | 'broken' | 'failed';
  /** A sentence for the operator. */
  message: string;
  /** Whether the guard refused it, so that an operator must confirm its content. */
  needsConfirmation: boolean;
  bytes: number | undefined;
  report?: object | undefined;
}

/** Records a failure; the feed is pulled again after a pause that grows with each failure. @throws {RunLost} */
export async function recordRunFailure(database: Database, feed: ClaimedFeed, failure: Failure): Promise<void> {
  const { outcome, message, needsConfirmation, bytes = null, report } = failure;
  const pauseMs = backoffMs(feed.failures + 1, feed.everySeconds);
  await database.transaction(async (transaction) => {
    const rows = await transaction.query(FAIL, [
      feed.id,
      feed.runId,
      feed.startedAt,
      pauseMs / 1_000,
      needsConfirmation,
    ]);
    if (rows.length === 0) throw new RunLost();
    const stored = report === undefined ? null : JSON.stringify(report);
    await transaction.query(FINISH, [feed.runId, outcome, message, bytes, null, stored]);
  });
}

/** How a run ended; `undefined` if it has not, or its feed was removed. */
export async function readOutcome(database: Queryable, { runId }: ClaimedFeed): Promise<FeedOutcome | undefined> {
  const [row] = await database.query<{ outcome: FeedOutcome | null }>(
    'SELECT outcome::text AS outcome FROM feed_run WHERE id = $1',
    [runId],
    { name: 'feed_outcome', isCurrent: true },
  );
  return row?.outcome ?? undefined;
}

/** Gives a run back that this process cannot finish, because it stops: another gateway can start again at once. */
export async function releaseRun(database: Database, feed: ClaimedFeed): Promise<void> {
  await database.transaction(async (transaction) => {
    const rows = await transaction.query(RELEASE, [feed.id, feed.runId, feed.isForced]);
    if (rows.length > 0) await transaction.query(FINISH, [feed.runId, 'superseded', STOPPED, null, null, null]);
  });
}

const STOPPED = 'The gateway that pulled the feed was stopped, so the feed is pulled again.';

// An operator may have made the feed due again while it was pulled.
const unlessDueAnew = (claimedAt: string, at: string) =>
  `CASE WHEN next_run_at > ${claimedAt} THEN next_run_at ELSE ${at} END`;

const CONTENT = `
  SELECT content_import_id AS id
  FROM feed
  WHERE id = $1 AND run_id = $2
  FOR UPDATE`;

const SUCCEED = `
  UPDATE feed
  SET run_id = NULL,
      leased_until = NULL,
      merchant_id = COALESCE($3::bigint, merchant_id),
      content_digest = $4::text,
      etag = $5::text,
      last_modified = $6::text,
      content_valid_until = COALESCE($7::timestamptz, content_valid_until),
      content_import_id = $8::bigint,
      failures = 0,
      last_success_at = clock_timestamp(),
      needs_confirmation_at = NULL,
      next_run_at = ${unlessDueAnew('$9::timestamptz', 'GREATEST($9::timestamptz + make_interval(secs => every_seconds), clock_timestamp())')}
  WHERE id = $1 AND run_id = $2
  RETURNING id`;

const FAIL = `
  UPDATE feed
  SET run_id = NULL,
      leased_until = NULL,
      failures = failures + 1,
      needs_confirmation_at = CASE WHEN $5::boolean THEN COALESCE(needs_confirmation_at, clock_timestamp()) ELSE needs_confirmation_at END,
      next_run_at = ${unlessDueAnew('$3::timestamptz', 'clock_timestamp() + make_interval(secs => $4::float8)')}
  WHERE id = $1 AND run_id = $2
  RETURNING id`;

// A confirmation holds for the next run that takes effect.
const RELEASE = `
  UPDATE feed
  SET run_id = NULL, leased_until = NULL, confirmed_at = CASE WHEN $3::boolean THEN clock_timestamp() ELSE confirmed_at END
  WHERE id = $1 AND run_id = $2
  RETURNING id`;

const FINISH = `
  UPDATE feed_run
  SET finished_at = clock_timestamp(), outcome = $2::text::feed_outcome, message = $3::text, bytes = $4::bigint,
      import_run_id = $5::bigint, report = COALESCE($6::text::jsonb, report)
  WHERE id = $1`;

const COPY_REPORT = `
  UPDATE feed_run
  SET report = (
    SELECT earlier.report
    FROM feed
    JOIN feed_run AS earlier ON earlier.feed_id = feed.id
    WHERE feed.id = feed_run.feed_id AND earlier.import_run_id = $2::bigint
    ORDER BY earlier.id DESC
    LIMIT 1
  )
  WHERE id = $1`;
