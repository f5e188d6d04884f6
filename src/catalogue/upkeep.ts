/**
 * Updates the figures that change with time, in short steps in the background, never during a request. All gateways take part, and
 * the database runs one step at a time (`refresh_aged_figures` in the migrations).
 */
import { isUnavailable, type Queryable } from '../database/database.ts';
import { isOutOfTime } from '../database/replica.ts';

const PAUSES = {
  /** The pause before the first step. */
  firstMs: 1_000,
  /** The pause after a step that found nothing to do or failed. */
  idleMs: 60_000,
  /** The shortest pause between two steps. */
  stepMs: 1_000,
};
// A pause is at least this many times as long as the step before it, to leave the database to requests.
const PAUSE_PER_STEP = 9;
const MOST_PRODUCTS = 200;

/** Starts the upkeep. @param onFailure called with the error of a failed step, which is retried after a pause. */
export function startUpkeep(database: Queryable, onFailure: (error: unknown) => void, pauses = PAUSES) {
  let isStopped = false;
  let most = MOST_PRODUCTS;
  let timer = setTimeout(takeStep, pauses.firstMs).unref();

  async function takeStep(): Promise<void> {
    const startedAt = performance.now();
    let pauseMs = pauses.idleMs;
    try {
      const [row] = await database.query<{ taken: number }>('SELECT refresh_aged_figures($1::int) AS taken', [most], {
        name: 'refresh_aged_figures',
        isCurrent: true,
      });
      const tookMs = performance.now() - startedAt;
      most = Math.min(MOST_PRODUCTS, Math.max(1, most * 2));
      if (row && row.taken > 0) pauseMs = Math.max(pauses.stepMs, tookMs * PAUSE_PER_STEP);
    } catch (error) {
      // If the database is unavailable, the products are not at fault. If the statement timed out, they may be.
      // The step is retried with one product; if that fails too, a step of 0 sets it aside until tomorrow, so that it blocks no others.
      if (!isUnavailable(error) || isOutOfTime(error)) most = most > 1 ? 1 : 0;
      if (!isStopped) onFailure(error);
    }
    if (!isStopped) timer = setTimeout(takeStep, pauseMs).unref();
  }

  return {
    /** Stops taking steps. A running step is one transaction, so nobody has to wait for it. */
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
