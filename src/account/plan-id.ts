/** The ids of the plans, over GraphQL. */
import { PLANS, type PlanId } from '../access/plans.ts';
import { builder } from '../catalogue/builder.ts';

export const PlanIdType = builder.enumType('PlanId', {
  description: 'The plans that keys are issued for.',
  values: Object.fromEntries(
    PLANS.map(({ id, name, description }) => [id, { value: id, description: `${name}: ${description}` }]),
  ) as Record<PlanId, { value: PlanId; description: string }>,
});
