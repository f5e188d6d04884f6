/** The filter of a list of deals: as clients send it, and as SQL conditions on `deal`. */
import { Condition } from '../../generated/prisma/client.ts';
import { ALL_MERCHANTS } from '../../ledger/deals/refresh-deals.ts';
import { invalid } from '../arguments.ts';
import { builder, type Context } from '../builder.ts';
import { ConditionType, SHIPPING_ARGUMENT } from '../offer/offer.ts';
import { findBrand, findCategories, findMerchant } from '../product/find-by-slug.ts';
import type { Bind } from '../read-page.ts';

/** How long a price must have been the lowest: the values of the GraphQL enum, whose names may not start with a digit. */
export const LOWS = { all: 'all', '90d': 'days_90', '30d': 'days_30' } as const;
export type LowName = keyof typeof LOWS;
export const LOW_NAMES = Object.keys(LOWS) as [LowName, ...LowName[]];

const DAYS = { all: undefined, days_90: 90, days_30: 30 } as const;

const DealLow = builder.enumType('DealLow', {
  description: 'The time for which the price of a deal is the lowest.',
  values: {
    all: { value: 'all', description: 'It is the lowest ever.' },
    days_90: { value: 'days_90', description: 'It is the lowest of the last 90 days.' },
    days_30: { value: 'days_30', description: 'It is the lowest of the last 30 days.' },
  } as const,
});

export const DealFilter = builder.inputType('DealFilter', {
  description: 'Selects deals. All conditions must match. An unknown category, brand or merchant matches nothing.',
  fields: (t) => ({
    minPercent: t.float({ description: 'The least fall in percent, 0 to 100.' }),
    low: t.field({
      type: DealLow,
      description: 'The price is the lowest ever or of some days, for `condition` and `merchant` in stock.',
    }),
    category: t.string({ description: 'The slug or id of a category, including its subcategories.' }),
    brand: t.string({ description: 'The slug or id of a brand.' }),
    merchant: t.string({
      description: 'The slug or id of a merchant: its prices instead of the lowest of all shops.',
    }),
    condition: t.field({ type: ConditionType, description: 'The condition of the goods; `new` by default.' }),
    shipping: t.field(SHIPPING_ARGUMENT),
  }),
});

/** The filter as clients send it; absent members do not restrict the list. */
export type DealFilterInput = typeof DealFilter.$inferInput;

/** Conditions on the columns of `deal`, all of which its indexes contain. */
export type DealSelection = (bind: Bind) => string[];

/**
 * Reads a filter; `undefined` if it cannot match any deal.
 * @throws {Problem} `invalid_parameter` if `minPercent` is not from 0 to 100.
 */
export async function selectDeals(filter: DealFilterInput, context: Context): Promise<DealSelection | undefined> {
  const { minPercent, low } = filter;
  if (minPercent != null && !(minPercent >= 0 && minPercent <= 100)) {
    throw invalid('minPercent', '`minPercent` must be 0 to 100.');
  }
  const [categoryIds, brand, merchantId] = await Promise.all([
    filter.category == null ? undefined : findCategories(filter.category, context),
    filter.brand == null ? undefined : findBrand(filter.brand, context),
    filter.merchant == null ? ALL_MERCHANTS : findMerchant(filter.merchant, context),
  ]);
  if ((filter.category != null && !categoryIds) || (filter.brand != null && !brand)) return undefined;
  // The id `mrc_0` would otherwise stand for all shops.
  if (merchantId === undefined || (filter.merchant != null && merchantId === ALL_MERCHANTS)) return undefined;

  return (bind) => [
    `deal.merchant_id = ${bind(merchantId)}`,
    `deal.condition = '${Condition[filter.condition ?? 'new']}'`,
    ...(filter.shipping == null ? [] : ['deal.shipping_known']),
    ...(minPercent == null ? [] : [`deal.remaining <= ${bind(mostRemaining(minPercent))}`]),
    ...(categoryIds ? [`deal.category_id = ANY (${bind(categoryIds)}::bigint[])`] : []),
    ...(brand ? [`deal.brand_id = ${bind(brand.id)}`] : []),
    ...(low == null ? [] : [lowestFor(DAYS[low])]),
  ];
}

/** In hundredths of a percent. A fraction below that, such as that of 33.33 as a binary number, makes no difference. */
const mostRemaining = (minPercent: number): number => Math.floor(Number((10_000 - minPercent * 100).toFixed(4)));

const lowestFor = (days: number | undefined): string =>
  days === undefined
    ? 'deal.lower_until IS NULL'
    : `(deal.lower_until IS NULL OR deal.lower_until <= now() - INTERVAL '${days} days')`;
