/**
 * How a server process ends. With the default delay of a second, stopping ends within the ten seconds after which containers are killed.
 */
import type { Log } from './operations/log.ts';

/** The signals that ask the service to stop. Terminals send the second by Ctrl-C, and the last to all their processes when they close. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Requests that are still open this long after the delay are cut off. */
export const DRAIN_MS = 7_000;
/** The last counts can be written until this long after the delay. */
export const CLOSE_MS = 9_000;

/** Ends what was started so far. @param isAtOnce whether requests need not be answered. @throws when it cannot. */
type End = (isAtOnce: boolean) => Promise<unknown>;

/** Ends the process on a signal to stop, with status 0, or when it cannot go on, with status 1. A second signal ends it at once. */
export function openEnd(log: Log, first: End) {
  let isStopping = false;
  let end = first;
  const stop = (why: { signal: NodeJS.Signals } | { err: Error }) => {
    if (isStopping) process.exit(1); // The operator does not want to wait.
    isStopping = true;
    const hasFailed = 'err' in why;
    if (hasFailed) log.fatal(why, why.err.message);
    else log.info(why, 'Stopping');
    end(hasFailed).then(
      () => process.exit(hasFailed ? 1 : 0),
      (error) => {
        log.error({ err: error }, `Stopping failed: ${error.message}`);
        process.exit(1);
      },
    );
  };
  for (const each of STOP_SIGNALS) process.on(each, (signal) => stop({ signal }));
  return {
    /** More was started, which ends in this way. */
    becomes(next: End): void {
      end = next;
    },
    /** The process cannot go on. */
    fail: (err: Error): void => stop({ err }),
    /** Whether the process ends, so that what fails because of it need not be reported. */
    hasStarted: (): boolean => isStopping,
  };
}
