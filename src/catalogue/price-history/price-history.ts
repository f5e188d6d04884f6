/** The price history of a product, at all merchants or at one. */
import type { Availability, Condition } from '../../generated/prisma/client.ts';
import { DAY_MS, dayOf, startOfDay } from '../../values/day.ts';
import { parseTimestamp } from '../../values/timestamp.ts';
import { amount, CURRENCY, optionalAmount } from '../amount.ts';
import { builder, type Context } from '../builder.ts';
import { type ArgumentOf, cost, wholeArgument } from '../field-cost.ts';
import { AvailabilityType, ConditionType } from '../offer/offer.ts';
import type { ProductRow } from '../product/columns.ts';
import { loadMerchant } from '../product/find-by-slug.ts';
import { Product } from '../product/product.ts';
import { type DayArguments, endOfMinute, MOST_DAYS, readDays } from '../requested-days.ts';
import type { INTERVALS, Interval } from './buckets.ts';
import type { PriceBucket } from './price-buckets.ts';
import type { Lowest } from './read-changes.ts';

const DEFAULT_DAYS = 90;

interface HistoryArguments extends DayArguments {
  interval?: Interval | null | undefined;
  merchant?: string | null | undefined;
  condition?: Condition | null | undefined;
  availability?: Availability | null | undefined;
}

/** Prepares the history of a product, without future prices. Its figures are read only if selected, with one statement each. */
async function readPriceHistory(product: ProductRow, historyArguments: HistoryArguments, context: Context) {
  const now = Date.now();
  const { from, to } = readDays(historyArguments, now, DEFAULT_DAYS);
  const interval = historyArguments.interval ?? 'day';
  const asked = historyArguments.merchant;
  const merchant = asked == null ? undefined : await loadMerchant(asked, context);
  if (asked != null && !merchant) return { from, to, interval, lowestEver: () => undefined, points: () => [] };
  const span = { from: startOfDay(from), until: Math.min(startOfDay(to) + DAY_MS, endOfMinute(now)) };
  const { condition = null, availability = null } = historyArguments;
  const filter = { merchantId: merchant?.id ?? null, condition, availability };
  const isFiltered = merchant !== undefined || condition !== null || availability !== null;
  const { points, lowest } = context.loaders.priceHistories;
  return {
    from,
    to,
    interval,
    lowestEver: () => (isFiltered ? lowest(product.id, filter) : lowestOf(product)),
    points: () => points(product.id, { ...span, ...filter }, interval),
  };
}

function lowestOf({ lowestEver: total, lowestEverAt: at }: ProductRow): Lowest | undefined {
  return total === null || at === null ? undefined : { total, at };
}

export const HistoryInterval = builder.enumType('HistoryInterval', {
  description: 'The length of the interval that a point covers.',
  values: {
    day: { description: 'A day in UTC.' },
    week: { description: 'A week from Monday on.' },
    month: { description: 'A calendar month.' },
  } satisfies Record<(typeof INTERVALS)[number], { description: string }>,
});

const DatedPrice = builder.objectRef<Lowest>('DatedPrice').implement({
  description: 'A price and the day on which it was first observed.',
  fields: (t) => ({
    price: t.float(amount('total', 'The total price.')),
    date: t.field({ type: 'Day', description: 'The day.', resolve: ({ at }) => dayOf(at.getTime()) }),
  }),
});

const PricePoint = builder.objectRef<PriceBucket>('PricePoint').implement({
  description: 'The total prices during a day, week or month.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Day', description: 'The first day of the interval.' }),
    min: t.float(amount('min', 'The lowest price during the interval.')),
    max: t.float(amount('max', 'The highest price during the interval.')),
    avg: t.float(amount('avg', 'The average of all prices, weighted by time.')),
    offerCount: t.exposeInt('offerCount', { description: 'The number of offers with a price during the interval.' }),
    inStock: t.exposeFloat('inStock', {
      nullable: true,
      description:
        'The share of the time of the interval in which at least one offer was in stock, 0 to 1, whatever the filter on availability. Time before the first price, and time without a recorded availability, does not count; null if no time counts.',
    }),
    minInStock: t.float(
      optionalAmount(
        'minInStock',
        'The lowest price of an offer in stock; null if none was, or if it was not recorded.',
      ),
    ),
  }),
});

const PriceHistory = builder.objectRef<Awaited<ReturnType<typeof readPriceHistory>>>('PriceHistory').implement({
  description: 'The price history of a product.',
  fields: (t) => ({
    currency: t.string(CURRENCY),
    interval: t.expose('interval', { type: HistoryInterval, description: 'The interval of the points.' }),
    from: t.expose('from', { type: 'Day', description: 'The first day.' }),
    to: t.expose('to', { type: 'Day', description: 'The last day, inclusive.' }),
    lowestEver: t.field({
      type: DatedPrice,
      nullable: true,
      description:
        'The lowest matching total price ever recorded, also before the requested days; null if none was recorded.',
      resolve: ({ lowestEver }) => lowestEver(),
    }),
    points: t.field({
      type: [PricePoint],
      ...cost({ isSizedByParent: true }),
      description: 'The points in chronological order. Intervals without a price have no point.',
      resolve: ({ points }) => points(),
    }),
  }),
});

const DAYS_OF_A_POINT: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30 };

/** The number of requested days, for the cost. */
export function daysAsked(argument: ArgumentOf): number {
  const at = (name: 'from' | 'to') => {
    const given = argument(name); // Not validated yet.
    return typeof given === 'string' ? parseTimestamp(given)?.getTime() : undefined;
  };
  const [from, to] = [at('from'), argument('to') == null ? Date.now() : at('to')];
  const days =
    from === undefined || to === undefined
      ? wholeArgument(argument('days'), DEFAULT_DAYS, MOST_DAYS)
      : (to - from) / DAY_MS;
  return Math.min(Math.max(days, 1), MOST_DAYS);
}

/** The number of days that a point covers, for the cost. */
export const daysOfAPoint = (interval: unknown): number =>
  (typeof interval === 'string' ? DAYS_OF_A_POINT[interval] : undefined) ?? 1;

builder.objectField(Product, 'priceHistory', (t) =>
  t.field({
    type: PriceHistory,
    ...cost({
      // The cost grows with the number of days, whatever the selection.
      weight: (argument) => 20 + daysAsked(argument),
      itemsBelow: (argument) => Math.ceil(daysAsked(argument) / daysOfAPoint(argument('interval'))),
      changesWithTime: true,
      windowArguments: ['days', 'from', 'to', 'merchant', 'condition', 'availability'],
    }),
    description: 'The price history: the last 90 days by default.',
    args: {
      days: t.arg.int({ description: 'The number of days up to and including today: 1 to 3650.' }),
      from: t.arg({ type: 'Day', description: 'The first day. Cannot be combined with `days`.' }),
      to: t.arg({ type: 'Day', description: 'The last day, inclusive; today by default.' }),
      interval: t.arg({ type: HistoryInterval, description: 'The interval of the points; a day by default.' }),
      merchant: t.arg.string({
        description: "The slug or id of a merchant, to see only that merchant's prices. An unknown one has no points.",
      }),
      condition: t.arg({ type: ConditionType, description: 'Only prices of goods in this condition.' }),
      availability: t.arg({
        type: AvailabilityType,
        description:
          'Only prices of offers with this availability at the time. A time without a recorded one does not match.',
      }),
    },
    resolve: readPriceHistory,
  }),
);
