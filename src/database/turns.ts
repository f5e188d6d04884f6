/**
 * Queues the statements of the embedded database, which runs one at a time; a transaction blocks all others. Requests have a limited
 * lifetime, so a request's statement that has waited longer is discarded: no client waits for its result any more.
 */
import { DatabaseUnavailable } from './database.ts';

export type Turns = ReturnType<typeof openTurns>;

/** @param longestWaitMs the longest wait of work that may expire. */
export function openTurns(longestWaitMs: number) {
  const waiting = new Set<() => Promise<void> | undefined>();
  let isBusy = false;

  const goOn = async () => {
    isBusy = true;
    for (const start of waiting) {
      waiting.delete(start);
      await start();
    }
    isBusy = false;
  };

  return {
    /** Runs work after all earlier work. @param mayExpire false if it waits without limit. */
    take<Result>(work: () => Promise<Result>, mayExpire: boolean) {
      return new Promise<Result>((resolve, reject) => {
        const latest = mayExpire ? performance.now() + longestWaitMs : Number.POSITIVE_INFINITY;
        const expire = () => {
          waiting.delete(start);
          reject(waitedTooLong());
          return undefined;
        };
        const timer = mayExpire && isBusy ? setTimeout(expire, longestWaitMs).unref() : undefined;
        const start = () => {
          clearTimeout(timer);
          // Checked here too, because a busy database may keep timers from running.
          return performance.now() >= latest ? expire() : work().then(resolve, reject);
        };
        waiting.add(start);
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
