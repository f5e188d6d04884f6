/** Deletes old runs of feeds, so that their number is bounded: of each feed the newest hundred stay, for at most 90 days. */
import type { Queryable } from '../database/database.ts';

/** The most runs of a feed that are kept, however they ended. */
export const RUNS_KEPT = 100;
/** How long they are kept. */
const RUN_DAYS = 90;

// A step takes some milliseconds, so that nothing waits long for the rows that it locks.
const MOST_ROWS = 500;

/** SQL that is true for a run that is too old. */
export const IS_OLD = `finished_at < now() - INTERVAL '${RUN_DAYS} days'`;

/** Deletes the runs of a feed beyond the newest. Call it with each new run. */
export async function deleteSurplusRuns(transaction: Queryable, feedId: bigint): Promise<void> {
  await transaction.query(DELETE_SURPLUS, [feedId]);
}

/** Deletes runs that are too old, a step of them. @returns whether there may be more. */
export async function deleteOldRuns(database: Queryable): Promise<boolean> {
  const deleted = await database.query(DELETE_OLD, [], { name: 'feed_tidy' });
  return deleted.length === MOST_ROWS;
}

// By feed_run_feed_idx.
const DELETE_SURPLUS = `
  DELETE FROM feed_run
  WHERE feed_id = $1
    AND id <= (SELECT id FROM feed_run WHERE feed_id = $1 ORDER BY id DESC OFFSET ${RUNS_KEPT} LIMIT 1)`;

// By feed_run_finished_idx.
const DELETE_OLD = `
  DELETE FROM feed_run
  WHERE id IN (
    SELECT id
    FROM feed_run
    WHERE ${IS_OLD}
    ORDER BY finished_at
    LIMIT ${MOST_ROWS}
    FOR UPDATE SKIP LOCKED
  )
  RETURNING id`;
