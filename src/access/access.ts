/** The access of one request: its key, its cost, the key's remaining limits, and the response headers that report them. */
import { Problem } from '../problem.ts';
import type { Soon } from '../soon.ts';
import { DEMO_REQUESTS_A_MINUTE, demoKeyRefused } from './demo-key.ts';
import { formerKeyRefused } from './former-key.ts';
import { invalidKey, KEY_HEADER, type KeySource, missingKey } from './key-source.ts';
import type { AccessKey, KeyDirectory } from './keys.ts';
import type { Charge, Meter } from './meter.ts';
import { allowanceOf, type PlanId, planOf, quotaOf, UNLIMITED } from './plans.ts';
import type { RateLimits, RateState, WindowName } from './rate-limit.ts';
import { isWellFormedSecret } from './secret.ts';
import { secondsUntil, WINDOW_SECONDS } from './windows.ts';

/** The state of a key's monthly quota. */
export interface QuotaState {
  /** Requests a month: the key's own quota or that of its plan; 0 is unlimited. */
  limit: number;
  used: number;
  remaining: number;
  /** When the counter resets: the start of the next month in UTC. */
  resetAt: Date;
}

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

/** The most requests of the class `keyed` a minute of a key. */
export const KEYED_REQUESTS_A_MINUTE = 60;

/** Why the key of a request is not valid. Revoked and expired keys count as unknown. */
function keyRefusalOf(secret: string | null): RefusalReason {
  if (!secret) return 'missing_key';
  return isWellFormedSecret(secret) ? 'unknown_key' : 'malformed_key';
}

/** The access of one request. A class, because every request has one, and closures would be an object for each method. */
export class Access {
  readonly #secret: string | null;
  readonly #addressOf: () => string;
  readonly #services: AccessServices;
  readonly #source: KeySource;
  #finding: Promise<AccessKey | undefined> | undefined;
  #recognised: AccessKey | undefined;
  #rate: RateState | undefined;
  #counting: Promise<void> | undefined;
  #charge: Charge | undefined;
  #cost = 0;
  /** Charges of {@link chargeUpTo}. */
  #further: { day: string; cost: number }[] | undefined;
  #isCounted = false;
  #calls: Access[] | undefined;

  /**
   * @param secret the text of the request's key; null without one.
   * @param addressOf gives the client's address, which only few requests need.
   * @param source the place of the key; refusals name it.
   */
  constructor(
    secret: string | null,
    addressOf: () => string,
    services: AccessServices,
    source: KeySource = KEY_HEADER,
  ) {
    this.#secret = secret;
    this.#addressOf = addressOf;
    this.#services = services;
    this.#source = source;
  }

