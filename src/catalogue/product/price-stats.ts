/** Statistics over a product's offers, which the importer keeps current. */
import type { Product } from '../../generated/prisma/client.ts';
import { builder } from '../builder.ts';
import { amountIn } from '../market.ts';

type Figures = Pick<Product, 'offerCount' | 'minTotal' | 'maxTotal' | 'lowestEver'>;

export const PriceStats = builder.objectRef<Figures>('PriceStats').implement({
  description: 'Statistics over the total prices of exactly the current offers.',
  fields: (t) => {
    const amount = (column: 'minTotal' | 'maxTotal' | 'lowestEver', description: string) =>
      t.float({
        nullable: true,
        description,
        resolve: (figures, _arguments, { market }) => {
          const minorUnits = figures[column];
          return minorUnits === null ? null : amountIn(market, minorUnits);
        },
      });
    return {
      currency: t.string({
        description: 'The currency of the amounts, ISO 4217.',
        resolve: (_figures, _arguments, { market }) => market.currency,
      }),
      min: amount('minTotal', 'The lowest current total price; null without an offer.'),
      max: amount('maxTotal', 'The highest current total price; null without an offer.'),
      lowestEver: amount('lowestEver', 'The lowest total price ever recorded.'),
      offerCount: t.exposeInt('offerCount', { description: 'The number of current offers.' }),
    };
  },
});
