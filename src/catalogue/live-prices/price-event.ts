/** Live prices over GraphQL: an event for each price change of a product. */
import { present } from '../../database/batch.ts';
import { encodeChangesCursor } from '../../ledger/changes/changes-cursor.ts';
import { CURRENCY, optionalAmount } from '../amount.ts';
import { builder, type Context } from '../builder.ts';
import { ChangeTypeEnum } from '../change/change-type.ts';
import { cost } from '../field-cost.ts';
import { Product } from '../product/product.ts';
import type { PriceEvent as PriceEventRecord } from './event-record.ts';
import { DEFAULT_TYPES, type FilterArguments, MOST_PERCENT, readAfter, readFilter } from './filter-arguments.ts';
import { MOST_PRODUCTS } from './live-prices.ts';

const PriceEvent = builder.objectRef<PriceEventRecord>('PriceEvent').implement({
  description:
    "A change of a product's offers: a shop changed its total price, started to offer the product, or withdrew it. Each import of a feed sends at most one event per product.",
  fields: (t) => ({
    cursor: t.string({
      description: 'The position of the event in the stream of changes, to continue there later: send it as `after`.',
      resolve: ({ seq }) => encodeChangesCursor(seq),
    }),
    types: t.field({
      type: [ChangeTypeEnum],
      ...cost({ items: 3 }),
      description: "What has changed: of all of the product's offers in the import, whatever types were asked for.",
      resolve: ({ types }) => [...types],
    }),
    product: t.field({
      type: Product,
      description: 'The product at the time the event is sent, with its new price statistics and offers.',
      resolve: async ({ productId }, _arguments, { loaders }) => present(await loaders.product.load(productId)),
    }),
    previousMin: t.float(
      optionalAmount('previousMin', 'The lowest total price before the change; null if no offer was listed.'),
    ),
    min: t.float(
      optionalAmount(
        'min',
        'The lowest total price after the change; null if no offer is left. It equals the previous price if a more expensive offer changed.',
      ),
    ),
    currency: t.string(CURRENCY),
    at: t.expose('observedAt', {
      type: 'DateTime',
      description: "The observation time of the shop's feed, from which the new price applies.",
    }),
    committedAt: t.expose('committedAt', {
      type: 'DateTime',
      description: 'The time at which the catalogue changed.',
    }),
  }),
});

builder.subscriptionType({ description: 'Subscriptions, sent as `text/event-stream`.' });

builder.subscriptionField('priceChanged', (t) =>
  t.field({
    type: PriceEvent,
    description:
      'An event for each price change of products, within about a second of its import by any process. Send `productIds`, or at least one of `category`, `brand` and `merchant`; all conditions must match. A subscription costs one request; events are free, except those that `after` asks for: one request per 100 begun. Importing past prices changes only the history and causes no events, nor do the first offers of a new product.',
    args: {
      productIds: t.arg.idList({ description: `The ids or slugs of 1 to ${MOST_PRODUCTS} products.` }),
      after: t.arg.string({
        description:
          'Starts with the events after this one: the `cursor` of an event, or of the changes API. The header `Last-Event-ID` overrides it. An error `cursor_expired` says that the changes since then are no longer kept.',
      }),
      types: t.arg({
        type: [ChangeTypeEnum],
        defaultValue: DEFAULT_TYPES,
        description: 'Events with at least one of these types. `product` is none of them.',
      }),
      category: t.arg.string({
        description: 'The slug or id of the category of products, including its subcategories.',
      }),
      brand: t.arg.string({ description: 'The slug or id of the brand of products.' }),
      merchant: t.arg.string({
        description: "The slug or id of a merchant: changes by its feeds, and operators' corrections.",
      }),
      minPercent: t.arg.float({
        description: `The least change of the lowest total price in percent, up or down; above 0, at most ${MOST_PERCENT}. From or to no offer is a change of any size.`,
      }),
    },
    subscribe: (_root, given, context) => listen(given, context),
    resolve: (event, _arguments, { events }) => {
      if (events) events.cursor = encodeChangesCursor(event.seq);
      return event;
    },
  }),
);

async function listen(
  { after, ...given }: FilterArguments & { after?: string | null | undefined },
  context: Context,
): Promise<AsyncIterable<PriceEventRecord>> {
  const position = readAfter(after, context);
  const filter = await readFilter(given, context);
  const { access, livePrices } = context;
  const key = await access.recognise();
  if (!key) throw new Error('A subscription was admitted without a key.');
  const pay = async () => (await access.chargeUpTo(1)) === 1;
  return livePrices.listen({ keyId: key.id, filter, after: position, isStillValid: () => access.isStillValid(), pay });
}
