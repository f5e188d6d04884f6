/**
 * Queues the statements of the embedded database, which runs one at a time; a transaction blocks all others. Requests have a limited
 * lifetime, so a request's statement that has waited longer is discarded: no client waits for its result any more.
 *
 * Work that yields, such as a step of an import, starts when nothing else waits. As a request sends several statements one after the other,
 * such work also waits a moment after each of them: otherwise a request could wait for as many steps as it has statements.
 */
import { DatabaseUnavailable } from './database.ts';

export type Turns = ReturnType<typeof openTurns>;

// A request sends its next statement within a millisecond or two.
const PAUSE_MS = 4;
// A request takes a few rounds of the event loop from its arrival to its first statement.
const ROUNDS = 10;
// Under a steady load there may never be such a pause.
const LONGEST_YIELD_MS = 250;

interface Turn {
  /** False if work waits without limit; true if it may expire. */
  mayExpire?: boolean | undefined;
  /** Whether all other work goes first. */
  yields?: boolean | undefined;
}

/** @param longestWaitMs the longest wait of work that may expire. */
export function openTurns(longestWaitMs: number) {
  const waiting = new Set<() => Promise<void> | undefined>();
  const yielding: { start: () => Promise<void>; since: number }[] = [];
  let isBusy = false;
  let lastEndAt = Number.NEGATIVE_INFINITY;
  let wake = () => {};

  /** Waits until other work arrives, or long enough that a request would have sent its next statement. */
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      // What arrived while the thread was blocked is received after the timers.
      setTimeout(() => setImmediate(resolve), ms);
    });

  /** Lets the requests that arrived meanwhile send their first statements, which then go before the next work that yields. */
  const receive = async () => {
    for (let round = 0; round < ROUNDS && waiting.size === 0; round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  const goOn = async () => {
    isBusy = true;
    while (waiting.size + yielding.length > 0) {
      for (const start of waiting) {
        waiting.delete(start);
        await start();
        lastEndAt = performance.now();
      }
      const [next] = yielding;
      if (!next) continue;
      const restMs = Math.min(lastEndAt + PAUSE_MS, next.since + LONGEST_YIELD_MS) - performance.now();
      if (restMs > 0) await pause(restMs);
      else {
        yielding.shift();
        await next.start();
        await receive();
      }
    }
    isBusy = false;
  };

  return {
    /** Runs work after all earlier work; what yields, after all other work. */
    take<Result>(work: () => Promise<Result>, { mayExpire = false, yields = false }: Turn = {}) {
      return new Promise<Result>((resolve, reject) => {
        const latest = mayExpire && !yields ? performance.now() + longestWaitMs : Number.POSITIVE_INFINITY;
        const expire = () => {
          waiting.delete(start);
          reject(waitedTooLong());
          return undefined;
        };
        const timer =
          latest < Number.POSITIVE_INFINITY && isBusy ? setTimeout(expire, longestWaitMs).unref() : undefined;
        const run = () => work().then(resolve, reject);
        const start = () => {
          clearTimeout(timer);
          // Checked here too, because a busy database may keep timers from running.
          return performance.now() >= latest ? expire() : run();
        };
        if (yields) yielding.push({ start: run, since: performance.now() });
        else {
          waiting.add(start);
          wake();
        }
        if (!isBusy) void goOn();
      });
    },
  };
}

const waitedTooLong = () =>
  new DatabaseUnavailable(
    'The embedded database was busy for longer than a request may take, so the statement was not run.',
    { isUndecided: false },
  );
