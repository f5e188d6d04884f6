/** Deals: products whose price fell. */
import { present } from '../../database/batch.ts';
import { amount } from '../amount.ts';
import { builder } from '../builder.ts';
import { Offer } from '../offer/offer.ts';
import { TOTAL_COST, totalCount } from '../page.ts';
import { Product } from '../product/product.ts';
import { DealFilter } from './deal-filter.ts';
import { type DealRow, readDeals } from './read-deals.ts';

const Deal = builder.objectRef<DealRow>('Deal').implement({
  description: 'A product whose lowest price in stock is lower than before, among all shops or at one.',
  fields: (t) => ({
    product: t.field({
      type: Product,
      description: 'The product.',
      resolve: ({ productId }, _arguments, { loaders }) => loaders.product.load(productId).then(present),
    }),
    offer: t.field({
      type: Offer,
      description: 'The offer with the price.',
      resolve: ({ offerId }, _arguments, { loaders }) => loaders.offer.load(offerId).then(present),
    }),
    price: t.float(amount('price', 'The lowest total price in stock.')),
    previous: t.float(amount('previous', 'The lowest such price in the 30 days before `since`.')),
    percent: t.float({
      description: 'The fall from `previous` in percent.',
      resolve: ({ remaining }) => (10_000 - remaining) / 100,
    }),
    since: t.field({
      type: 'DateTime',
      description: 'The time at which the price began.',
      resolve: ({ since }) => since,
    }),
  }),
});

builder.queryField('deals', (t) =>
  t.connection(
    {
      type: Deal,
      description:
        'Products whose price fell, largest fall first, then by product. Prices that are probably typing errors do not count. A price with stated shipping comes before all others, and is compared only with such prices. A change of a price shows a few seconds after its import.',
      args: { filter: t.arg({ type: DealFilter, description: 'Selects deals; all of new goods by default.' }) },
      resolve: (_root, listArguments, context) => readDeals(listArguments, context),
    },
    {
      name: 'DealConnection',
      description: 'A page of deals.',
      fields: (c) => ({
        totalCount: c.int(totalCount('deals')),
        totalIsExact: c.boolean({
          ...TOTAL_COST,
          description: 'Whether `totalCount` is exact; false beyond 10000.',
          resolve: async (page) => (await page.total()).isExact,
        }),
      }),
    },
    { name: 'DealEdge', description: 'A deal in a list.' },
  ),
);
