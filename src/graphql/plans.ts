/** The plans, over GraphQL. */
import { PLANS, type Plan as PlanRecord } from '../access/plans.ts';
import { PlanIdType } from '../account/plan-id.ts';
import { builder } from '../catalogue/builder.ts';
import { cost } from '../catalogue/field-cost.ts';

export const Plan = builder.objectRef<PlanRecord>('Plan').implement({
  description: 'The quota and price of a plan.',
  fields: (t) => ({
    id: t.field({ type: PlanIdType, description: 'The id of the plan.', resolve: (plan) => plan.id }),
    name: t.exposeString('name', { description: 'The name to show.' }),
    monthlyQuota: t.exposeInt('monthlyQuota', { description: 'Requests in a calendar month (UTC); 0 is unlimited.' }),
    priceEur: t.float({
      nullable: true,
      description: 'The price per month in EUR; null means on request.',
      resolve: (plan) => plan.priceEur,
    }),
    description: t.exposeString('description', { description: 'What the plan is for.' }),
  }),
});

builder.queryField('plans', (t) =>
  t.field({
    type: [Plan],
    ...cost({ items: PLANS.length, requests: 0 }),
    description: 'The plans, cheapest first. Public and free.',
    resolve: () => [...PLANS],
  }),
);
