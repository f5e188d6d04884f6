/** Statistics over a product's offers, which the importer keeps current. */
import type { Product } from '../../generated/prisma/client.ts';
import { CURRENCY, optionalAmount } from '../amount.ts';
import { builder } from '../builder.ts';
import { cost } from '../field-cost.ts';

type Figures = Pick<Product, 'id' | 'offerCount' | 'minTotal' | 'maxTotal' | 'lowestEver'>;

export const PriceStats = builder.objectRef<Figures>('PriceStats').implement({
  description: 'Statistics over the total prices of exactly the current offers.',
  fields: (t) => ({
    currency: t.string(CURRENCY),
    min: t.float(optionalAmount('minTotal', 'The lowest current total price; null without an offer.')),
    minShippingKnown: t.boolean({
      ...cost({ weight: 20 }),
      nullable: true,
      description: 'Whether a shop with the price `min` states its shipping; null without an offer.',
      resolve: async ({ id, minTotal }, _arguments, { loaders }) =>
        minTotal === null
          ? null
          : (await loaders.offersOfProduct.load(id)).some(
              ({ total, shipping }) => total === minTotal && shipping !== null,
            ),
    }),
    max: t.float(optionalAmount('maxTotal', 'The highest current total price; null without an offer.')),
    lowestEver: t.float(optionalAmount('lowestEver', 'The lowest total price ever recorded.')),
    offerCount: t.exposeInt('offerCount', { description: 'The number of current offers.' }),
  }),
});
