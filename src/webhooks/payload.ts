/** The body of a webhook message: `{type, timestamp, data}` (Standard Webhooks, "Payload structure"). Its schema also describes it in the API's description. */
import * as z from 'zod';
import { AVAILABILITIES, CONDITIONS } from '../ledger/entry.ts';
import { KIND_NAMES, KINDS, type WebhookKind } from './kinds.ts';

const time = (description: string) => z.iso.datetime().meta({ description });
const text = (description: string) => z.string().meta({ description });
const amount = (description: string) => z.number().min(0).meta({ description });
const reference = (what: string) =>
  z.object({ id: text(`The id of the ${what}.`), slug: text('Its slug.'), name: text('Its name.') });

const product = reference('product').extend({ url: z.url().meta({ description: 'The URL of its page.' }) });

const offer = z.object({
  id: text('The id of the offer.'),
  totalPrice: amount('The price with shipping, if the shop states it.'),
  shippingKnown: z.boolean().meta({ description: 'Whether the shop states the shipping.' }),
  availability: z.enum(AVAILABILITIES).meta({ description: 'The availability after the change.' }),
  condition: z.enum(CONDITIONS).meta({ description: 'The condition of the goods.' }),
  url: z.url().meta({ description: 'The link to the shop.' }),
});

/** The members of `data`. Members that a message does not need are absent. */
const DATA = z.object({
  webhookId: text('The id of the webhook.'),
  product: product.meta({ description: 'The product.' }),
  currency: text('The currency of all amounts, ISO 4217.'),
  previousMin: amount('The lowest total price before the change; absent if no offer was listed.').optional(),
  min: amount('The lowest total price after the change; absent if no offer is left.').optional(),
  lowestEver: amount('The lowest total price ever, with this change; absent if it does not matter here.').optional(),
  below: amount('The `below` of the webhook’s filter.').optional(),
  merchant: reference('shop')
    .meta({ description: 'The shop whose feed caused the message; absent if an operator did.' })
    .optional(),
  offer: offer.meta({ description: 'The offer that changed, after the change.' }).optional(),
  code: text('The entry of `codes` that is now known: a GTIN or an ASIN.').optional(),
  cursor: text('The cursor of the change, to continue from with `GET /api/v1/changes`; absent in tests.').optional(),
  at: time('The time at which the change was committed.'),
  observedAt: time('The time in the shop’s feed; absent in tests.').optional(),
  test: z.literal(true).meta({ description: 'Present in messages that were asked for as a test.' }).optional(),
});
type Data = z.infer<typeof DATA>;

/** The members of `data` that messages of a kind always have, besides those that all have. */
const ALWAYS: Readonly<Record<WebhookKind, readonly (keyof Data)[]>> = {
  price_changed: [],
  price_below: ['min', 'below'],
  new_low: ['min', 'lowestEver'],
  low_equalled: ['min', 'lowestEver'],
  back_in_stock: ['merchant', 'offer'],
  offer_withdrawn: ['merchant', 'offer'],
  product_found: ['code'],
};

const schemaOf = (kind: WebhookKind) =>
  z.object({
    type: z.literal(kind).meta({ description: 'The kind of the message.' }),
    timestamp: time('The time at which the message was made; the same in each attempt.'),
    data: DATA.required(Object.fromEntries(ALWAYS[kind].map((member) => [member, true])) as { product: true }).meta({
      description: KINDS[kind].description,
    }),
  });

/** The schema of each kind's body. */
export const PAYLOADS = Object.fromEntries(KIND_NAMES.map((kind) => [kind, schemaOf(kind)])) as Record<
  WebhookKind,
  ReturnType<typeof schemaOf>
>;

/** The type of the message that confirms an address. */
export const VERIFICATION = 'webhook.verify';

/** The schema of its body. */
export const VERIFICATION_PAYLOAD = z.object({
  type: z.literal(VERIFICATION).meta({ description: 'The kind of the message.' }),
  timestamp: time('The time of the attempt.'),
  data: z.object({
    webhookId: text('The id of the webhook.'),
    challenge: text('A random text: answer 200 with this text as the whole body, within ten seconds.'),
  }),
});

/** The body of a message. */
export interface Payload {
  type: WebhookKind;
  /** RFC 3339, UTC. */
  timestamp: string;
  data: Data;
}

/** An example of a kind's body. @param publicUrl the base URL of links. */
export function examplePayload(
  kind: WebhookKind,
  { publicUrl, currency }: { publicUrl: string; currency: string },
  { webhookId, at }: { webhookId: string; at: string },
): Payload {
  const members = {
    previousMin: 24.99,
    min: 19.99,
    lowestEver: 19.99,
    below: 20,
    merchant: { id: 'mer_1', slug: 'a-shop', name: 'A Shop' },
    offer: {
      id: 'off_1',
      totalPrice: 19.99,
      shippingKnown: true,
      availability: 'in_stock',
      condition: 'new',
      url: `${publicUrl}/go/off_1`,
    },
    code: '4006381333931',
  } satisfies Partial<Data>;
  const shown = new Set<string>(ALWAYS[kind]);
  const isOfPrice = !shown.has('offer') && !shown.has('code');
  if (isOfPrice) shown.add('previousMin').add('min');
  return {
    type: kind,
    timestamp: at,
    data: {
      webhookId,
      product: { id: 'prd_1', slug: 'a-product', name: 'A product', url: `${publicUrl}/products/a-product` },
      currency,
      ...Object.fromEntries(Object.entries(members).filter(([member]) => shown.has(member))),
      at,
    },
  };
}