  /** The key of the request; `undefined` without a valid one. Costs nothing. @throws {Problem} `rate_limited` after too many unknown keys. */
  recognise(): Soon<AccessKey | undefined> {
    if (this.#recognised || !this.#secret) return this.#recognised;
    if (this.#finding) return this.#finding;
    const { keys, onRefused } = this.#services;
    const finding = keys.find(this.#secret, this.#addressOf);
    if (!(finding instanceof Promise)) {
      this.#recognised = finding;
      return finding;
    }
    this.#finding = finding.then(
      (key) => {
        this.#recognised = key;
        return key;
      },
      (error: unknown) => {
        if (error instanceof Problem && error.code === 'rate_limited') onRefused?.('guesses');
        throw error;
      },
    );
    return this.#finding;
  }

  /** The key, if `recognise` has found it before. For the log, which must not cause a lookup. */
  recognised(): AccessKey | undefined {
    return this.#recognised;
  }

  /** The digest of the request's key, if it was valid when this process last looked it up within the last hour. Reads no database. */
  knownKey(): string | undefined {
    return this.#secret === null ? undefined : this.#services.keys.knownDigest(this.#secret);
  }

  /** Whether the key is still valid; for streams, which outlive the first check. */
  async isStillValid(): Promise<boolean> {
    return this.#secret !== null && (await this.#services.keys.findAgain(this.#secret)) !== undefined;
  }

  /** Whether the key is malformed. Such a key is refused before anything else is read. */
  isMalformed(): boolean {
    return keyRefusalOf(this.#secret) === 'malformed_key';
  }

  /**
   * Refuses a request without a valid key, and counts it unless `admitFree` has done so.
   *
   * @throws {Problem} `missing_api_key`, `invalid_api_key`; `rate_limited` when the client's address makes too many free requests.
   */
  async refuse(): Promise<never> {
    this.#services.onRefused?.(keyRefusalOf(this.#secret));
    if (!this.#isCounted) await this.admitFree();
    throw this.#noValidKey();
  }

  /**
   * Admits free requests, with or without a key.
   * @returns a promise only if the workers of an instance count together; it rejects as this throws.
   * @throws {Problem} `rate_limited` when the client's address makes too many.
   */
  admitFree(count = 1): Promise<void> | undefined {
    this.#isCounted = true;
    return this.#services.countFree(this.#addressOf(), count);
  }

  /**
   * Admits requests of the class `keyed`, which need a key and charge nothing.
   *
   * @throws {Problem} `missing_api_key`, `invalid_api_key`; `rate_limited` when the address makes too many free requests, or the key more
   *   than {@link KEYED_REQUESTS_A_MINUTE}.
   */
  async admitKeyed(count = 1): Promise<void> {
    const key = await this.recognise();
    if (!key) return this.refuse();
    await this.admitFree(count);
    if (key.isDemo) throw demoKeyRefused();
    await takeKeyed(key, this.#services, count);
  }

  /**
   * Refuses the demo key, for what only holders of a key of their own may do. Other requests pass.
   * @throws {Problem} `demo_key_refused`; `rate_limited`
   */
  async requireOwnKey(): Promise<void> {
    const key = await this.recognise();
    if (!key?.isDemo) return;
    await this.admitFree();
    throw demoKeyRefused();
  }

  /**
   * Refuses a former key, for what changes anything that belongs to the key. In force everywhere within five seconds of a rotation.
   * @throws {Problem} `former_key_refused`
   */
  async requireCurrentKey(): Promise<void> {
    if ((await this.recognise())?.isFormer) throw formerKeyRefused();
  }

  /** Makes a call in the body of the request part of it; the call has an access of its own. */
  include(call: Access): void {
    this.#calls ??= [];
    this.#calls.push(call);
  }

  /**
   * Admits the request at the price of `price` requests: checks the key, then the rate. The quota is settled while the work runs;
   * nothing may be answered before `settled`.
   *
   * @throws {Problem} `missing_api_key`, `invalid_api_key`, `rate_limited`; `operation_too_complex` if the cost exceeds the key's
   *   requests a minute, so that waiting cannot help; at once or from `settled`, `quota_exhausted`, or `rate_limited` when the client's address
   *   makes too many free requests, which such refusals are.
   */
  admit(price: number): Soon<{ settled: Promise<void> }> {
    const finding = this.recognise();
    return finding instanceof Promise ? finding.then((key) => this.#admit(key, price)) : this.#admit(finding, price);
  }

  #admit(key: AccessKey | undefined, price: number): Soon<{ settled: Promise<void> }> {
    if (!key) return this.refuse();
    const limit = this.rateLimitOf(key);
    if (price > limit) return this.#refuseBeyondWindow(limit, price);
    this.#cost = price;
    const taking = this.#services.rates.take(this.#windowOf(key), limit, price);
    return taking instanceof Promise ? taking.then((rate) => this.#pay(key, rate)) : this.#pay(key, taking);
  }

  async #refuseBeyondWindow(limit: number, price: number): Promise<never> {
    await this.#services.countFree(this.#addressOf());
    throw beyondWindow(limit, price);
  }

  /**
   * Charges the request if its rate is allowed. Of a key that was used up when last seen, the charge comes before the work: a refusal gives
   * the rate back, so nothing else would bound the work of its requests.
   */
  #pay(key: AccessKey, rate: RateState): Soon<{ settled: Promise<void> }> {
    const { meter, onRefused } = this.#services;
    this.#rate = rate;
    if (!rate.isAllowed) {
      onRefused?.('rate');
      throw key.isDemo ? demoRateLimited(rate) : rateLimited(rate);
    }
    const allowance = allowanceOf(key);
    const wasUsedUp = meter.wasUsedUp(key.id, allowance);
    const settled = meter.charge(key.id, allowance, this.#cost).then(async (charge) => {
      this.#charge = charge;
      if (charge.isGranted) return;
      this.#giveBack(key);
      onRefused?.('quota');
      // Refusals count as free requests do.
      if (!this.#isCounted) await this.admitFree();
      throw quotaExhausted(key, this.#cost, quotaStateOf(key, charge.used));
    });
    this.#counting = settled;
    settled.catch(() => {}); // The caller awaits it; an error before that must not end the process.
    return wasUsedUp ? settled.then(() => ({ settled })) : { settled };
  }

  /** Gives the rate of a request back that is not answered. */
  #giveBack(key: AccessKey): void {
    const rate = this.#rate;
    if (!rate?.isAllowed) return;
    this.#services.rates.giveBack(this.#windowOf(key), rate.limit, this.#cost, rate.resetAt);
    // Headers show the window as it was.
    this.#rate = { ...rate, isAllowed: false, remaining: rate.remaining + this.#cost };
  }

  /**
   * Charges more for an admitted request whose price depends on its result: up to `price` further requests, or as many as the quota
   * has left. They do not count against the requests a minute.
   *
   * @returns the number of requests charged, 0 if the quota is used up.
   * @throws {Problem} as {@link admit} does, if the request itself was not granted.
   */
  async chargeUpTo(price: number): Promise<number> {
    const key = await this.recognise();
    if (!key || !this.#counting) throw new Error('Only an admitted request can be charged more.');
    await this.#counting;
    const allowance = allowanceOf(key);
    // Other requests of the key may use up what is left meanwhile; then it is tried again with less.
    for (let asked = price; asked > 0; ) {
      const charge = await this.#services.meter.charge(key.id, allowance, asked);
      if (charge.isGranted) {
        this.#further ??= [];
        this.#further.push({ day: charge.day, cost: asked });
        // The day of the first charge stays, to which it is refunded.
        if (this.#charge) this.#charge = { ...this.#charge, used: charge.used };
        return asked;
      }
      asked = Math.min(asked - 1, allowance - charge.used);
    }
    return 0;
  }

  /** Settles once the admitted request is charged. @throws {Problem} `quota_exhausted` if it was not granted. */
  async granted(): Promise<void> {
    await this.#counting;
  }

  /** The month's quota after this request. */
  async quota(): Promise<QuotaState> {
    const key = await this.recognise();
    if (!key) throw this.#noValidKey();
    await this.#counting; // This request counts too.
    return quotaStateOf(key, await this.#used(key));
  }

  /** The number of requests deducted, calls included; 0 after a refund. */
  charged(): number {
    const further = this.#further?.reduce((sum, { cost }) => sum + cost, 0) ?? 0;
    const own = this.#charge?.isGranted ? this.#cost + further : 0;
    return this.#calls ? this.#calls.reduce((sum, call) => sum + call.charged(), own) : own;
  }

  /**
   * The headers for a response of this status, as alternating names and values. Refunds the charge of a server error (5xx), calls
   * included, or of too many requests (429).
   */
  conclude(status: number): Soon<readonly string[]> {
    const key = this.#recognised;
    if (!key) return [];
    const rate = this.#rate;
    const charge = this.#charge;
    if (rate && charge && !this.#calls && status < 429) return headersOf(key, rate, charge.used);
    return this.#concludeLater(key, status);
  }

  async #concludeLater(key: AccessKey, status: number): Promise<readonly string[]> {
    const { meter, rates } = this.#services;
    if (status >= 500 && this.#calls) await Promise.all(this.#calls.map((call) => call.conclude(status)));
    // The charge may still be open if the client has gone: settle it before reporting or refunding it.
    if (this.#counting && !this.#charge) await this.#counting.catch(() => {});
    if (status >= 500) this.#giveBack(key);
    const charge = this.#charge;
    if ((status >= 500 || status === 429) && charge) {
      // A late request may have been charged more since it was refunded.
      const own = charge.isGranted ? [{ day: charge.day, cost: this.#cost }] : [];
      const given = [...own, ...(this.#further ?? [])];
      for (const { day, cost } of given) meter.refund(key.id, day, cost);
      const used = given.reduce((left, { cost }) => left - cost, charge.used);
      this.#charge = { ...charge, isGranted: false, used };
      this.#further = undefined;
    }
    const rate = this.#rate ?? (await rates.look(this.#windowOf(key), this.rateLimitOf(key)));
    // Without the database, the answer reports the failure, and the header with the remaining quota is left out.
    const used = await this.#used(key).catch(() => undefined);
    return headersOf(key, rate, used);
  }

  async #used(key: AccessKey): Promise<number> {
    return this.#charge?.used ?? this.#services.meter.used(key.id);
  }

  /** Requests a minute that a key may make. */
  rateLimitOf(key: AccessKey): number {
    if (key.isDemo) return DEMO_REQUESTS_A_MINUTE;
    return key.rateLimit ?? this.#services.rateLimits[key.plan];
  }

  /** The window in which the requests of a key are counted: its own, or that of the client's address. */
  #windowOf(key: AccessKey): WindowName {
    return key.isDemo ? `demo ${this.#addressOf()}` : key.id;
  }

  #noValidKey(): Problem {
    return this.#secret ? invalidKey(this.#source) : missingKey(this.#source);
  }
}

/**
 * Counts requests of the class `keyed` against the key's own limit on them.
 * @throws {Problem} `rate_limited` beyond {@link KEYED_REQUESTS_A_MINUTE}.
 */
export async function takeKeyed(
  { id }: Pick<AccessKey, 'id'>,
  { rates, onRefused }: Pick<AccessServices, 'rates' | 'onRefused'>,
  count = 1,
): Promise<void> {
  // No key has a negative number, so this is a window of its own beside that of metered requests.
  const rate = await rates.take(-id, KEYED_REQUESTS_A_MINUTE, count);
  if (rate.isAllowed) return;
  onRefused?.('rate');
  throw rateLimited(rate, 'free requests');
}

/** The headers that report a key's limits, as alternating names and values. @param used requests this month; `undefined` if unknown. */
function headersOf(key: AccessKey, rate: RateState, used: number | undefined): string[] {
  const headers = ['X-Plan', key.plan, 'X-Quota-Limit', String(quotaOf(key))];
  if (used !== undefined) headers.push('X-Quota-Remaining', String(remainingOf(key, used)));
  // draft-ietf-httpapi-ratelimit-headers: structured fields, one policy named "minute".
  headers.push('RateLimit-Policy', `"minute";q=${rate.limit};w=${WINDOW_SECONDS}`);
  headers.push('RateLimit', `"minute";r=${rate.remaining};t=${secondsUntil(rate.resetAt)}`);
  return headers;
}

function remainingOf(key: AccessKey, used: number): number {
  const allowance = allowanceOf(key);
  return allowance === UNLIMITED ? UNLIMITED : Math.max(0, allowance - used);
}

/** The state of a key's quota after `used` requests this month. */
export function quotaStateOf(key: AccessKey, used: number): QuotaState {
  const now = new Date();
  return {
    limit: quotaOf(key),
    used,
    remaining: remainingOf(key, used),
    resetAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)),
  };
}

function rateLimited({ limit, remaining, resetAt }: RateState, requests = 'requests'): Problem {
  const resetSeconds = secondsUntil(resetAt);
  const left = remaining > 0 ? ` and has ${remaining} left` : '';
  return new Problem(
    'rate_limited',
    `The key may make ${limit} ${requests} a minute${left}: wait ${resetSeconds} seconds, then try again.`,
    { headers: { 'Retry-After': String(resetSeconds) } },
  );
}

function demoRateLimited({ limit, resetAt }: RateState): Problem {
  const resetSeconds = secondsUntil(resetAt);
  return new Problem(
    'rate_limited',
    `Your address may make ${limit} requests a minute with the public demo key: wait ${resetSeconds} seconds, or get a key of your own (\`pda keys create\`).`,
    { headers: { 'Retry-After': String(resetSeconds) } },
  );
}

function beyondWindow(limit: number, cost: number): Problem {
  return new Problem(
    'operation_too_complex',
    `This operation costs ${cost} requests and the key may make ${limit} a minute: send fewer root fields, or fewer \`identifiers\`.`,
  );
}

function quotaExhausted(key: AccessKey, cost: number, { limit, remaining, resetAt }: QuotaState): Problem {
  const reset = resetAt.toISOString().replace('.000', '');
  const what =
    remaining > 0
      ? `This operation costs ${cost} requests and the key has ${remaining} left this month`
      : `The key has used all ${limit} requests a month${key.monthlyQuota === null ? ` of the ${planOf(key.plan).name} plan` : ''}`;
  return new Problem('quota_exhausted', `${what}: wait until ${reset}, or move to a higher plan (see /api/v1/plans).`);
}
