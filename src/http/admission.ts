/**
 * How many requests are worked on at once: as many as can be answered in good time, by what has been answered lately. What comes
 * beyond that is refused at once, since it would wait for longer than its client does, and slow all others while it waits.
 *
 * By Little's law, `n` requests in a service that answers `rate` a second take `n / rate` each. While many are under way the rate
 * is the most that there is to be had, whichever part is short: this thread, the database, its connections. So the bound
 * follows the rate, and nothing needs to be known of the machine.
 */

export interface AdmissionOptions {
  /** What a request may take on average while there are more than can be served, in milliseconds. 0 refuses only what is over `most`. */
  targetMs: number;
  /** The most requests at once, whatever the rate. */
  most: number;
  /** The clock, in milliseconds. */
  now?: () => number;
}

export interface Admission {
  /**
   * Lets a request in, or refuses it. A request that was let in must {@link Admission.leave}.
   *
   * @param isKnown whether the request's key is known to be valid; asked only when half of the places are taken. The other half is
   *   reserved for these.
   */
  enter(isKnown: () => boolean): boolean;
  leave(): void;
  /** Requests that are in. */
  readonly inside: number;
  /** Requests that may be in now. */
  readonly limit: number;
}

// So few are never refused: they are no crowd, however slow one of them is.
const LEAST = 64;
const WINDOW_MS = 100;
// The first figure of a process that has just begun, with cold caches and code that is not compiled, is taken over longer.
const FIRST_WINDOW_MS = 1_000;
// A burst goes through. A crowd that stays does not; and that it has gone is believed when it stays away.
const GRACE_MS = 50;
const CALM_MS = 1_000;
// A rate that falls may be a pause of the machine; one that rises is a fact.
const TRUST_IN_FALL = 0.2;
const TRUST_IN_RISE = 0.5;

/** Opens the admission to one server. */
export function openAdmission({ targetMs, most, now = () => performance.now() }: AdmissionOptions): Admission {
  let inside = 0;
  /** Answers a millisecond while there was a crowd; unknown until there has been one. */
  let rate: number | undefined;
  let left = 0;
  let windowBegan = now();
  let hasBeenCrowd = false;
  /** Since when more are in than may be. */
  let crowdedSince: number | undefined;
  /** When that was last so. */
  let crowdedAt = Number.NEGATIVE_INFINITY;
  let isRefusing = false;

  const limit = () => {
    if (rate === undefined || targetMs === 0) return most;
    return Math.min(most, Math.max(LEAST, Math.round(rate * targetMs)));
  };

  const beginWindow = (moment: number) => {
    windowBegan = moment;
    left = 0;
  };

  /** Takes the rate of a window that has been a crowd's from beginning to end. */
  const measure = (moment: number) => {
    const elapsed = moment - windowBegan;
    if (elapsed < (rate === undefined ? FIRST_WINDOW_MS : WINDOW_MS)) return;
    const seen = left / elapsed;
    if (rate === undefined) rate = seen;
    else rate += (seen - rate) * (seen > rate ? TRUST_IN_RISE : TRUST_IN_FALL);
    beginWindow(moment);
  };

  const watch = (moment: number) => {
    if (hasBeenCrowd) measure(moment);
    else beginWindow(moment);
    hasBeenCrowd = inside >= LEAST;
    if (inside < limit()) {
      crowdedSince = undefined;
      if (isRefusing && moment - crowdedAt > CALM_MS) isRefusing = false;
      return;
    }
    crowdedSince ??= moment;
    crowdedAt = moment;
    if (moment - crowdedSince > GRACE_MS) isRefusing = true;
  };

  return {
    enter(isKnown) {
      watch(now());
      const places = isRefusing ? limit() : most;
      if (inside >= places || (inside >= Math.ceil(places / 2) && !isKnown())) return false;
      inside += 1;
      return true;
    },
    leave() {
      inside -= 1;
      left += 1;
      if (inside < LEAST) hasBeenCrowd = false;
    },
    get inside() {
      return inside;
    },
    get limit() {
      return limit();
    },
  };
}
