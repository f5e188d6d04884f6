/** Whose key it is: its plan and what is left of the month. */
import type { QuotaState } from '../access/access.ts';
import { type Plan as PlanRecord, planOf } from '../access/plans.ts';
import { builder } from '../catalogue/builder.ts';
import { Plan } from './plans.ts';

const Viewer = builder.objectRef<{ name: string; plan: PlanRecord; quota: QuotaState }>('Viewer').implement({
  description: 'The key that asks.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name that the operator gave the key.' }),
    plan: t.field({ type: Plan, description: 'The plan of the key.', resolve: ({ plan }) => plan }),
    used: t.float({
      description: 'Requests used in this calendar month, this one included.',
      resolve: ({ quota }) => quota.used,
    }),
    remaining: t.float({
      description: 'Requests left in this calendar month; 9007199254740991 when unlimited.',
      resolve: ({ quota }) => quota.remaining,
    }),
    resetAt: t.field({
      type: 'DateTime',
      description: 'When the counter begins anew.',
      resolve: ({ quota }) => quota.resetAt,
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'The key that asks: its plan, what it has used and what is left.',
    resolve: async (_root, _arguments, { access }) => {
      const quota = await access.quota();
      const key = await access.recognise();
      if (!key) throw new Error('A quota was read without a key.');
      return { name: key.name, plan: planOf(key.plan), quota };
    },
  }),
);
