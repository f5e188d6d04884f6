/**
 * Exact, durable metering: every request is counted in the database before it is answered, and the database decides which requests fit
 * into the quota. Requests that arrive while a statement runs share the next one, so that a hundred counts cost one statement.
 */
import { LRUCache } from 'lru-cache';
import { DatabaseUnavailable, type Queryable } from '../database/database.ts';
import { dayInMonth, dayOf, monthOfDay } from '../values/day.ts';
import { type Grant, journalled, openJournal } from './journal.ts';
import { openRefunds } from './refunds.ts';

/** The outcome of a charge. */
export interface Charge {
  isGranted: boolean;
  /** Requests used in the month, including this one. */
  used: number;
  /** The day charged, `YYYY-MM-DD` in UTC; its month is the one whose quota was charged. */
  day: string;
}

export type Meter = ReturnType<typeof openMeter>;

interface Waiting {
  cost: number;
  since: number;
  resolve(charge: Charge): void;
  reject(error: unknown): void;
}

/** One key's share of a statement. */
interface Group {
  keyId: bigint;
  allowance: number;
  requests: Waiting[];
}

// The remaining quota is decided under the row's lock, not by values read before. `granted` returns the decision, since RETURNING sees
// only the row after the change. $5 says whether a group that does not fit as a whole may be granted in part. Keys are locked in order,
// so that instances cannot deadlock. $6 is the day of the month. A day is stored as the requests used before its first one: written
// once a day, and the days add up to the count because they are its differences.
const GRANT = `
  CASE
    WHEN counter.used + excluded.used <= excluded.quota THEN excluded.used
    WHEN $5::boolean THEN GREATEST(excluded.quota - counter.used, 0)
    ELSE 0
  END`;
const CHARGE = journalled(
  `
  INSERT INTO usage_counter AS counter (key_id, month, quota, used, granted, day_starts)
  SELECT key_id, $1::text, quota, fitting, fitting, array_fill(0::bigint, ARRAY[$6::int])
  FROM (
    SELECT key_id, quota, CASE WHEN asked <= quota THEN asked WHEN $5::boolean THEN quota ELSE 0 END AS fitting
    FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS batch (key_id, asked, quota)
    ORDER BY key_id
  ) AS batch
  ON CONFLICT (key_id, month) DO UPDATE
  SET quota = excluded.quota,
      used = counter.used + ${GRANT},
      granted = ${GRANT},
      day_starts[$6::int] = COALESCE(counter.day_starts[$6::int], counter.used)
  RETURNING key_id, used, granted`,
  7,
);

// Charges like CHARGE, but beside a long transaction, with a function of the database. Both must decide alike. During an upgrade, gateways of
// the previous version still call the function, so another rule needs a function with another name.
const CHARGE_NEWEST = journalled(
  `
  SELECT key_id, used, granted
  FROM charge_newest($1::text, $2::bigint[], $3::bigint[], $4::bigint[], $5::boolean, $6::int)`,
  7,
);

const USED = `
  SELECT used
  FROM usage_counter
  WHERE key_id = $1::bigint AND month = $2::text`;

const USED_BY = `
  SELECT key_id, used
  FROM usage_counter
  WHERE key_id = ANY ($1::bigint[]) AND month = $2::text`;

const RETRY_MS = 1_000;
// A request that has waited this long when a statement fails for lack of the database is refused, and does not wait for the next one.
const LONGEST_WAIT_MS = 1_000;

/** The calendar month in UTC, `YYYY-MM`. */
export const monthOf = (moment: Date): string => moment.toISOString().slice(0, 7);

