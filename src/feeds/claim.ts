/**
 * Claims due feeds. All gateways share the feeds through the database only: a claim gives a run a number and a lease, which the run renews
 * until it ends. A run whose lease has ended is taken over by the next claim. Its number is no longer that of the feed, which is the
 * condition of everything that a run records, so it writes nothing from then on.
 */
import type { Database, Queryable } from '../database/database.ts';
import { ImportGivenUp } from '../import/import-request.ts';
import { deleteSurplusRuns, IS_OLD } from './tidy-runs.ts';

/** A feed that this process pulls, with its run. */
export interface ClaimedFeed {
  id: bigint;
  runId: bigint;
  startedAt: Date;
  isForced: boolean;
  merchant: string;
  /** As it is stored. */
  url: string;
  host: string;
  everySeconds: number;
  isDelta: boolean;
  maxBytes: bigint | null;
  maxRows: number | null;
  maxRejects: number | null;
  encoding: string | null;
  allowPrivate: boolean;
  sealedHeaders: string | null;
  failures: number;
  /** The content that was imported last; null if it must be imported again even if it is unchanged. */
  contentDigest: string | null;
  etag: string | null;
  lastModified: string | null;
  /** The shop; null until its first import. */
  shopId: bigint | null;
  /** The import that last recorded it. */
  contentImportId: bigint | null;
}

/** The run is no longer the feed's: another process took it over, or the feed was removed. */
export class RunLost extends ImportGivenUp {
  override name = 'RunLost';

  constructor() {
    super(
      'Another gateway took the run over, or the feed was removed, so this run stopped early and changed no offers.',
    );
  }
}

/** Whether there is work for a puller: a feed is due that nobody pulls, or runs are too old. */
export async function hasWork(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ has: boolean }>(HAS_WORK, [], { name: 'feed_due', isCurrent: true });
  return row?.has ?? false;
}

/** What a process pulls already. */
interface Occupied {
  /** Its own feeds, which it does not take over from itself. */
  feeds: readonly bigint[];
  /** Hosts from which it downloads enough feeds. */
  hosts: readonly string[];
}

/** Claims the feed that has been due longest. */
export function claimFeed(
  database: Database,
  leaseSeconds: number,
  { feeds, hosts }: Occupied,
): Promise<ClaimedFeed | undefined> {
  return database.transaction(async (transaction) => {
    const [due] = await transaction.query<{ id: bigint; run_id: bigint | null }>(FIND_DUE, [hosts, feeds], {
      name: 'feed_claim',
    });
    if (!due) return undefined;
    // What an operator has confirmed for a run that did not end holds for its successor.
    const [ended] = await transaction.query<{ is_forced: boolean }>(CLOSE_LOST, [due.run_id, LOST], {
      name: 'feed_claim',
    });
    const [claimed] = await transaction.query<ClaimedFeed>(CLAIM, [due.id, ended?.is_forced ?? false, leaseSeconds], {
      name: 'feed_claim',
    });
    await deleteSurplusRuns(transaction, due.id);
    return claimed;
  });
}

/** Renews the lease of a run. @throws {RunLost} */
export async function renewLease(database: Queryable, { id, runId }: ClaimedFeed, leaseSeconds: number): Promise<void> {
  const rows = await database.query(RENEW, [id, runId, leaseSeconds], { name: 'feed_renew' });
  if (rows.length === 0) throw new RunLost();
}

const LOST = 'The gateway that pulled the feed ended or lost the database, so another one started again.';

const IS_DUE = 'paused_at IS NULL AND next_run_at <= now() AND (leased_until IS NULL OR leased_until < now())';

// By feed_due_idx and feed_run_finished_idx.
const HAS_WORK = `
  SELECT EXISTS (SELECT FROM feed WHERE ${IS_DUE})
      OR EXISTS (SELECT FROM feed_run WHERE ${IS_OLD}) AS has`;

// By feed_due_idx.
const FIND_DUE = `
  SELECT id, run_id
  FROM feed
  WHERE ${IS_DUE} AND host <> ALL ($1::text[]) AND id <> ALL ($2::bigint[])
  ORDER BY next_run_at, id
  LIMIT 1
  FOR UPDATE SKIP LOCKED`;

const CLOSE_LOST = `
  UPDATE feed_run
  SET finished_at = clock_timestamp(), outcome = 'superseded', message = $2::text
  WHERE id = $1::bigint AND finished_at IS NULL
  RETURNING is_forced`;

const CLAIM = `
  WITH started AS (
    INSERT INTO feed_run (feed_id, is_forced, started_at)
    SELECT id, $2::boolean OR confirmed_at IS NOT NULL, clock_timestamp() FROM feed WHERE id = $1::bigint
    RETURNING id, started_at, is_forced
  )
  UPDATE feed
  SET run_id = started.id, leased_until = clock_timestamp() + make_interval(secs => $3::float8), confirmed_at = NULL
  FROM started
  WHERE feed.id = $1::bigint
  RETURNING feed.id, feed.run_id AS "runId", started.started_at AS "startedAt", started.is_forced AS "isForced", merchant, url, host,
            every_seconds AS "everySeconds", is_delta AS "isDelta", max_bytes AS "maxBytes", max_rows AS "maxRows",
            max_rejects AS "maxRejects", encoding, allow_private AS "allowPrivate", sealed_headers AS "sealedHeaders", failures,
            merchant_id AS "shopId", content_import_id AS "contentImportId",
            CASE WHEN content_valid_until > clock_timestamp() THEN content_digest END AS "contentDigest",
            CASE WHEN content_valid_until > clock_timestamp() THEN etag END AS etag,
            CASE WHEN content_valid_until > clock_timestamp() THEN last_modified END AS "lastModified"`;

const RENEW = `
  UPDATE feed
  SET leased_until = clock_timestamp() + make_interval(secs => $3::float8)
  WHERE id = $1 AND run_id = $2
  RETURNING id`;
