/** The `viewer` field: the key of the request, its plan and its remaining quota. */
import type { QuotaState } from '../access/access.ts';
import { type Plan as PlanRecord, planOf } from '../access/plans.ts';
import { builder } from '../catalogue/builder.ts';
import { Plan } from './plans.ts';

const Viewer = builder.objectRef<{ name: string; plan: PlanRecord; quota: QuotaState }>('Viewer').implement({
  description: 'The API key of the request.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name that the operator gave the key.' }),
    plan: t.field({ type: Plan, description: 'The plan of the key.', resolve: ({ plan }) => plan }),
    used: t.float({
      description: 'Requests used in this calendar month, including this one.',
      resolve: ({ quota }) => quota.used,
    }),
    remaining: t.float({
      description: 'Requests left in this calendar month; 9007199254740991 if unlimited.',
      resolve: ({ quota }) => quota.remaining,
    }),
    resetAt: t.field({
      type: 'DateTime',
      description: 'The time when the quota resets.',
      resolve: ({ quota }) => quota.resetAt,
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'The API key of the request: its plan, usage and remaining quota.',
    resolve: async (_root, _arguments, { access }) => {
      const quota = await access.quota();
      const key = await access.recognise();
      if (!key) throw new Error('A quota was read without a key.');
      return { name: key.name, plan: planOf(key.plan), quota };
    },
  }),
);
