/**
 * Queues the statements of the embedded database, which runs one at a time; a transaction blocks all others. Requests have a limited
 * lifetime, so a request's statement that has waited longer is discarded: no client waits for its result any more.
 */
import { DatabaseUnavailable } from './database.ts';

interface Waiting {
  run(): Promise<void>;
  /** Missing for work that waits without limit. */
  expire?: (() => void) | undefined;
  since: number;
}

export type Turns = ReturnType<typeof openTurns>;

/** @param longestWaitMs the longest wait of work that may expire. */
export function openTurns(longestWaitMs: number) {
  let waiting: Waiting[] = [];
  let isBusy = false;
  let timer: NodeJS.Timeout | undefined;

  const goOn = async () => {
    isBusy = true;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      // Checked here too, because a busy database may keep timers from running.
      if (next.expire && performance.now() - next.since >= longestWaitMs) next.expire();
      else await next.run();
    }
    isBusy = false;
  };

  const expireOld = () => {
    timer = undefined;
    const latest = performance.now() - longestWaitMs;
    const isExpired = ({ expire, since }: Waiting) => expire !== undefined && since <= latest;
    const expired = waiting.filter(isExpired);
    waiting = waiting.filter((one) => !isExpired(one));
    for (const { expire } of expired) expire?.();
    watchOldest();
  };
  const watchOldest = () => {
    if (timer) return;
    const oldest = waiting.find(({ expire }) => expire);
    if (oldest) timer = setTimeout(expireOld, oldest.since + longestWaitMs - performance.now() + 1).unref();
  };

  return {
    /** Runs work after all earlier work. @param mayExpire false if it waits without limit. */
    take<Result>(work: () => Promise<Result>, mayExpire: boolean) {
      return new Promise<Result>((resolve, reject) => {
        waiting.push({
          run: () => work().then(resolve, reject),
          expire: mayExpire ? () => reject(waitedTooLong()) : undefined,
          since: performance.now(),
        });
        if (isBusy) watchOldest();
        else void goOn();
      });
    },
  };
}

const waitedTooLong = () =>
  new DatabaseUnavailable(
    'The embedded database was busy for longer than a request may take, so the statement was not run.',
    { isUndecided: false },
  );
