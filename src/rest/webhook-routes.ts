/** The routes that administer webhooks. */
import * as z from 'zod';
import { graphql } from '../graphql/document.ts';
import { MOST_REPLAYED_IDS } from '../webhooks/delivery-queue.ts';
import { MOST_CODES, MOST_PERCENT } from '../webhooks/filter.ts';
import { KIND_NAMES } from '../webhooks/kinds.ts';
import { oneOf, paging } from './parameter-types.ts';
import { fromGraphql, type ParameterValues, type Route } from './route.ts';

const WEBHOOK = `
  fragment Webhook on Webhook {
    id
    url
    kinds
    filter { ...WebhookFilter }
    enabled
    confirmed
    disabledAt
    disabledReason
    failingSince
    createdAt
  }
  fragment WebhookFilter on WebhookFilter { product category brand merchant minPercent below codes }`;

const DELIVERY = `
  fragment WebhookDelivery on WebhookDelivery {
    id
    messageId
    kind
    productId
    state
    attempts
    lastStatus
    lastError
    nextAttemptAt
    createdAt
    lastAttemptAt
    deliveredAt
  }`;

const EXAMPLE_ID = 'whk_1';
const id = z.string().min(1, 'must not be empty').meta({ description: 'The id of the webhook.' });
const byId = z.object({ id });

const reference = (description: string, example: string) =>
  z
    .string('must be a text')
    .min(1, 'must not be empty')
    .max(200, 'is too long')
    .optional()
    .meta({ description, examples: [example] });

const filter = z
  .strictObject(
    {
      product: reference('One product: its slug, id, GTIN or ASIN.', 'some-product'),
      category: reference('Products in this category or below it: its slug or id.', 'headphones'),
      brand: reference('Products of this brand: its slug or id.', 'sonavia'),
      merchant: reference('Changes by the feed of this shop: its slug or id.', 'techtonne'),
      minPercent: z
        .number('must be a number')
        .optional()
        .meta({
          description: `For \`price_changed\`: the smallest change of the lowest price in percent, 0.01 to ${MOST_PERCENT}.`,
          examples: [5],
        }),
      below: z
        .number('must be a number')
        .optional()
        .meta({
          description: 'For `price_below`: the price to reach, in the currency of the service.',
          examples: [49.99],
        }),
      codes: z
        .array(z.string('must be a text'), 'must be a list of texts')
        .max(MOST_CODES, `must have at most ${MOST_CODES} entries`)
        .optional()
        .meta({ description: 'For `product_found`: GTINs and ASINs that no product has yet.' }),
    },
    'must be an object',
  )
  .meta({
    description:
      'The changes that cause messages; all conditions must hold. All kinds but `product_found` need `product`, `category`, `brand` or `merchant`.',
  });

const url = z.string('must be a text').meta({
  description: 'An https URL on port 443 or 8443, at most 2048 characters, without a user and password.',
  examples: ['https://example.com/hooks/prices'],
});
const kinds = z
  .array(oneOf(KIND_NAMES), 'must be a list of kinds')
  .min(1, 'must name at least one kind')
  .max(KIND_NAMES.length, 'must name each kind once')
  .meta({ description: 'The kinds of messages.' });

const noSuchWebhook = ({ id: asked }: ParameterValues) =>
  `The key has no webhook with the id ${String(asked).slice(0, 100)}: get ids from /api/v1/webhooks.`;

/** What all these routes have in common. */
const COMMON = { tag: 'Webhooks', access: 'keyed', parameters: byId, example: { id: EXAMPLE_ID } } as const;