/** Opens the meter over a database. @param now the clock; requests are charged to its day and month. */
export function openMeter(
  database: Queryable,
  onRefundFailed: (error: unknown) => void = () => {},
  now: () => Date = () => new Date(),
) {
  let gathering = new Map<bigint, Group>();
  /** Requests of groups with different costs that did not fit as a whole: tried one by one, in order. */
  const alone = new Map<bigint, Group>();
  let isRunning = false;

  const join = (groups: Map<bigint, Group>, keyId: bigint, allowance: number, requests: Waiting[]) => {
    const group = groups.get(keyId);
    if (!group) groups.set(keyId, { keyId, allowance, requests });
    else {
      group.allowance = allowance;
      group.requests.push(...requests);
    }
  };

  const charges = openJournal(database);
  /** The day of the last charge, to refund its grants. */
  let dayOfLast = '';
  let isAway = false;

  const run = async () => {
    isRunning = true;
    // Gather all requests that arrive in this turn of the event loop.
    await new Promise(setImmediate);
    // Without new requests, nothing else would resolve the doubt.
    if (gathering.size === 0 && charges.isInDoubt()) await clearDoubt().catch((error) => refuse([], error));
    do {
      const groups = [...gathering.values()];
      gathering = new Map();
      const mixed = groups.filter((group) => !isUniform(group));
      await chargeGroups(groups.filter(isUniform), true);
      await chargeGroups(mixed, false);
      await chargeGroups(takeOneOfEach(alone), false);
    } while (gathering.size > 0 || alone.size > 0);
    isRunning = false;
  };

  const chargeGroups = async (groups: Group[], isDivisible: boolean) => {
    if (groups.length === 0) return;
    const day = dayOf(now().getTime());
    const month = monthOfDay(day);
    try {
      if (charges.isInDoubt()) await clearDoubt();
      dayOfLast = day;
      const rows = await decide(groups, isDivisible, day, month);
      isAway = false;
      const decided = new Map(rows.map((row) => [row.key_id, row]));
      for (const group of groups) {
        const row = decided.get(group.keyId);
        const used = Number(row?.used ?? 0);
        const granted = Number(row?.granted ?? 0);
        lately.set(`${group.keyId} ${month}`, used);
        if (!isDivisible && granted === 0 && group.requests.length > 1) {
          join(alone, group.keyId, group.allowance, group.requests);
        } else answerSoon(() => share(group.requests, used, granted, day));
      }
    } catch (error) {
      refuse(groups, error);
    }
  };

  // The next statement is sent first, so that the database works on it while the answers are written.
  const answerSoon = (answer: () => void) => {
    if (gathering.size > 0) setImmediate(answer);
    else answer();
  };

  const decide = async (groups: Group[], isDivisible: boolean, day: string, month: string): Promise<Grant[]> => {
    const startedAt = performance.now();
    const keyIds = groups.map((group) => group.keyId);
    const allowances = groups.map((group) => group.allowance);
    const parameters = [month, keyIds, groups.map(costOf), allowances, isDivisible, dayInMonth(day)];
    const batchSize = groups.reduce((sum, { requests }) => sum + requests.length, 0);
    const write = () =>
      charges.hasMovedLately()
        ? charges.write(CHARGE_NEWEST, keyIds, parameters, { name: 'charge_newest', batchSize })
        : charges.write(CHARGE, keyIds, parameters, { name: 'charge', batchSize });
    try {
      return await write();
    } catch (error) {
      // If the connection was cut early, the outcome can be read now and the requests can still be answered.
      if (!charges.isInDoubt() || performance.now() - startedAt > LONGEST_WAIT_MS) throw error;
      const granted = await charges.settle();
      if (!granted) return await write();
      return await readGrants(month, granted);
    }
  };

  const readGrants = async (month: string, granted: Map<bigint, number>): Promise<Grant[]> => {
    try {
      const rows = await database.query<{ key_id: bigint; used: bigint }>(USED_BY, [[...granted.keys()], month], {
        name: 'used_by',
      });
      return rows.map((row) => ({ ...row, granted: BigInt(granted.get(row.key_id) ?? 0) }));
    } catch (error) {
      cancel(granted); // The requests are refused.
      throw error;
    }
  };

  const cancel = (granted: Map<bigint, number>) => {
    for (const [keyId, cost] of granted) if (cost > 0) refunds.owe({ keyId, day: dayOfLast, cost });
  };

  /** Reads the outcome of the last charge, and refunds its grants, since the requests have been refused meanwhile. */
  const clearDoubt = async () => {
    const granted = await charges.settle();
    if (granted) cancel(granted);
  };

  const refuse = (groups: Group[], error: unknown) => {
    isAway = error instanceof DatabaseUnavailable;
    for (const request of groups.flatMap((group) => group.requests)) request.reject(error);
    if (charges.isInDoubt()) tryAgain();
    if (!isAway) return;
    const tooLong = performance.now() - LONGEST_WAIT_MS;
    for (const waiting of [gathering, alone]) {
      for (const [keyId, group] of waiting) {
        for (const request of group.requests) if (request.since < tooLong) request.reject(error);
        group.requests = group.requests.filter(({ since }) => since >= tooLong);
        if (group.requests.length === 0) waiting.delete(keyId);
      }
    }
  };

  const lately = new LRUCache<string, number>({ max: 50_000, ttl: 2_000, noDeleteOnStaleGet: true });

  const refunds = openRefunds(database, onRefundFailed);
  let retry: NodeJS.Timeout | undefined;
  const tryAgain = () => {
    retry ??= setTimeout(() => {
      retry = undefined;
      if (charges.isInDoubt() && !isRunning) void run();
    }, RETRY_MS).unref();
  };

  return {
    /**
     * Deducts `cost` requests from a key, all or none.
     *
     * @param allowance requests that the key may use in a month.
     * @throws {DatabaseUnavailable} when nothing could be counted, or the outcome is unknown; a count found later is refunded.
     */
    charge(keyId: bigint, allowance: number, cost: number): Promise<Charge> {
      const day = dayOf(now().getTime());
      const used = lately.get(`${keyId} ${monthOfDay(day)}`);
      // A flood on a key that is used up costs no statements. Refunds and other allowances show within two seconds.
      if (used !== undefined && used >= allowance && cost > 0) return Promise.resolve({ isGranted: false, used, day });
      return new Promise((resolve, reject) => {
        join(gathering, keyId, allowance, [{ cost, since: performance.now(), resolve, reject }]);
        if (!isRunning) void run();
      });
    },
    /** Whether a key had used up its requests when its count was last seen this month, however long ago. */
    wasUsedUp(keyId: bigint, allowance: number): boolean {
      const used = lately.peek(`${keyId} ${monthOf(now())}`, { allowStale: true });
      return used !== undefined && used >= allowance;
    },
    /** Refunds the cost of a request that the service failed to answer. Kept and retried until it is written. */
    refund(keyId: bigint, day: string, cost: number) {
      const name = `${keyId} ${monthOfDay(day)}`;
      const known = lately.get(name);
      if (known !== undefined) lately.set(name, Math.max(known - cost, 0));
      refunds.owe({ keyId, day, cost });
    },
    /**
     * Requests used by a key in the current month, cached for two seconds, so that a flood of refusals does not read the database. While
     * the database is unavailable, returns the last known figure.
     *
     * @throws {DatabaseUnavailable} if none is known.
     */
    async used(keyId: bigint) {
      const month = monthOf(now());
      const known = lately.get(`${keyId} ${month}`, { allowStale: isAway });
      if (known !== undefined) return known;
      if (isAway) throw countUnknown();
      const [row] = await database.query<{ used: bigint }>(USED, [keyId, month], { name: 'used' });
      const used = Number(row?.used ?? 0);
      lately.set(`${keyId} ${month}`, used);
      return used;
    },
    /** Writes pending refunds; called once, before the database closes. */
    async drain() {
      clearTimeout(retry);
      if (charges.isInDoubt() && !isRunning) await run();
      clearTimeout(retry);
      // Refunds that fail here are lost with this process; their failure has been reported. Other meters delete a row left behind.
      await refunds.close().catch(() => {});
      await charges.close().catch(() => {});
    },
  };
}

const countUnknown = () =>
  new DatabaseUnavailable('The count is unknown while the database is unavailable.', { isUndecided: false });

/** Distributes a group's grant to its requests in order of arrival. */
function share(requests: Waiting[], usedAfter: number, granted: number, day: string): void {
  let used = usedAfter - granted;
  let left = granted;
  for (const request of requests) {
    const isGranted = request.cost <= left;
    if (isGranted) {
      left -= request.cost;
      used += request.cost;
    }
    request.resolve({ isGranted, used, day });
  }
}

const costOf = ({ requests }: Group) => requests.reduce((sum, { cost }) => sum + cost, 0);

/** A group whose requests all cost 1 can be granted in part without leaving an unusable remainder. */
const isUniform = ({ requests }: Group) => requests.every(({ cost }) => cost === 1);

function takeOneOfEach(groups: Map<bigint, Group>): Group[] {
  const taken: Group[] = [];
  for (const [keyId, group] of groups) {
    const first = group.requests.shift();
    if (first) taken.push({ ...group, requests: [first] });
    if (group.requests.length === 0) groups.delete(keyId);
  }
  return taken;
}
