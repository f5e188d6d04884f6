/** Webhooks over GraphQL: queries and mutations, which are free. REST runs them too. */

import { invalid } from '../catalogue/arguments.ts';
import { builder, type Context } from '../catalogue/builder.ts';
import { cost } from '../catalogue/field-cost.ts';
import { parseTimestamp } from '../values/timestamp.ts';
import { FilterInput, Kind, Replay, Webhook, WebhookDelivery } from './webhook-types.ts';
import type { Webhooks } from './webhooks.ts';

declare module '../catalogue/builder.ts' {
  interface Context {
    /** The administration of webhooks. */
    webhooks: Webhooks;
  }
}

/** The cost of each root field: it needs a key and is free. */
const KEYED = { requests: 0, isKeyed: true } as const;
const ID = { required: true, description: 'The id of the webhook.' } as const;

/** A replay by time may send a thousand messages to a receiver, so it counts as this many requests. */
const REQUESTS_OF_REPLAY = 10;

/** The key of the request. The access class makes sure that there is one. */
async function ownerOf({ access }: Context) {
  const key = await access.recognise();
  if (!key) throw new Error('A field of webhooks was admitted without a key.');
  return key;
}

builder.objectField(Webhook, 'deliveries', (t) =>
  t.connection(
    {
      type: WebhookDelivery,
      // If it fails, the secret of a new webhook beside it must remain.
      nullable: true,
      ...cost({ weight: 20 }),
      description: 'The messages of the last 30 days, newest first; tests are kept for a day.',
      resolve: ({ id }, page, { webhooks }) => webhooks.deliveries(id, page),
    },
    { name: 'WebhookDeliveryConnection', description: 'A page of deliveries.' },
    { name: 'WebhookDeliveryEdge', description: 'A delivery in a list.' },
  ),
);

builder.queryField('webhooks', (t) =>
  t.connection(
    {
      type: Webhook,
      ...cost(KEYED),
      description: 'The webhooks of the key, oldest first. Free.',
      resolve: async (_root, page, context) => context.webhooks.list(await ownerOf(context), page),
    },
    { name: 'WebhookConnection', description: 'A page of webhooks.' },
    { name: 'WebhookEdge', description: 'A webhook in a list.' },
  ),
);

builder.queryField('webhook', (t) =>
  t.field({
    type: Webhook,
    nullable: true,
    ...cost(KEYED),
    description: 'A webhook of the key; null if it has none with this id. Free.',
    args: { id: t.arg.id(ID) },
    resolve: async (_root, { id }, context) => context.webhooks.find(await ownerOf(context), id),
  }),
);

const NewWebhook = builder.inputType('NewWebhookInput', {
  description: 'A webhook to create.',
  fields: (t) => ({
    url: t.string({ required: true, description: 'An https URL on port 443 or 8443, at most 2048 characters.' }),
    kinds: t.field({ type: [Kind], required: true, description: 'The kinds of messages.' }),
    filter: t.field({ type: FilterInput, description: 'The changes that cause messages.' }),
  }),
});

const WebhookChange = builder.inputType('WebhookChangeInput', {
  description: 'A change of a webhook. Members that are absent or null stay as they are.',
  fields: (t) => ({
    url: t.string({ description: 'Another URL, which its receiver must confirm.' }),
    kinds: t.field({ type: [Kind], description: 'Other kinds of messages.' }),
    filter: t.field({ type: FilterInput, description: 'Another filter, which replaces the whole former one.' }),
    enabled: t.boolean({
      description: 'False stops all messages. True starts them again, also after the service has disabled the webhook.',
    }),
  }),
});

builder.mutationType({ description: 'Changes of what belongs to the key.' });

builder.mutationField('createWebhook', (t) =>
  t.field({
    type: Webhook,
    // A failure must not take the results of the other fields along: the secret of another new webhook would be lost.
    nullable: true,
    ...cost(KEYED),
    description:
      'Creates a webhook. Its `secret` is only in this response. It is enabled once its receiver has confirmed the address. Free.',
    args: { input: t.arg({ type: NewWebhook, required: true, description: 'The webhook.' }) },
    resolve: async (_root, { input }, context) => {
      const created = await context.webhooks.create(await ownerOf(context), input);
      return { ...created, isNew: true as const };
    },
  }),
);

builder.mutationField('updateWebhook', (t) =>
  t.field({
    type: Webhook,
    nullable: true,
    ...cost(KEYED),
    description: 'Changes a webhook; null if the key has none with this id. Free.',
    args: { id: t.arg.id(ID), input: t.arg({ type: WebhookChange, required: true, description: 'The change.' }) },
    resolve: async (_root, { id, input }, context) => context.webhooks.update(await ownerOf(context), id, input),
  }),
);

builder.mutationField('deleteWebhook', (t) =>
  t.field({
    type: 'ID',
    nullable: true,
    ...cost(KEYED),
    description:
      'Deletes a webhook with its deliveries, and returns its id; null if the key has none with this id. Free.',
    args: { id: t.arg.id(ID) },
    resolve: async (_root, { id }, context) => context.webhooks.remove(await ownerOf(context), id),
  }),
);

builder.mutationField('testWebhook', (t) =>
  t.field({
    type: WebhookDelivery,
    nullable: true,
    ...cost(KEYED),
    description:
      'Sends an example message of the first kind, with `data.test` true; null if the key has no webhook with this id. Free.',
    args: { id: t.arg.id(ID) },
    resolve: async (_root, { id }, context) => context.webhooks.test(await ownerOf(context), id),
  }),
);

builder.mutationField('replayWebhook', (t) =>
  t.field({
    type: Replay,
    nullable: true,
    ...cost(KEYED),
    description:
      'Sends past deliveries again with the same message ids, oldest first and at most 1000, or what the plan has left of the messages of this minute: exactly one of `from` and `deliveries`; null if the key has no webhook with this id. Free; with `from` it counts as ten requests in the limits.',
    args: {
      id: t.arg.id(ID),
      from: t.arg.string({ description: 'All that were created at this RFC 3339 time or later.' }),
      deliveries: t.arg.idList({ description: 'The ids of 1 to 100 deliveries.' }),
    },
    resolve: async (_root, { id, from, deliveries }, context) => {
      const asked = { from: readTime(from), deliveries };
      if (asked.from) await context.access.admitKeyed(REQUESTS_OF_REPLAY - 1);
      return context.webhooks.replay(await ownerOf(context), id, asked);
    },
  }),
);

function readTime(text: string | null | undefined): Date | undefined {
  if (text == null) return undefined;
  const time = parseTimestamp(text);
  if (time) return time;
  throw invalid('from', '`from` must be an RFC 3339 time, such as 2026-01-31T08:00:00Z.');
}
