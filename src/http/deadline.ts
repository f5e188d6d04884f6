/** Finds requests that have taken too long, whatever they wait for, so that no client waits forever. */

const LOOK_EVERY_MS = 500;
// A look that comes this much later than planned follows a pause of the whole process.
const PAUSE_MS = 500;

/**
 * A watched request. Watches form a list in the order of their start, so that a check ends at the first one in time. A `Map` would do,
 * but V8 links its outgrown tables: one in the old generation keeps all later ones alive, with the requests in them.
 */
export interface Watch<Request> {
  request: Request | undefined;
  startedAt: number;
  previous: Watch<Request> | undefined;
  next: Watch<Request> | undefined;
}

/**
 * Watches requests. After a pause of the whole process, such as the move of a virtual machine, late requests get another half second,
 * until the next look: their answers may have arrived during the pause.
 *
 * @param onLate called once for each request that takes longer than `afterMs` milliseconds.
 */
export function openDeadline<Request>(afterMs: number, onLate: (request: Request) => void) {
  let oldest: Watch<Request> | undefined;
  let newest: Watch<Request> | undefined;
  let isLooking = false;

  const end = (watch: Watch<Request>): void => {
    const { previous, next } = watch;
    if (watch.request === undefined) return;
    if (previous) previous.next = next;
    else oldest = next;
    if (next) next.previous = previous;
    else newest = previous;
    watch.request = undefined;
    watch.previous = undefined;
    watch.next = undefined;
  };

  /** @param mayWait whether the next look may leave late requests to the one after it. */
  const lookOn = (mayWait: boolean) => {
    isLooking = oldest !== undefined;
    if (!isLooking) return;
    const plannedAt = performance.now() + LOOK_EVERY_MS;
    setTimeout(() => look(plannedAt, mayWait), LOOK_EVERY_MS).unref();
  };
  const look = (plannedAt: number, mayWait: boolean) => {
    const now = performance.now();
    // Never twice in a row, so that a process that is always late still ends its requests.
    if (mayWait && now - plannedAt > PAUSE_MS) return lookOn(false);
    const latest = now - afterMs;
    while (oldest && oldest.startedAt <= latest) {
      const { request } = oldest;
      end(oldest);
      if (request !== undefined) onLate(request);
    }
    lookOn(true);
  };

  return {
    /** Watches a request until the watch is ended. */
    begin(request: Request, startedAt: number): Watch<Request> {
      const watch: Watch<Request> = { request, startedAt, previous: newest, next: undefined };
      if (newest) newest.next = watch;
      else oldest = watch;
      newest = watch;
      if (!isLooking) lookOn(true);
      return watch;
    },
    end,
  };
}
