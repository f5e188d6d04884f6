/** Finds the keys that have used most of their quota of this month. */
import { monthOf } from '../access/meter.ts';
import { PLANS, type PlanId } from '../access/plans.ts';
import type { Database } from '../database/database.ts';

/** A key with its requests in this month. */
export interface FullKey {
  id: bigint;
  name: string;
  used: number;
  /** Requests a month: the key's own quota, or that of its plan. */
  quota: number;
}

/** The keys that have used at least `share` of their quota, those with the most requests first; at most `most`. */
export function readFullKeys(
  database: Database,
  { share, most, now }: { share: number; most: number; now: number },
): Promise<FullKey[]> {
  const plans: PlanId[] = PLANS.map(({ id }) => id);
  const quotas = PLANS.map(({ monthlyQuota }) => monthlyQuota);
  return database.query<FullKey>(FULL_KEYS, [monthOf(new Date(now)), plans, quotas, share, most], {
    name: 'full_keys',
    isCurrent: true,
  });
}

// One pass over the counters of the month. A quota of 0 is unlimited.
const FULL_KEYS = `
  SELECT key.id, key.name, counter.used::float8 AS used, terms.quota
  FROM usage_counter AS counter
  JOIN api_key AS key ON key.id = counter.key_id
  JOIN unnest($2::text[], $3::int[]) AS plan (id, quota) ON plan.id = key.plan::text
  CROSS JOIN LATERAL (SELECT COALESCE(key.monthly_quota, plan.quota) AS quota) AS terms
  WHERE counter.month = $1::text
    AND key.revoked_at IS NULL
    AND terms.quota > 0
    AND counter.used >= terms.quota * $4::float8
  ORDER BY counter.used DESC, key.id
  LIMIT $5::int`;
