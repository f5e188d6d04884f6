/** Finds requests that have taken too long, whatever they wait for, so that no client waits forever. */

const LOOK_EVERY_MS = 500;

/** Watches requests. @param onLate called once for each request that takes longer than `afterMs` milliseconds. */
export function openDeadline<Request>(afterMs: number, onLate: (request: Request) => void) {
  /** In the order of their start, so that a check ends at the first request that is in time. */
  const underWay = new Map<Request, number>();
  let isLooking = false;

  const lookOn = () => {
    isLooking = underWay.size > 0;
    if (isLooking) setTimeout(look, LOOK_EVERY_MS).unref();
  };
  const look = () => {
    const latest = performance.now() - afterMs;
    for (const [request, startedAt] of underWay) {
      if (startedAt > latest) break;
      underWay.delete(request);
      onLate(request);
    }
    lookOn();
  };

  return {
    begin(request: Request, startedAt: number): void {
      underWay.set(request, startedAt);
      if (!isLooking) lookOn();
    },
    end: (request: Request): void => void underWay.delete(request),
  };
}
