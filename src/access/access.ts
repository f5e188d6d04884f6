/** One request's passage: who asks, how many requests that costs, what is left, and the headers that tell the client so. */
import { Problem } from '../problem.ts';
import { invalidKey, KEY_HEADER, missingKey } from './key-source.ts';
import type { AccessKey, KeyDirectory } from './keys.ts';
import type { Charge, Meter } from './meter.ts';
import { allowanceOf, type PlanId, planOf, UNLIMITED } from './plans.ts';
import type { RateLimits, RateState } from './rate-limit.ts';
import { isWellFormedSecret } from './secret.ts';
import { WINDOW_SECONDS } from './windows.ts';

/** What a key may still do in the month. */
export interface QuotaState {
  /** Requests a month as plans say it; 0 is unlimited. */
  limit: number;
  used: number;
  remaining: number;
  /** When the counter begins anew: the start of the next month in UTC. */
  resetAt: Date;
}

/** One request's access. */
export interface Access {
  /**
   * The key of the request; `undefined` without one, or with one that is not valid. Costs nothing.
   *
   * @throws {Problem} `rate_limited` when too many keys of the client's address were unknown, and this one may be the next.
   */
  recognise(): Promise<AccessKey | undefined>;
  /** The key, where the request's work has asked for it; for the log, which never asks by itself. */
  recognised(): AccessKey | undefined;
  /** The digest of the request's key, if it was valid when this process last looked it up, within the last hour. Asks nobody. */
  knownKey(): string | undefined;
  /** Whether the key may still be used now: for answers that go on after they have started. */
  isStillValid(): Promise<boolean>;
  /** Whether the request carries text that no key can be: such a key is refused before anything else is read. */
  isMalformed(): boolean;
  /**
   * Refuses a request that has no valid key, and counts it, unless {@link Access.admitFree} has.
   *
   * @throws {Problem} `missing_api_key`, `invalid_api_key`; `rate_limited` when the client's address makes too many requests that
   *   nobody pays for.
   */
  refuse(): never;
  /**
   * Lets the request pass at the price of `cost` requests: key, then rate. The quota is settled beside the work;
   * nothing may be answered before `settled`.
   *
   * @throws {Problem} `missing_api_key`, `invalid_api_key`, `rate_limited`; `operation_too_complex` at a cost above the key's
   *   requests a minute, which no waiting would let pass; from `settled`, `quota_exhausted`.
   */
  admit(cost: number): Promise<{ key: AccessKey; settled: Promise<void> }>;
  /**
   * Lets a request pass that costs nothing, whatever key it bears.
   *
   * @throws {Problem} `rate_limited` when the client's address makes too many of them.
   */
  admitFree(): void;
  /** The month's quota as it stands after this request. */
  quota(): Promise<QuotaState>;
  /** How many requests have been deducted; 0 once they are given back. */
  charged(): number;
  /** The headers for a response of this status; gives back what is not charged: a failure of ours (5xx), and what is refused for there being too much of it (429). */
  conclude(status: number): Promise<Record<string, string>>;
}

/**
 * Why a request was refused: `unknown_key` is also one that is revoked or has expired; `guesses` is for one that was not looked for,
 * since too many of its address were unknown.
 */
export type RefusalReason = 'missing_key' | 'malformed_key' | 'unknown_key' | 'guesses' | 'rate' | 'quota';

export interface AccessServices {
  keys: KeyDirectory;
  rates: RateLimits;
  meter: Meter;
  /** Counts a request that nobody pays for; throws `rate_limited` when the address makes too many. */
  countUnpaid(address: string): void;
  /** Requests a minute by plan. */
  rateLimits: Readonly<Record<PlanId, number>>;
  /** Told of each refusal; for metrics. */
  onRefused?: (reason: RefusalReason) => void;
}

/** Why a key that a request bears is none. */
export function keyRefusalOf(secret: string | null | undefined): RefusalReason {
  if (!secret) return 'missing_key';
  return isWellFormedSecret(secret) ? 'unknown_key' : 'malformed_key';
}

/**
 * Begins the passage of one request.
 *
 * @param secret the text of its key; null without one.
 * @param addressOf tells the client's address, which only few requests need.
 * @param source where the key was looked for; refusals name it.
 */
