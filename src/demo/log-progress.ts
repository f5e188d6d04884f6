/** Logs the progress of an import of the demo. */
import type { Log } from '../operations/log.ts';

/** Reports progress: the number of feeds imported, and of all feeds. */
export type OnFeed = (done: number, of: number) => void;

const PAUSE_MS = 2_000;

/** Logs the first and the last feed of those that are imported now, and one every two seconds between them. @param what the feeds belong to. */
export function logProgress(log: Pick<Log, 'info'>, what: string): OnFeed {
  let nextAt = 0;
  return (done, of) => {
    if (done < of && performance.now() < nextAt) return;
    nextAt = performance.now() + PAUSE_MS;
    log.info(`Importing ${what}: ${done} of ${of} feeds`);
  };
}
