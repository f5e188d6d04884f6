/** Deletes changes that are older than the stream keeps them, in short steps in the background. All gateways take part. */
import type { Queryable } from '../../database/database.ts';

const PAUSES = {
  /** The pause before the first step. */
  firstMs: 5_000,
  /** The pause after a step that found little to delete, or failed. */
  idleMs: 60_000,
  /** The pause between two steps. */
  stepMs: 500,
};
const MOST_ROWS = 5_000;

// Rows are deleted in their order, so those that are left have no gaps. By the primary key.
const FORGET = `
  WITH forgotten AS (
    DELETE FROM change
    WHERE seq <= (
      SELECT max(seq)
      FROM (SELECT seq, at FROM change ORDER BY seq LIMIT $2::int) AS oldest
      WHERE at < now() - make_interval(days => $1::int)
    )
    RETURNING 1
  )
  SELECT count(*)::int AS count FROM forgotten`;

/** Deletes the oldest changes, at most 5,000 of them. @returns their number. */
export async function forgetChanges(database: Queryable, days: number): Promise<number> {
  const [row] = await database.query<{ count: number }>(FORGET, [days, MOST_ROWS], {
    name: 'forget_changes',
    isCurrent: true,
  });
  return row?.count ?? 0;
}

/** Starts deleting. @param onFailure called with the error of a failed step, which is retried after a pause. */
export function startForgetting(
  database: Queryable,
  days: number,
  onFailure: (error: unknown) => void,
  pauses = PAUSES,
) {
  let isStopped = false;
  let timer = setTimeout(takeStep, pauses.firstMs).unref();

  async function takeStep(): Promise<void> {
    let count = 0;
    try {
      count = await forgetChanges(database, days);
    } catch (error) {
      if (!isStopped) onFailure(error);
    }
    if (!isStopped) timer = setTimeout(takeStep, count === MOST_ROWS ? pauses.stepMs : pauses.idleMs).unref();
  }

  return {
    /** Stops taking steps. A running step is one transaction, so nobody has to wait for it. */
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
