/** The comparison of the merchants in a category or brand. */
import { present } from '../../database/batch.ts';
import { distanceOf } from '../../ledger/aggregates/distance.ts';
import { builder } from '../builder.ts';
import { cost } from '../field-cost.ts';
import { Merchant } from '../merchant/merchant.ts';
import { findGroup } from '../one-group.ts';
import { MOST_MERCHANTS, readStandings, type StandingRow } from './read-standings.ts';

/** A share of a merchant's products in percent, with two decimals. */
const share = (count: 'cheapest' | 'alone' | 'outOfStock', description: string) => ({
  description,
  resolve: (row: StandingRow) => Math.round((row[count] * 10_000) / row.products) / 100,
});

const MerchantStanding = builder.objectRef<StandingRow>('MerchantStanding').implement({
  description:
    'How a merchant stands among the others in a category or brand, now. Only new offers count, without prices that are probably typing errors. Prices are compared with shipping, among offers in stock.',
  fields: (t) => ({
    merchant: t.field({
      type: Merchant,
      description: 'The merchant.',
      resolve: async ({ merchantId }, _arguments, { loaders }) => present(await loaders.merchant.load(merchantId)),
    }),
    productCount: t.exposeInt('products', { description: 'The number of products that the merchant lists as new.' }),
    cheapestPercent: t.float(
      share(
        'cheapest',
        'The share of these products at which no other merchant has a lower price in stock. Equal prices count for each merchant, and a product that only this merchant has in stock counts too.',
      ),
    ),
    soleSellerPercent: t.float(
      share('alone', 'The share of these products that this merchant has in stock and no other merchant has.'),
    ),
    medianDistancePercent: t.float({
      nullable: true,
      description:
        'The median distance of its price from the lowest price, over its products in stock, in percent of the lowest price; null if none is in stock. Rounded down to 0.1 below 20 %, to 1 below 100 %, to 10 above.',
      resolve: ({ median }) => (median === null ? null : distanceOf(median)),
    }),
    outOfStockPercent: t.float(
      share('outOfStock', 'The share of these products of which none of its offers is in stock.'),
    ),
  }),
});

builder.queryField('merchantComparison', (t) =>
  t.field({
    type: [MerchantStanding],
    ...cost({ items: MOST_MERCHANTS, weight: MOST_MERCHANTS }),
    description:
      'The merchants in a category or brand, most products first: at most 100. Send exactly one of `category` and `brand`; an unknown one returns an empty list.',
    args: {
      category: t.arg.string({ description: 'The slug or id of a category, including its subcategories.' }),
      brand: t.arg.string({ description: 'The slug or id of a brand.' }),
    },
    resolve: async (_root, given, context) => {
      const group = await findGroup(['category', 'brand'], given, context);
      return group ? readStandings(context.catalogue, { kind: group.kind, id: group.row.id }) : [];
    },
  }),
);