export const WEBHOOK_ROUTES: readonly Route[] = [
  {
    ...COMMON,
    path: '/api/v1/webhooks',
    name: 'listWebhooks',
    summary: 'Your webhooks',
    description: 'The webhooks of the key, oldest first.',
    parameters: z.object(paging),
    example: { limit: 2 },
    source: fromGraphql({
      document: graphql(`
        query Webhooks($limit: Int, $cursor: String) {
          data: webhooks(first: $limit, after: $cursor) {
            nodes { ...Webhook }
            pageInfo { hasNextPage endCursor }
          }
        }
        ${WEBHOOK}`),
      shape: 'page',
    }),
  },
  {
    ...COMMON,
    path: '/api/v1/webhooks',
    method: 'POST',
    status: 201,
    name: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Creates a webhook. `secret` is only in this response: store it, to verify the signatures of messages. The webhook is enabled once its receiver has confirmed the address by its answer to `webhook.verify`. A plan allows 1 (free), 10 (starter), 100 (pro) or 1000 (enterprise) webhooks.',
    parameters: z.object({}),
    example: {},
    body: z.strictObject({ url, kinds, filter: filter.optional() }, 'must be an object'),
    exampleBody: { url: 'https://example.com/hooks/prices', kinds: ['new_low'], filter: { brand: 'sonavia' } },
    source: fromGraphql({
      document: graphql(`
        mutation CreateWebhook($input: NewWebhookInput!) {
          data: createWebhook(input: $input) { ...Webhook secret }
        }
        ${WEBHOOK}`),
      shape: 'whole',
      variables: ({ body }) => ({ input: body }),
      locationOf: ({ id: created }) => `/api/v1/webhooks/${created}`,
    }),
  },
  {
    ...COMMON,
    path: '/api/v1/webhooks/{id}',
    name: 'getWebhook',
    summary: 'A webhook',
    description: 'One webhook of the key, with the reason if it is disabled.',
    source: fromGraphql({
      document: graphql(`
        query Webhook($id: ID!) {
          data: webhook(id: $id) { ...Webhook }
        }
        ${WEBHOOK}`),
      shape: 'whole',
      explainNothing: noSuchWebhook,
    }),
  },
  {
    ...COMMON,
    path: '/api/v1/webhooks/{id}',
    method: 'PATCH',
    name: 'updateWebhook',
    summary: 'Change a webhook',
    description:
      'Changes the members that the body has. `filter` replaces the whole filter. Another `url` must be confirmed like that of a new webhook. `enabled: true` starts messages again, also after the service has disabled the webhook, and asks the receiver again to confirm an address that is not confirmed.',
    body: z.strictObject(
      {
        url: url.optional(),
        kinds: kinds.optional(),
        filter: filter.optional(),
        enabled: z.boolean('must be true or false').optional().meta({ description: 'Whether messages are sent.' }),
      },
      'must be an object',
    ),
    exampleBody: { enabled: true },
    source: fromGraphql({
      document: graphql(`
        mutation UpdateWebhook($id: ID!, $input: WebhookChangeInput!) {
          data: updateWebhook(id: $id, input: $input) { ...Webhook }
        }
        ${WEBHOOK}`),
      shape: 'whole',
      variables: ({ id: asked, body }) => ({ id: asked, input: body }),
      explainNothing: noSuchWebhook,
    }),
  },
  {
    ...COMMON,
    path: '/api/v1/webhooks/{id}',
    method: 'DELETE',
    status: 204,
    name: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Deletes a webhook with its deliveries. Messages that still wait are not sent.',
    source: fromGraphql({
      document: graphql(`
        mutation DeleteWebhook($id: ID!) {
          data: deleteWebhook(id: $id)
        }`),
      shape: 'whole',
      explainNothing: noSuchWebhook,
    }),
  },
  {
    ...COMMON,
    path: '/api/v1/webhooks/{id}/deliveries',
    name: 'listWebhookDeliveries',
    summary: 'Deliveries of a webhook',
    description:
      'The messages of the last 30 days, newest first, each with the result of its last attempt. Tests are kept for a day.',
    parameters: z.object({ id, ...paging }),
    source: fromGraphql({
      document: graphql(`
        query WebhookDeliveries($id: ID!, $limit: Int, $cursor: String) {
          data: webhook(id: $id) {
            deliveries(first: $limit, after: $cursor) {
              nodes { ...WebhookDelivery }
              pageInfo { hasNextPage endCursor }
            }
          }
        }
        ${DELIVERY}`),
      shape: { page: 'deliveries' },
      explainNothing: noSuchWebhook,
    }),
  },
  {
    ...COMMON,
    path: '/api/v1/webhooks/{id}/test',
    method: 'POST',
    status: 202,
    name: 'testWebhook',
    summary: 'Send a test message',
    description:
      'Sends an example message of the first kind, with `data.test` true, signed and retried like every other. The response is its delivery, which is still waiting.',
    body: z.strictObject({}, 'must be an object'),
    exampleBody: {},
    source: fromGraphql({
      document: graphql(`
        mutation TestWebhook($id: ID!) {
          data: testWebhook(id: $id) { ...WebhookDelivery }
        }
        ${DELIVERY}`),
      shape: 'whole',
      explainNothing: noSuchWebhook,
    }),
  },
  {
    ...COMMON,
    path: '/api/v1/webhooks/{id}/replay',
    method: 'POST',
    status: 202,
    name: 'replayWebhook',
    summary: 'Send past messages again',
    description:
      'Sends past deliveries again, oldest first and at most 1000, or what the plan has left of the messages of this minute, with the same message ids. Send exactly one of `from` and `deliveries`. Messages that still wait are left alone, and so are tests, unless `deliveries` has them. If there was no room for all, go on with `nextFrom` as `from`, or send the ids in `remaining` again as `deliveries`. With `from`, the request counts as ten in the limits.',
    body: z.strictObject(
      {
        from: z
          .string('must be a text')
          .optional()
          .meta({
            description: 'All that were created at this RFC 3339 time or later.',
            examples: ['2026-01-31T08:00:00Z'],
          }),
        deliveries: z
          .array(z.string('must be a text'), 'must be a list of ids')
          .max(MOST_REPLAYED_IDS, `must have at most ${MOST_REPLAYED_IDS} ids: send fewer, or use \`from\``)
          .optional()
          .meta({ description: `The ids of 1 to ${MOST_REPLAYED_IDS} deliveries.` }),
      },
      'must be an object',
    ),
    exampleBody: { from: '2026-01-31T08:00:00Z' },
    source: fromGraphql({
      document: graphql(`
        mutation ReplayWebhook($id: ID!, $from: String, $deliveries: [ID!]) {
          data: replayWebhook(id: $id, from: $from, deliveries: $deliveries) { count nextFrom remaining }
        }`),
      shape: 'whole',
      variables: ({ id: asked, body }) => ({ id: asked, ...(body as object) }),
      explainNothing: noSuchWebhook,
    }),
  },
];
