/**
 * Limits the number of requests in progress to those that can be answered in good time, measured by the recent rate of answers.
 * Requests beyond the limit are refused immediately: they would wait for longer than their clients do, and slow all others.
 *
 * By Little's law, `n` requests in a service that answers `rate` a second take `n / rate` each. Under load the measured rate is the
 * highest possible, whatever the bottleneck: this thread, the database, its connections. So the limit follows the rate, and needs no
 * knowledge of the machine.
 */

export interface AdmissionOptions {
  /** The average time of a request under overload, in milliseconds. 0 refuses only requests beyond `most`. */
  targetMs: number;
  /** The most requests in progress, whatever the rate. */
  most: number;
  /** The clock, in milliseconds. */
  now?: () => number;
}

export type Admission = ReturnType<typeof openAdmission>;

// This few are never refused, however slow one of them is.
const LEAST = 64;
const WINDOW_MS = 100;
// The first rate is measured for longer, since a new process has cold caches and uncompiled code.
const FIRST_WINDOW_MS = 1_000;
// Refusing starts when the limit has been reached for GRACE_MS, so bursts pass, and ends when it has not been for CALM_MS.
const GRACE_MS = 50;
const CALM_MS = 1_000;
// A falling rate may only be a pause of the machine, so it weighs less than a rising one.
const TRUST_IN_FALL = 0.2;
const TRUST_IN_RISE = 0.5;

/** Opens the admission to one server. */
export function openAdmission({ targetMs, most, now = () => performance.now() }: AdmissionOptions) {
  let inside = 0;
  /** Answers per millisecond under load; unknown before the first load. */
  let rate: number | undefined;
  let left = 0;
  let windowBegan = now();
  let hasBeenCrowd = false;
  /** Since when the limit has been reached. */
  let crowdedSince: number | undefined;
  /** When the limit was last reached. */
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

  /** Measures the rate of a window that was under load from start to end. */
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
    /** Admits a request, which then must `leave`, or refuses it. Half of the places are reserved for requests with a key that `isKnown`. */
    enter(isKnown: () => boolean): boolean {
      watch(now());
      const places = isRefusing ? limit() : most;
      if (inside >= places || (inside >= Math.ceil(places / 2) && !isKnown())) return false;
      inside += 1;
      return true;
    },
    leave(): void {
      inside -= 1;
      left += 1;
      if (inside < LEAST) hasBeenCrowd = false;
    },
    /** Frees the place of a request while it waits in another queue. */
    stepOut(): void {
      inside -= 1;
    },
    /** Takes the place again, whatever the limit: the request was admitted before. */
    stepIn(): void {
      inside += 1;
    },
    /** Requests in progress. */
    get inside(): number {
      return inside;
    },
    /** The current limit of requests in progress. */
    get limit(): number {
      return limit();
    },
  };
}
