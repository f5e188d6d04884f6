/** Finds how many rows a step may have, from the time that the last ones took: each blocks the embedded database while it runs. */

/** How long a step should take, in milliseconds. */
const TARGET_MS = 70;
// A step takes some time with a single row.
const LEAST = 50;
const MOST = 5_000;

export type StepSize = ReturnType<typeof openStepSize>;

/** @param first the rows of the first step. @param most the most rows of any. */
export function openStepSize(first: number, most = MOST) {
  let size = Math.min(first, most);
  /** Learns from the time, in milliseconds, for which a step of so many rows has blocked the database. */
  const learn = (rows: number, ms: number) => {
    const factor = TARGET_MS / ms;
    // A step with fewer rows than allowed tells only if the size is too large.
    if (factor < 1 || rows >= size / 2) size = Math.round(size * Math.min(Math.max(factor, 0.5), 1.5));
    size = Math.min(Math.max(size, LEAST), most);
  };
  return {
    /** The most rows of the next step. */
    get rows() {
      return size;
    },
    learn,
    /** Runs a step of so many rows, and learns from its time. */
    async measure<Result>(rows: number, step: () => Promise<Result>): Promise<Result> {
      const startedAt = performance.now();
      const result = await step();
      learn(rows, performance.now() - startedAt);
      return result;
    },
  };
}
