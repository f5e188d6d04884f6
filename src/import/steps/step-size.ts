/** Finds how many rows a step may have, from the time that the last ones took: each blocks the embedded database while it runs. */

/** How long a step should take, in milliseconds. */
const TARGET_MS = 70;
// A step takes some time with a single row.
const LEAST = 50;
const MOST = 5_000;

/** The time of a statement itself in milliseconds, for its last column: without its wait for a turn, which says nothing of its rows. */
export const OWN_MS = 'extract(epoch FROM clock_timestamp() - statement_timestamp())::float8 * 1000';

export type StepSize = ReturnType<typeof openStepSize>;

/** @param first the rows of the first step. @param most the most rows of any. */
export function openStepSize(first: number, most = MOST) {
  let size = Math.min(first, most);
  return {
    /** The most rows of the next step. */
    get rows() {
      return size;
    },
    /** Learns from the time, in milliseconds, for which a step of so many rows has blocked the database. */
    learn(rows: number, ms: number): void {
      const factor = TARGET_MS / ms;
      // A step with fewer rows than allowed tells only if the size is too large.
      if (factor < 1 || rows >= size / 2) size = Math.round(size * Math.min(Math.max(factor, 0.5), 1.5));
      size = Math.min(Math.max(size, LEAST), most);
    },
  };
}
