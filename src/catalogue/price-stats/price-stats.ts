/** The price statistics of a product over its ledger, of all offers or of those that match a filter. */
import { present } from '../../database/batch.ts';
import type { Availability, Condition } from '../../generated/prisma/enums.ts';
import type { Outlier } from '../../ledger/outliers.ts';
import { DAY_MS, dayOf, startOfDay } from '../../values/day.ts';
import type { TimeSpan } from '../../values/time-span.ts';
import { amount, CURRENCY, optionalAmount } from '../amount.ts';
import { builder, type Context } from '../builder.ts';
import { cost } from '../field-cost.ts';
import { amountIn } from '../market.ts';
import { AvailabilityType, ConditionType, Offer, SHIPPING_ARGUMENT, type ShippingFilter } from '../offer/offer.ts';
import type { ProductRow } from '../product/columns.ts';
import { loadMerchant } from '../product/find-by-slug.ts';
import { Product } from '../product/product.ts';
import { type DayArguments, endOfMinute, readDays, requireStarted } from '../requested-days.ts';
import { type Extreme, MOST_MERCHANTS } from './extremes.ts';
import { NO_STATISTICS, type PriceWindow, type Statistics } from './statistics.ts';

/** The requested time span: all time by default. @throws {Problem} `invalid_parameter`, as {@link readDays}, and for a future start. */
function readSpan({ days, from, to }: DayArguments, now: number): TimeSpan {
  const isAllTime = days == null && from == null;
  const asked = readDays({ days, from, to }, now, 1);
  const first = isAllTime ? Number.NEGATIVE_INFINITY : startOfDay(asked.from);
  if (!isAllTime) requireStarted(asked.from, { from }, now);
  return { from: first, until: Math.min(startOfDay(asked.to) + DAY_MS, endOfMinute(now)) };
}

interface StatisticsArguments extends DayArguments {
  condition?: Condition | null | undefined;
  availability?: Availability | null | undefined;
  merchant?: string | null | undefined;
  shipping?: ShippingFilter | null | undefined;
}

/** Reads the statistics of a product. An unknown merchant has none. */
async function readStatistics(product: ProductRow, given: StatisticsArguments, context: Context): Promise<Statistics> {
  const span = readSpan(given, Date.now());
  const { condition, availability } = given;
  const merchant = given.merchant == null ? undefined : await loadMerchant(given.merchant, context);
  if (given.merchant != null && !merchant) return NO_STATISTICS;
  const filter = {
    condition: condition ?? undefined,
    availability: availability ?? undefined,
    merchantId: merchant?.id,
    shippingKnown: given.shipping == null ? undefined : true,
  };
  return context.loaders.statistics.load({ productId: product.id, filter, span });
}

const PriceExtreme = builder.objectRef<Extreme>('PriceExtreme').implement({
  description: 'The lowest or the highest price of a time span.',
  fields: (t) => ({
    price: t.float(amount('price', 'The total price.')),
    firstDay: t.field({
      type: 'Day',
      description: 'The first day with this price in the time span.',
      resolve: ({ first }) => dayOf(first),
    }),
    lastDay: t.field({
      type: 'Day',
      description: 'The last day with this price in the time span.',
      resolve: ({ last }) => dayOf(last),
    }),
    merchants: t.field({
      type: ['String'],
      ...cost({ items: MOST_MERCHANTS }),
      description: `The slugs of the shops that had this price, at most ${MOST_MERCHANTS}, in the order in which they first had it.`,
      resolve: async ({ merchantIds }, _arguments, { loaders }) => {
        const merchants = await Promise.all(merchantIds.map((id) => loaders.merchant.load(id)));
        return merchants.map((merchant) => present(merchant).slug);
      },
    }),
  }),
});

const PriceWindowType = builder.objectRef<PriceWindow>('PriceWindow').implement({
  description: 'The lowest matching total price over the last days, or over all time.',
  fields: (t) => ({
    days: t.exposeInt('days', { nullable: true, description: 'The length in days: 30, 90 or 365; null for all time.' }),
    min: t.float(optionalAmount('min', 'The minimum; null if no offer had a price.')),
    max: t.float(optionalAmount('max', 'The maximum; null if no offer had a price.')),
    avg: t.float(optionalAmount('avg', 'The average, weighted by time; null if no offer had a price.')),
    median: t.float(optionalAmount('median', 'The lower median, weighted by time; null if no offer had a price.')),
    outOfStockPercent: t.exposeFloat('outOfStockPercent', {
      nullable: true,
      description:
        'The share of time since the first observation without a matching offer in stock, in percent; null if no availability was recorded.',
    }),
  }),
});

