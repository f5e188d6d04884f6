/** Live prices over GraphQL: an event for each price change of a product. */
import { present } from '../../database/batch.ts';
import { Problem } from '../../problem.ts';
import { CURRENCY, optionalAmount } from '../amount.ts';
import { invalid } from '../arguments.ts';
import { builder, type Context } from '../builder.ts';
import { findProduct, Product } from '../product/product.ts';
import { MOST_PRODUCTS, type PriceEvent as PriceEventRecord } from './live-prices.ts';

const PriceEvent = builder.objectRef<PriceEventRecord>('PriceEvent').implement({
  description:
    'A price change of a product: a shop changed its total price, started to offer the product, or withdrew it. Each import of a feed sends at most one event per product.',
  fields: (t) => ({
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
  }),
});

builder.subscriptionType({ description: 'Subscriptions, sent as `text/event-stream`.' });

builder.subscriptionField('priceChanged', (t) =>
  t.field({
    type: PriceEvent,
    description: `An event for each price change of one of the products, within about a second of its import by any process. A subscription costs one request; events are free. Importing past prices changes only the history and causes no events.`,
    args: {
      productIds: t.arg.idList({ required: true, description: `The ids or slugs of 1 to ${MOST_PRODUCTS} products.` }),
    },
    subscribe: (_root, { productIds }, context) => listen(productIds, context),
    resolve: (event) => event,
  }),
);

async function listen(idsOrSlugs: readonly string[], context: Context): Promise<AsyncIterable<PriceEventRecord>> {
  if (idsOrSlugs.length === 0 || idsOrSlugs.length > MOST_PRODUCTS) {
    const detail = `\`productIds\` must have 1 to ${MOST_PRODUCTS} entries: open several subscriptions for more products.`;
    throw invalid('productIds', detail);
  }
  const found = await Promise.all(idsOrSlugs.map((idOrSlug) => findProduct(idOrSlug, context)));
  const unknown = idsOrSlugs.filter((_idOrSlug, index) => !found[index]);
  if (unknown.length > 0) {
    const detail = `No product has the slug or id ${unknown.join(', ')}: get slugs and ids from \`products\` or \`search\`.`;
    throw new Problem('not_found', detail, { parameter: 'productIds' });
  }
  const { access, livePrices } = context;
  const key = await access.recognise();
  if (!key) throw new Error('A subscription was admitted without a key.');
  return livePrices.listen({
    keyId: key.id,
    productIds: [...new Set(found.map((product) => present(product).id))],
    isStillValid: () => access.isStillValid(),
  });
}
