/**
 * Keeps the figures current that change without an import: in the background, in short steps, never for a request. All gateways take
 * part, and the database lets one step run at a time (`refresh_aged_figures` in the migrations).
 */
import { isUnavailable, type Queryable } from '../database/database.ts';
import { isOutOfTime } from '../database/replica.ts';

export interface Upkeep {
  /** Takes no more steps. One that is under way is a transaction: it ends as a whole or not at all, so nobody has to wait for it. */
  stop(): void;
}

export interface UpkeepPauses {
  /** Until the first look. */
  firstMs: number;
  /** Between looks that find nothing to do, or fail. */
  idleMs: number;
  /** The least between two steps. A longer step is followed by nine times its own duration, so that requests have the database. */
  stepMs: number;
}

const PAUSES: UpkeepPauses = { firstMs: 1_000, idleMs: 60_000, stepMs: 1_000 };
const PAUSE_PER_STEP = 9;
const MOST_PRODUCTS = 200;

/**
 * How many products the next step may take. A step whose work fails is tried again with one product; when that fails too, the next
 * step (0) sets the product aside until tomorrow, so that it does not keep the others from ageing.
 */
const afterFailure = (most: number) => (most > 1 ? 1 : 0);
const afterSuccess = (most: number) => Math.min(MOST_PRODUCTS, Math.max(1, most * 2));

/** Starts the upkeep. @param onFailure told of a step that has failed; the next look tries again. */
export function startUpkeep(database: Queryable, onFailure: (error: unknown) => void, pauses = PAUSES): Upkeep {
  let isStopped = false;
  let most = MOST_PRODUCTS;
  let timer = setTimeout(takeStep, pauses.firstMs).unref();

  async function takeStep(): Promise<void> {
    const startedAt = performance.now();
    let pauseMs = pauses.idleMs;
    try {
      const [row] = await database.query<{ taken: number }>('SELECT refresh_aged_figures($1::int) AS taken', [most], {
        isCurrent: true,
      });
      const tookMs = performance.now() - startedAt;
      most = afterSuccess(most);
      if (row && row.taken > 0) pauseMs = Math.max(pauses.stepMs, tookMs * PAUSE_PER_STEP);
    } catch (error) {
      // An absent database says nothing of the products; a statement that was ended for its duration does.
      if (!isUnavailable(error) || isOutOfTime(error)) most = afterFailure(most);
      if (!isStopped) onFailure(error);
    }
    if (!isStopped) timer = setTimeout(takeStep, pauseMs).unref();
  }

  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
