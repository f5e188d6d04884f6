/** When a message that was not accepted is sent again. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses between the attempts, without jitter: 14 attempts within three days. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  ...Array<number>(4).fill(12 * HOUR_MS),
];

/** No attempt comes later than this after the first one became due. */
export const RETRY_WINDOW_MS = 72 * HOUR_MS;

/** The longest `Retry-After` that is honoured; a longer one counts as this. */
export const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;

// Spreads the retries of a receiver that was down.
const JITTER = 0.1;

export interface FailedAttempt {
  /** The number of attempts so far. */
  attempts: number;
  /** How long ago the first one became due. */
  ageMs: number;
  /** What the receiver asked for. */
  retryAfterMs?: number | undefined;
}

/** The pause before the next attempt in milliseconds; `undefined` if there is none. */
export function retryDelayOf(
  { attempts, ageMs, retryAfterMs = 0 }: FailedAttempt,
  delaysMs: readonly number[] = RETRY_DELAYS_MS,
  random: () => number = Math.random,
): number | undefined {
  const delayMs = delaysMs[attempts - 1];
  if (delayMs === undefined) return undefined;
  const spread = delayMs * (1 + JITTER * (2 * random() - 1));
  const chosen = Math.round(Math.max(spread, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS)));
  return ageMs + chosen > RETRY_WINDOW_MS ? undefined : chosen;
}

/**
 * The delay of a `Retry-After` header in milliseconds: seconds or a date (RFC 9110 §10.2.3); `undefined` if it is neither.
 * @param now in milliseconds since 1970.
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND_MS;
  const at = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