export function openAccess(
  secret: string | null,
  addressOf: () => string,
  { keys, rates, meter, countUnpaid, rateLimits, onRefused }: AccessServices,
  source = KEY_HEADER,
): Access {
  let finding: Promise<AccessKey | undefined> | undefined;
  let recognised: AccessKey | undefined;
  let rate: RateState | undefined;
  let counting: Promise<void> | undefined;
  let charge: Charge | undefined;
  let cost = 0;

  const noteHeldOff = (error: unknown): never => {
    if (error instanceof Problem && error.code === 'rate_limited') onRefused?.('guesses');
    throw error;
  };

  const recognise = async () => {
    finding ??= secret ? keys.find(secret, addressOf).catch(noteHeldOff) : Promise.resolve(undefined);
    recognised = await finding;
    return recognised;
  };

  const rateLimitOf = (key: AccessKey) => key.rateLimit ?? rateLimits[key.plan];

  const count = async (key: AccessKey) => {
    const settledCharge = await meter.charge(key.id, allowanceOf(key.plan), cost);
    charge = settledCharge;
    if (!settledCharge.isGranted) {
      onRefused?.('quota');
      throw quotaExhausted(key, cost, stateOf(key, settledCharge.used));
    }
  };

  const used = async (key: AccessKey) => charge?.used ?? meter.used(key.id);

  let isCounted = false;
  const admitFree = () => {
    isCounted = true;
    countUnpaid(addressOf());
  };
  const noValidKey = () => (secret ? invalidKey(source) : missingKey(source));

  const refuse = (): never => {
    onRefused?.(keyRefusalOf(secret));
    if (!isCounted) admitFree();
    throw noValidKey();
  };

  return {
    recognise,
    recognised: () => recognised,
    knownKey: () => (secret === null ? undefined : keys.knownDigest(secret)),
    isStillValid: async () => secret !== null && (await keys.findAgain(secret)) !== undefined,
    isMalformed: () => keyRefusalOf(secret) === 'malformed_key',
    refuse,
    admitFree,
    async admit(price) {
      const key = (await recognise()) ?? refuse();
      if (price > rateLimitOf(key)) {
        countUnpaid(addressOf());
        throw beyondWindow(rateLimitOf(key), price);
      }
      cost = price;
      rate = await rates.take(key.id, rateLimitOf(key), cost);
      if (!rate.isAllowed) {
        onRefused?.('rate');
        throw rateLimited(rate);
      }
      counting = count(key);
      counting.catch(() => {}); // Whoever was admitted awaits it; a fault before that must not end the process.
      return { key, settled: counting };
    },
    async quota() {
      const key = await recognise();
      if (!key) throw noValidKey();
      await counting; // This request counts too.
      return stateOf(key, await used(key));
    },
    charged: () => (charge?.isGranted ? cost : 0),
    async conclude(status) {
      const key = recognised;
      if (!key) return {};
      // A client that has gone was not waited for: its charge is settled before it is told of or given back.
      if (counting && !charge) await counting.catch(() => {});
      if ((status >= 500 || status === 429) && charge?.isGranted) {
        meter.giveBack(key.id, charge.day, cost);
        charge = { ...charge, isGranted: false, used: charge.used - cost };
      }
      const window = rate ?? (await rates.look(key.id, rateLimitOf(key)));
      const known = await used(key).catch(() => undefined); // The database is away: the answer says so, not this header.
      const quota = stateOf(key, known ?? 0);
      return {
        'X-Plan': key.plan,
        'X-Quota-Limit': String(quota.limit),
        ...(known !== undefined && { 'X-Quota-Remaining': String(quota.remaining) }),
        // draft-ietf-httpapi-ratelimit-headers: structured fields, one policy named "minute".
        'RateLimit-Policy': `"minute";q=${window.limit};w=${WINDOW_SECONDS}`,
        RateLimit: `"minute";r=${window.remaining};t=${window.resetSeconds}`,
      };
    },
  };
}

function stateOf(key: AccessKey, used: number): QuotaState {
  const allowance = allowanceOf(key.plan);
  const now = new Date();
  return {
    limit: planOf(key.plan).monthlyQuota,
    used,
    remaining: allowance === UNLIMITED ? UNLIMITED : Math.max(0, allowance - used),
    resetAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)),
  };
}

function rateLimited({ limit, remaining, resetSeconds }: RateState): Problem {
  const left = remaining > 0 ? ` and has ${remaining} left` : '';
  return new Problem(
    'rate_limited',
    `The key may make ${limit} requests a minute${left}: wait ${resetSeconds} seconds and try again.`,
    { headers: { 'Retry-After': String(resetSeconds) } },
  );
}

function beyondWindow(limit: number, cost: number): Problem {
  return new Problem(
    'operation_too_complex',
    `This operation costs ${cost} requests and the key may make ${limit} a minute: send fewer root fields, or fewer \`identifiers\` in \`lookups\`.`,
  );
}

function quotaExhausted(key: AccessKey, cost: number, { limit, remaining, resetAt }: QuotaState): Problem {
  const reset = resetAt.toISOString().replace('.000', '');
  const what =
    remaining > 0
      ? `This operation costs ${cost} requests and the key has ${remaining} left this month`
      : `The ${limit} requests a month of the plan ${key.plan} are used up`;
  return new Problem('quota_exhausted', `${what}: wait until ${reset}, or move to a higher plan, see /api/v1/plans.`);
}
