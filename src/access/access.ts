/** The access of one request: its key, its cost, the key's remaining limits, and the response headers that report them. */
import { Problem } from '../problem.ts';
import { invalidKey, KEY_HEADER, missingKey } from './key-source.ts';
import type { AccessKey, KeyDirectory } from './keys.ts';
import type { Charge, Meter } from './meter.ts';
import { allowanceOf, type PlanId, planOf, UNLIMITED } from './plans.ts';
import type { RateLimits, RateState } from './rate-limit.ts';
import { isWellFormedSecret } from './secret.ts';
import { WINDOW_SECONDS } from './windows.ts';

/** The state of a key's monthly quota. */
export interface QuotaState {
  /** Requests a month, as in the plans; 0 is unlimited. */
  limit: number;
  used: number;
  remaining: number;
  /** When the counter resets: the start of the next month in UTC. */
  resetAt: Date;
}

/** One request's access. */
export type Access = ReturnType<typeof openAccess>;

/** Why a request was refused. `guesses`: the key was not looked up, because its address has sent too many unknown ones. */
export type RefusalReason = 'missing_key' | 'malformed_key' | 'unknown_key' | 'guesses' | 'rate' | 'quota';

export interface AccessServices {
  keys: KeyDirectory;
  rates: RateLimits;
  meter: Meter;
  /** Counts free requests; throws `rate_limited`, or rejects with it, when the address makes too many. */
  countFree(address: string, added?: number): Promise<void> | undefined;
  /** Requests a minute by plan. */
  rateLimits: Readonly<Record<PlanId, number>>;
  /** Called for each refusal; for metrics. */
  onRefused?: (reason: RefusalReason) => void;
}

/** Why the key of a request is not valid. Revoked and expired keys count as unknown. */
function keyRefusalOf(secret: string | null): RefusalReason {
  if (!secret) return 'missing_key';
  return isWellFormedSecret(secret) ? 'unknown_key' : 'malformed_key';
}

/**
 * Opens the access of one request.
 * @param secret the text of its key; null without one.
 * @param addressOf gives the client's address, which only few requests need.
 * @param source the place of the key; refusals name it.
 */
export function openAccess(
  secret: string | null,
  addressOf: () => string,
  { keys, rates, meter, countFree, rateLimits, onRefused }: AccessServices,
  source = KEY_HEADER,
) {
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

  /** The key of the request; `undefined` without a valid one. Costs nothing. @throws {Problem} `rate_limited` after too many unknown keys. */
  const recognise = async () => {
    finding ??= secret ? keys.find(secret, addressOf).catch(noteHeldOff) : Promise.resolve(undefined);
    recognised = await finding;
    return recognised;
  };

  const rateLimitOf = (key: AccessKey) => key.rateLimit ?? rateLimits[key.plan];

  const count = async (key: AccessKey) => {
    charge = await meter.charge(key.id, allowanceOf(key.plan), cost);
    if (!charge.isGranted) {
      onRefused?.('quota');
      throw quotaExhausted(key, cost, stateOf(key, charge.used));
    }
  };

  const used = async (key: AccessKey) => charge?.used ?? meter.used(key.id);

  let isCounted = false;
  /** Admits free requests, with or without a key. @throws {Problem} `rate_limited` when the client's address makes too many. */
  const admitFree = (count = 1): Promise<void> | undefined => {
    isCounted = true;
    return countFree(addressOf(), count);
  };
  const noValidKey = () => (secret ? invalidKey(source) : missingKey(source));

  /**
   * Refuses a request without a valid key, and counts it unless `admitFree` has done so.
   *
   * @throws {Problem} `missing_api_key`, `invalid_api_key`; `rate_limited` when the client's address makes too many free requests.
   */
  const refuse = async (): Promise<never> => {
    onRefused?.(keyRefusalOf(secret));
    if (!isCounted) await admitFree();
    throw noValidKey();
  };

  return {
    recognise,
    /** The key, if `recognise` has found it before. For the log, which must not cause a lookup. */
    recognised: () => recognised,
    /** The digest of the request's key, if it was valid when this process last looked it up within the last hour. Reads no database. */
    knownKey: () => (secret === null ? undefined : keys.knownDigest(secret)),
    /** Whether the key is still valid; for streams, which outlive the first check. */
    isStillValid: async () => secret !== null && (await keys.findAgain(secret)) !== undefined,
    /** Whether the key is malformed. Such a key is refused before anything else is read. */
    isMalformed: () => keyRefusalOf(secret) === 'malformed_key',
    refuse,
    admitFree,
    /**
     * Admits the request at the price of `price` requests: checks the key, then the rate. The quota is settled while the work runs;
     * nothing may be answered before `settled`.
     *
     * @throws {Problem} `missing_api_key`, `invalid_api_key`, `rate_limited`; `operation_too_complex` if the cost exceeds the key's
     *   requests a minute, so that waiting cannot help; from `settled`, `quota_exhausted`.
     */
    async admit(price: number) {
      const key = (await recognise()) ?? (await refuse());
      if (price > rateLimitOf(key)) {
        await countFree(addressOf());
        throw beyondWindow(rateLimitOf(key), price);
      }
      cost = price;
      rate = await rates.take(key.id, rateLimitOf(key), cost);
      if (!rate.isAllowed) {
        onRefused?.('rate');
        throw rateLimited(rate);
      }
      counting = count(key);
      counting.catch(() => {}); // The caller awaits it; an error before that must not end the process.
      return { key, settled: counting };
    },
    /** The month's quota after this request. */
    async quota() {
      const key = await recognise();
      if (!key) throw noValidKey();
      await counting; // This request counts too.
      return stateOf(key, await used(key));
    },
    /** The number of requests deducted; 0 after a refund. */
    charged: () => (charge?.isGranted ? cost : 0),
    /** The headers for a response of this status. Refunds the charge of a server error (5xx) or too many requests (429). */
    async conclude(status: number): Promise<Record<string, string>> {
      const key = recognised;
      if (!key) return {};
      // The charge may still be open if the client has gone: settle it before reporting or refunding it.
      if (counting && !charge) await counting.catch(() => {});
      if ((status >= 500 || status === 429) && charge?.isGranted) {
        meter.refund(key.id, charge.day, cost);
        charge = { ...charge, isGranted: false, used: charge.used - cost };
      }
      const window = rate ?? (await rates.look(key.id, rateLimitOf(key)));
      const known = await used(key).catch(() => undefined); // Without the database, the answer reports the failure, and this header is left out.
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
    `The key may make ${limit} requests a minute${left}: wait ${resetSeconds} seconds, then try again.`,
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
      : `The key has used all ${limit} requests a month of the ${planOf(key.plan).name} plan`;
  return new Problem('quota_exhausted', `${what}: wait until ${reset}, or move to a higher plan (see /api/v1/plans).`);
}
