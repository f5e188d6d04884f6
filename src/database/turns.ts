/**
 * The order of the embedded database's statements: it runs one at a time, and a transaction holds up all others. Requests live for
 * a bounded time, so a statement of a request that has waited for longer is not run at all: nobody waits for its rows any more.
 */
import { DatabaseUnavailable } from './database.ts';

export interface Turns {
  /** Runs work when all that was asked for before it is done. @param mayExpire false for what waits however long it takes. */
  take<Result>(work: () => Promise<Result>, mayExpire: boolean): Promise<Result>;
}

interface Waiting {
  run(): Promise<void>;
  /** Absent for what waits however long it takes. */
  expire?: (() => void) | undefined;
  since: number;
}

/** @param longestWaitMs how long a statement that may expire waits for its turn. */
export function openTurns(longestWaitMs: number): Turns {
  let waiting: Waiting[] = [];
  let isBusy = false;
  let timer: NodeJS.Timeout | undefined;

  const goOn = async () => {
    isBusy = true;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      // The database may be busy without letting timers run.
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
    'The embedded database was busy for longer than a request lives: the statement was not run.',
    {
      isUndecided: false,
    },
  );