const ExcludedOffer = builder.objectRef<Outlier>('ExcludedOffer').implement({
  description: 'An offer whose price is left out.',
  fields: (t) => ({
    offer: t.field({
      type: Offer,
      description: 'The offer as it is now.',
      resolve: ({ offerId }, _arguments, { loaders }) => loaders.offer.load(offerId).then(present),
    }),
    reason: t.string({
      description: 'Why its price is left out, and when it counts.',
      resolve: ({ entry, usual }, _arguments, { market }) => {
        const [price, others] = [entry.price ?? entry.total ?? 0n, usual].map((each) => amountIn(market, each));
        return (
          `The price of ${price} is at most a third of the usual ${others}, so it may be a typing error. ` +
          'It counts when the shop has stated it for more than three days, or when another shop asks for as little.'
        );
      },
    }),
  }),
});

const ProductStatistics = builder.objectRef<Statistics>('ProductStatistics').implement({
  description:
    'Price statistics of a product. All prices are of one series: the lowest matching total price at each instant, without outliers. It has only prices with stated shipping, unless none is known at the end of the time span.',
  fields: (t) => ({
    currency: t.string(CURRENCY),
    current: t.float(
      optionalAmount('current', 'The price at the end of the time span; null without a matching offer.'),
    ),
    shippingKnown: t.exposeBoolean('shippingKnown', {
      nullable: true,
      description: 'Whether the prices include stated shipping: all do, or none does; null if no offer had a price.',
    }),
    low: t.field({
      type: PriceExtreme,
      nullable: true,
      description: 'The lowest price; null if no offer had a price.',
      resolve: ({ low }) => low,
    }),
    high: t.field({
      type: PriceExtreme,
      nullable: true,
      description: 'The highest price; null if no offer had a price.',
      resolve: ({ high }) => high,
    }),
    windows: t.field({
      type: [PriceWindowType],
      ...cost({ items: 4 }),
      description:
        'The 30, 90 and 365 days up to the end of the time span, and all time up to it. Empty without a matching observation.',
      resolve: ({ windows }) => windows,
    }),
    percentile: t.exposeFloat('percentile', {
      nullable: true,
      description:
        'The share of the last 365 days of the time span in which the price was below `current`, in percent; null without `current`.',
    }),
    isLowest: t.exposeBoolean('isLowest', {
      nullable: true,
      description: 'Whether `current` is the lowest price of the time span; null without `current`.',
    }),
    isLowest90: t.exposeBoolean('isLowest90', {
      nullable: true,
      description:
        'Whether `current` is the lowest price of the last 90 days of the time span; null without `current`.',
    }),
    drops: t.exposeInt('drops', {
      nullable: true,
      description: 'How often the price fell; null if no offer had a price.',
    }),
    observations: t.exposeInt('observations', {
      description: 'The number of matching prices observed, without outliers.',
    }),
    excluded: t.exposeInt('excluded', {
      description: 'The number of matching prices left out as outliers, because they are probably typing errors.',
    }),
    currentExcluded: t.field({
      type: ExcludedOffer,
      nullable: true,
      description:
        'The cheapest matching offer, if its present price is left out as an outlier and is below `current`; null if there is none.',
      resolve: ({ currentExcluded }) => currentExcluded,
    }),
  }),
});

builder.objectField(Product, 'statistics', (t) =>
  t.field({
    type: ProductStatistics,
    ...cost({
      // The ledger may be long, whatever the selection and the time span.
      weight: 200,
      windowArguments: ['condition', 'availability', 'merchant', 'shipping', 'days', 'from', 'to'],
    }),
    description: 'Price statistics over everything observed, or over a time span.',
    args: {
      condition: t.arg({ type: ConditionType, description: 'Only offers of this condition.' }),
      availability: t.arg({ type: AvailabilityType, description: 'Only offers while they have this availability.' }),
      merchant: t.arg.string({
        description: 'The slug or id of a merchant: only its offers. An unknown one has no figures.',
      }),
      shipping: t.arg(SHIPPING_ARGUMENT),
      days: t.arg.int({ description: 'The number of days up to and including today: 1 to 3650; all time by default.' }),
      from: t.arg({ type: 'Day', description: 'The first day. Cannot be combined with `days`.' }),
      to: t.arg({ type: 'Day', description: 'The last day, inclusive; today by default.' }),
    },
    resolve: readStatistics,
  }),
);
