/** The plans that keys are issued for: constant data (contract §8.1). */

export const PLAN_IDS = ['free', 'starter', 'pro', 'enterprise'] as const;
export type PlanId = (typeof PLAN_IDS)[number];

export interface Plan {
  id: PlanId;
  name: string;
  /** Requests in a calendar month (UTC); 0 is unlimited. */
  monthlyQuota: number;
  /** EUR a month; `null` is on request. */
  priceEur: number | null;
  description: string;
}

/** The plans, cheapest first. */
export const PLANS: readonly Plan[] = [
  {
    id: 'free',
    name: 'Free',
    monthlyQuota: 100,
    priceEur: 0,
    description: 'To try the service: 100 requests a month.',
  },
  {
    id: 'starter',
    name: 'Starter',
    monthlyQuota: 10_000,
    priceEur: 29,
    description: 'For small sites and tools: 10,000 requests a month.',
  },
  {
    id: 'pro',
    name: 'Pro',
    monthlyQuota: 100_000,
    priceEur: 99,
    description: 'For comparison sites, apps and repricers: 100,000 requests a month.',
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    monthlyQuota: 0,
    priceEur: null,
    description: 'Unlimited requests, with SLA and support; price on request.',
  },
];

// The largest integer that JSON clients read exactly, so that comparisons of the remaining requests work (decisions §4).
export const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** The plan with an id. */
export function planOf(id: PlanId): Plan {
  const plan = PLANS.find((candidate) => candidate.id === id);
  if (!plan) throw new Error(`Unknown plan ${id}.`);
  return plan;
}

/** The requests a month that a plan allows; {@link UNLIMITED} if its quota is 0. */
export function allowanceOf(id: PlanId): number {
  return planOf(id).monthlyQuota || UNLIMITED;
}
