/** The routes about the key of the request: its usage, and its rotation. */
import * as z from 'zod';
import { MOST_GRACE_HOURS } from '../access/key-terms.ts';
import { DEFAULT_GRACE_HOURS, MOST_A_DAY, MOST_WORKING } from '../account/rotate.ts';
import { DEFAULT_USAGE_DAYS, MOST_USAGE_DAYS } from '../account/usage.ts';
import { graphql } from '../graphql/document.ts';
import { whole } from './parameter-types.ts';
import { fromGraphql, type Route } from './route.ts';

const COMMON = { tag: 'Account', access: 'keyed' } as const;

const hours = `must be a number of hours from 0 to ${MOST_GRACE_HOURS}`;

export const ACCOUNT_ROUTES: readonly Route[] = [
  {
    ...COMMON,
    path: '/api/v1/usage',
    name: 'getUsage',
    summary: 'Your usage',
    description:
      'The plan of the key, its quota, its requests a minute, and the requests of each day up to and including today. A `quota.limit` of 0 means unlimited; `quota.remaining` is 9007199254740991 then.',
    tool: 'Use this to see how many requests the key has left this month before many calls, and how many it has used on each day. Costs nothing.',
    parameters: z.object({
      days: whole(1, MOST_USAGE_DAYS).default(DEFAULT_USAGE_DAYS).meta({
        description: 'The number of days up to and including today, in UTC.',
        example: DEFAULT_USAGE_DAYS,
      }),
    }),
    example: { days: 7 },
    source: fromGraphql({
      document: graphql(`
        query Usage($days: Int) {
          data: usage(days: $days) {
            plan
            quota { limit used remaining resetsAt }
            requestsPerMinute
            days { date requests }
          }
        }`),
      shape: 'whole',
      table: { rows: 'days', beside: [] },
    }),
  },
  {
    ...COMMON,
    path: '/api/v1/key/rotate',
    method: 'POST',
    name: 'rotateKey',
    summary: 'Rotate your key',
    description: `Gives the key a new text, which is only in this response: store it. The former text works for \`graceHours\` more, and only reads: it rotates no key and changes no webhook. Plan, usage and webhooks stay. A key can have at most ${MOST_A_DAY} texts in 24 hours, of which ${MOST_WORKING} may work at the same time.`,
    parameters: z.object({}),
    example: {},
    body: z.strictObject(
      {
        graceHours: z
          .number(hours)
          .min(0, hours)
          .max(MOST_GRACE_HOURS, hours)
          .optional()
          .meta({
            description: `How many hours the former key still reads; ${DEFAULT_GRACE_HOURS} by default.`,
            examples: [DEFAULT_GRACE_HOURS],
          }),
      },
      'must be an object',
    ),
    exampleBody: { graceHours: 48 },
    source: fromGraphql({
      document: graphql(`
        mutation RotateKey($graceHours: Float) {
          data: rotateKey(graceHours: $graceHours) { id name plan key formerKeysEnd }
        }`),
      shape: 'whole',
      variables: ({ body }) => ({ ...(body as object) }),
    }),
  },
];
