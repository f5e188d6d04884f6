/** What belongs to a key, over GraphQL: its usage and its rotation, which are free. REST runs them too. */

import type { QuotaState } from '../access/access.ts';
import { MOST_GRACE_HOURS } from '../access/key-terms.ts';
import { requireUpTo } from '../catalogue/arguments.ts';
import { builder, type Context } from '../catalogue/builder.ts';
import { cost, wholeArgument } from '../catalogue/field-cost.ts';
import type { Account } from './account.ts';
import { PlanIdType } from './plan-id.ts';
import { DEFAULT_GRACE_HOURS, MOST_A_DAY, MOST_WORKING, type RotatedKey } from './rotate.ts';
import { DEFAULT_USAGE_DAYS, MOST_USAGE_DAYS, type UsageDay, type Usage as UsageRecord } from './usage.ts';

declare module '../catalogue/builder.ts' {
  interface Context {
    /** The account of the request's key. */
    account: Account;
  }
}

const KEYED = { requests: 0, isKeyed: true } as const;

const UsageQuota = builder.objectRef<QuotaState>('UsageQuota').implement({
  description: 'The quota of a key in the current calendar month (UTC).',
  fields: (t) => ({
    limit: t.exposeInt('limit', { description: 'Requests a month; 0 is unlimited, as in `X-Quota-Limit`.' }),
    used: t.float({ description: 'Requests used in this month.', resolve: ({ used }) => used }),
    remaining: t.float({
      description: 'Requests left in this month, as in `X-Quota-Remaining`; 9007199254740991 if unlimited.',
      resolve: ({ remaining }) => remaining,
    }),
    resetsAt: t.field({
      type: 'DateTime',
      description: 'The time when the quota resets.',
      resolve: ({ resetAt }) => resetAt,
    }),
  }),
});

const DayOfUsage = builder.objectRef<UsageDay>('UsageDay').implement({
  description: 'The usage of one day.',
  fields: (t) => ({
    date: t.field({ type: 'Day', description: 'The day, in UTC.', resolve: ({ date }) => date }),
    requests: t.float({ description: 'Requests deducted on this day.', resolve: ({ requests }) => requests }),
  }),
});

const Usage = builder.objectRef<UsageRecord>('Usage').implement({
  description: 'The usage of the key of the request.',
  fields: (t) => ({
    plan: t.field({ type: PlanIdType, description: 'The plan of the key.', resolve: ({ plan }) => plan }),
    quota: t.field({ type: UsageQuota, description: 'The quota of this month.', resolve: ({ quota }) => quota }),
    requestsPerMinute: t.exposeInt('requestsPerMinute', { description: 'Requests that the key may make per minute.' }),
    days: t.field({
      type: [DayOfUsage],
      ...cost({ isSizedByParent: true }),
      description: 'Every day up to and including today, oldest first.',
      resolve: ({ days }) => days,
    }),
  }),
});

builder.queryField('usage', (t) =>
  t.field({
    type: Usage,
    ...cost({
      ...KEYED,
      weight: 20,
      itemsBelow: (argument) => wholeArgument(argument('days'), DEFAULT_USAGE_DAYS, MOST_USAGE_DAYS),
    }),
    description: 'The plan, the quota and the daily usage of the key. Free.',
    args: {
      days: t.arg.int({
        description: `The number of days up to and including today, 1 to ${MOST_USAGE_DAYS}; ${DEFAULT_USAGE_DAYS} by default.`,
      }),
    },
    resolve: (_root, { days }, { account, access }) => {
      requireUpTo(MOST_USAGE_DAYS, 'days', days);
      return account.usage(access, days ?? DEFAULT_USAGE_DAYS);
    },
  }),
);

const Rotated = builder.objectRef<RotatedKey>('RotatedKey').implement({
  description: 'A key with its new text, which is shown only once.',
  fields: (t) => ({
    id: t.id({ description: 'The opaque id of the key, which stays the same.', resolve: ({ id }) => id }),
    name: t.exposeString('name', { description: 'The name that the operator gave the key.' }),
    plan: t.field({ type: PlanIdType, description: 'The plan of the key.', resolve: ({ plan }) => plan }),
    key: t.exposeString('key', { description: 'The new key: store it now.' }),
    formerKeysEnd: t.field({
      type: 'DateTime',
      description: 'The time when the former key stops working.',
      resolve: ({ formerKeysEnd }) => formerKeysEnd,
    }),
  }),
});

builder.mutationField('rotateKey', (t) =>
  t.field({
    type: Rotated,
    ...cost({ ...KEYED, weight: 20, isAlone: true }),
    description: `Gives the key of the request a new text, which is only in this response. The former one works for \`graceHours\` more, and only reads. Only the newest one may rotate the key. At most ${MOST_A_DAY} a day, and ${MOST_WORKING} that work at the same time. It must be the only field of its mutation. Free.`,
    args: {
      graceHours: t.arg.float({
        description: `How many hours the former key still reads, 0 to ${MOST_GRACE_HOURS}; ${DEFAULT_GRACE_HOURS} by default.`,
      }),
    },
    resolve: async (_root, { graceHours }, context) =>
      context.account.rotate(await ownerOf(context), graceHours ?? undefined),
  }),
);

/** The key of the request. The access class makes sure that there is one. */
async function ownerOf({ access }: Context) {
  const key = await access.recognise();
  if (!key) throw new Error('A field of the account was admitted without a key.');
  return key;
}
