/** The usage of a key as its holder sees it: plan, quota, rate limit, and the requests of each day. */
import { type Access, type AccessServices, type QuotaState, quotaStateOf } from '../access/access.ts';
import type { AccessKey } from '../access/keys.ts';
import type { PlanId } from '../access/plans.ts';
import { daysOfMonth } from '../access/usage-days.ts';
import type { Queryable } from '../database/database.ts';
import { DAY_MS, dayOf, monthOfDay, startOfDay } from '../values/day.ts';

/** The most days of daily usage in one answer. */
export const MOST_USAGE_DAYS = 92;
export const DEFAULT_USAGE_DAYS = 30;

export interface Usage {
  plan: PlanId;
  quota: QuotaState;
  /** Requests a minute that the key may make. */
  requestsPerMinute: number;
  /** Every day to today in UTC, oldest first. */
  days: UsageDay[];
}

export interface UsageDay {
  /** `YYYY-MM-DD`. */
  date: string;
  /** Requests deducted on this day. */
  requests: number;
}

// By the primary key of usage_counter. SQL, because Prisma drops the lower bound of the array of days.
const USED_DAYS = `
  SELECT month, used,
         to_jsonb(ARRAY(SELECT day_starts[day] FROM generate_series(1, 31) AS day ORDER BY day)) AS starts
  FROM usage_counter
  WHERE key_id = $1::bigint AND month = ANY ($2::text[])`;

/** The requests of each of the last `days` days, today included. */
async function usedDays(database: Queryable, keyId: bigint, days: number): Promise<UsageDay[]> {
  const today = dayOf(Date.now());
  const first = dayOf(startOfDay(today) - (days - 1) * DAY_MS);
  const wanted = Array.from({ length: days }, (_, index) => dayOf(startOfDay(first) + index * DAY_MS));
  const months = [...new Set(wanted.map(monthOfDay))];
  const rows = await database.query<{ month: string; used: bigint; starts: (number | null)[] }>(
    USED_DAYS,
    [keyId, months],
    { name: 'used_days' },
  );
  const used = new Map(
    rows.flatMap(({ month, used: all, starts }) =>
      daysOfMonth(starts, Number(all), month, today).map((each) => [each.day, each.used] as const),
    ),
  );
  return wanted.map((date) => ({ date, requests: used.get(date) ?? 0 }));
}

/** The usage of the key of a request, whose access class makes sure that there is one. */
export async function usageOfRequest(database: Queryable, access: Access, days: number): Promise<Usage> {
  const key = await access.recognise();
  if (!key) throw new Error('The usage of a request without a key was asked for.');
  const [quota, perDay] = await Promise.all([access.quota(), usedDays(database, key.id, days)]);
  return { plan: key.plan, quota, requestsPerMinute: access.rateLimitOf(key), days: perDay };
}

/** The usage of a key. */
export async function usageOfKey(
  database: Queryable,
  { meter, rateLimits }: Pick<AccessServices, 'meter' | 'rateLimits'>,
  key: AccessKey,
  days: number,
): Promise<Usage> {
  const [used, perDay] = await Promise.all([meter.used(key.id), usedDays(database, key.id, days)]);
  const requestsPerMinute = key.rateLimit ?? rateLimits[key.plan];
  return { plan: key.plan, quota: quotaStateOf(key, used), requestsPerMinute, days: perDay };
}
