/** The plans that keys are issued for (contract §8.1). The command line, the APIs and the database derive their lists from this one. */

interface PlanTerms {
  /** Lower-case letters: also a value of the database's enum. */
  id: string;
  name: string;
  /** Requests per calendar month (UTC); 0 means unlimited. */
  monthlyQuota: number;
  /** The default of `RATE_LIMIT_<ID>`. A key may have its own limit. */
  requestsPerMinute: number;
  /** The most webhooks of a key. */
  webhooks: number;
  /** The most messages a minute to all of them. */
  messagesPerMinute: number;
  /** EUR per month; `null` means on request. */
  priceEur: number | null;
  description: string;
}

/** The plans, cheapest first. */
export const PLANS = [
  {
    id: 'free',
    name: 'Free',
    monthlyQuota: 100,
    requestsPerMinute: 10,
    webhooks: 1,
    messagesPerMinute: 60,
    priceEur: 0,
    description: 'To try the service: 100 requests a month.',
  },
  {
    id: 'starter',
    name: 'Starter',
    monthlyQuota: 10_000,
    requestsPerMinute: 60,
    webhooks: 10,
    messagesPerMinute: 600,
    priceEur: 29,
    description: 'For small sites and tools: 10,000 requests a month.',
  },
  {
    id: 'pro',
    name: 'Pro',
    monthlyQuota: 100_000,
    requestsPerMinute: 600,
    webhooks: 100,
    messagesPerMinute: 6_000,
    priceEur: 99,
    description: 'For comparison sites, apps and repricers: 100,000 requests a month.',
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    monthlyQuota: 0,
    requestsPerMinute: 6_000,
    webhooks: 1_000,
    messagesPerMinute: 60_000,
    priceEur: null,
    description: 'Unlimited requests, with SLA and support; price on request.',
  },
] as const satisfies readonly PlanTerms[];

export type PlanId = (typeof PLANS)[number]['id'];
export type Plan = PlanTerms & { id: PlanId };

export const PLAN_IDS: readonly PlanId[] = PLANS.map(({ id }) => id);

// The largest integer that JSON clients read exactly, so that comparisons of the remaining requests work.
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** The plan with an id. */
export function planOf(id: PlanId): Plan {
  const plan: Plan | undefined = PLANS.find((candidate) => candidate.id === id);
  if (!plan) throw new Error(`Unknown plan ${id}.`);
  return plan;
}

/** The parts of a key that decide how many requests a month it may make. */
export interface QuotaTerms {
  plan: PlanId;
  /** Requests a month, if different from the plan's; 0 is unlimited. */
  monthlyQuota?: number | null | undefined;
}

/** The requests a month that a key may make: its own quota or that of its plan; 0 is unlimited. */
export const quotaOf = ({ plan, monthlyQuota }: QuotaTerms): number => monthlyQuota ?? planOf(plan).monthlyQuota;

/** The same as a number to compare with: {@link UNLIMITED} if the quota is 0. */
export const allowanceOf = (key: QuotaTerms): number => quotaOf(key) || UNLIMITED;
