/** The GraphQL types of webhooks. */
import { builder } from '../catalogue/builder.ts';
import { cost } from '../catalogue/field-cost.ts';
import { encodeId } from '../values/id.ts';
import { MOST_REPLAYED_IDS, type ReplayResult } from './delivery-queue.ts';
import { DELIVERY_STATES, stateOf } from './delivery-state.ts';
import { type AskedFilter, MOST_CODES } from './filter.ts';
import { KIND_NAMES, KINDS, type WebhookKind } from './kinds.ts';
import { askedFilterOf, type Delivery, type WebhookRow } from './webhooks.ts';

/** A webhook, with its secret if it was created just now. */
export type ShownWebhook = WebhookRow & { isNew?: true };

export const Kind = builder.enumType('WebhookKind', {
  description: 'The kinds of messages that webhooks receive.',
  values: Object.fromEntries(
    KIND_NAMES.map((kind) => [kind, { value: kind, description: KINDS[kind].description }]),
  ) as Record<WebhookKind, { value: WebhookKind; description: string }>,
});

export const FilterInput = builder.inputType('WebhookFilterInput', {
  description:
    'The changes that cause messages: all conditions must hold. All kinds but `product_found` need `product`, `category`, `brand` or `merchant`.',
  fields: (t) => ({
    product: t.string({ description: 'One product: its slug, id, GTIN or ASIN.' }),
    category: t.string({ description: 'Products in this category or below it: its slug or id.' }),
    brand: t.string({ description: 'Products of this brand: its slug or id.' }),
    merchant: t.string({ description: 'Changes by the feed of this shop: its slug or id.' }),
    minPercent: t.float({
      description: 'For `price_changed`: the smallest change of the lowest price in percent, 0.01 to 1000.',
    }),
    below: t.float({ description: 'For `price_below`: the price to reach, in the currency of the service.' }),
    codes: t.stringList({ description: `For \`product_found\`: up to ${MOST_CODES} GTINs and ASINs.` }),
  }),
});

const Filter = builder.objectRef<Required<AskedFilter>>('WebhookFilter').implement({
  description: 'The conditions of a webhook.',
  fields: (t) => ({
    product: t.string({
      nullable: true,
      description: 'The slug of the product; null for all.',
      resolve: ({ product }) => product,
    }),
    category: t.string({
      nullable: true,
      description: 'The slug of the category, with all below it; null for all.',
      resolve: ({ category }) => category,
    }),
    brand: t.string({
      nullable: true,
      description: 'The slug of the brand; null for all.',
      resolve: ({ brand }) => brand,
    }),
    merchant: t.string({
      nullable: true,
      description: 'The slug of the shop; null for all.',
      resolve: ({ merchant }) => merchant,
    }),
    minPercent: t.float({
      nullable: true,
      description: 'The smallest change of the lowest price in percent; null for any.',
      resolve: ({ minPercent }) => minPercent,
    }),
    below: t.float({
      nullable: true,
      description: 'The price to reach; null without `price_below`.',
      resolve: ({ below }) => below,
    }),
    codes: t.stringList({
      nullable: true,
      ...cost({ items: MOST_CODES }),
      description: 'The GTINs and ASINs to wait for; null without `product_found`.',
      resolve: ({ codes }) => (codes ? [...codes] : null),
    }),
  }),
});

export const Webhook = builder.objectRef<ShownWebhook>('Webhook').implement({
  description: 'A URL of the client that receives messages about changes.',
  fields: (t) => ({
    id: t.id({ description: 'The opaque id.', resolve: ({ id }) => encodeId('webhook', id) }),
    url: t.exposeString('url', { description: 'The URL that receives messages, by POST.' }),
    kinds: t.field({
      type: [Kind],
      ...cost({ items: KIND_NAMES.length }),
      description: 'The kinds of messages.',
      resolve: ({ kinds }) => kinds,
    }),
    filter: t.field({
      type: Filter,
      description: 'The changes that cause messages.',
      resolve: (row, _arguments, { market }) => askedFilterOf(row, market),
    }),
    secret: t.string({
      nullable: true,
      description:
        'The secret that signs messages, which is only in the response that creates the webhook; null in all others.',
      resolve: ({ isNew, secret }) => (isNew ? secret : null),
    }),
    enabled: t.boolean({ description: 'Whether messages are sent.', resolve: ({ disabledAt }) => disabledAt === null }),
    confirmed: t.boolean({
      description: 'Whether the receiver has confirmed its address; nothing else is sent before.',
      resolve: ({ verifyAttempts }) => verifyAttempts === null,
    }),
    disabledAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The time since which nothing is sent; null if enabled.',
      resolve: ({ disabledAt }) => disabledAt,
    }),
    disabledReason: t.string({
      nullable: true,
      description: 'Why nothing is sent, and what to do; null if enabled.',
      resolve: ({ disabledReason }) => disabledReason,
    }),
    failingSince: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The time of the first failure since the last success; null if the last attempt succeeded.',
      resolve: ({ failingSince }) => failingSince,
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'The time of its creation.',
      resolve: ({ createdAt }) => createdAt,
    }),
  }),
});

const State = builder.enumType('WebhookDeliveryState', {
  description: 'The state of a delivery.',
  values: DELIVERY_STATES,
});

export const WebhookDelivery = builder.objectRef<Delivery>('WebhookDelivery').implement({
  description: 'A message to a webhook, with the result of its last attempt.',
  fields: (t) => ({
    id: t.id({ description: 'The opaque id, for replays.', resolve: ({ id }) => encodeId('delivery', id) }),
    messageId: t.exposeString('messageId', {
      description: 'The `webhook-id` header: the same in every attempt and replay.',
    }),
    kind: t.field({ type: Kind, description: 'The kind of the message.', resolve: ({ kind }) => kind }),
    productId: t.id({
      nullable: true,
      description: 'The id of the product; null for a test.',
      resolve: ({ productId }) => (productId === null ? null : encodeId('product', productId)),
    }),
    state: t.field({ type: State, description: 'The state.', resolve: stateOf }),
    attempts: t.exposeInt('attempts', { description: 'The attempts since its creation or its last replay.' }),
    lastStatus: t.int({
      nullable: true,
      description: 'The status of the last response; null if there was none.',
      resolve: ({ lastStatus }) => lastStatus,
    }),
    lastError: t.string({
      nullable: true,
      description: 'Why the last attempt failed; null if none has failed or the last one succeeded.',
      resolve: ({ lastError }) => lastError,
    }),
    nextAttemptAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The time of the next attempt; null if none will follow.',
      resolve: (row) => (stateOf(row) === 'waiting' ? row.nextAttemptAt : null),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'The time of its creation.',
      resolve: ({ createdAt }) => createdAt,
    }),
    lastAttemptAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The time of the last attempt; null if there was none.',
      resolve: ({ lastAttemptAt }) => lastAttemptAt,
    }),
    deliveredAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The time of the successful attempt; null if there was none.',
      resolve: ({ deliveredAt }) => deliveredAt,
    }),
  }),
});

export const Replay = builder.objectRef<ReplayResult>('WebhookReplay').implement({
  description: 'The result of a replay.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'The number of deliveries that are sent again.' }),
    nextFrom: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'The `from` that goes on with the deliveries that there was no room for; null if there are none, or the replay was by `deliveries`.',
      resolve: ({ nextFrom }) => nextFrom,
    }),
    remaining: t.idList({
      ...cost({ items: MOST_REPLAYED_IDS }),
      nullable: true,
      description:
        'The ids in `deliveries` that there was no room for, to be sent again in another minute; null if there are none, or the replay was by `from`.',
      resolve: ({ remaining }) => remaining?.map((id) => encodeId('delivery', id)) ?? null,
    }),
  }),
});
