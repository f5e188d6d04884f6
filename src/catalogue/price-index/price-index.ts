/** The price index of a category, a brand or a merchant. */
import { DAY_MS, dayOf, startOfDay } from '../../values/day.ts';
import { invalid } from '../arguments.ts';
import { Brand } from '../brand/brand.ts';
import { builder, type Context } from '../builder.ts';
import { Category } from '../category/category.ts';
import { cost } from '../field-cost.ts';
import { Merchant } from '../merchant/merchant.ts';
import { findGroup, type GroupArguments } from '../one-group.ts';
import { bucketEdges, type Interval } from '../price-history/buckets.ts';
import { daysAsked, daysOfAPoint, HistoryInterval } from '../price-history/price-history.ts';
import { type DayArguments, readDays, requireStarted } from '../requested-days.ts';
import { chainIndex, type IndexPoint } from './chain.ts';
import { readIndex } from './read-index.ts';

/** The most points of an index. */
export const MOST_POINTS = 1_000;
const USUAL_DAYS = 90;

interface IndexArguments extends GroupArguments, DayArguments {
  interval?: Interval | null | undefined;
}

async function readPriceIndex(_root: unknown, given: IndexArguments, context: Context) {
  const now = Date.now();
  const { from, to } = readDays(given, now, USUAL_DAYS);
  requireStarted(from, given, now);
  const interval = given.interval ?? 'day';
  requireFewPoints(from, to, interval);
  const group = await findGroup(['category', 'brand', 'merchant'], given, context);
  const span = { from: startOfDay(from), until: Math.min(startOfDay(to), startOfDay(dayOf(now))) + DAY_MS };
  return {
    interval,
    from,
    to,
    group,
    points: async () => {
      if (!group) return [];
      const ofGroup = { kind: group.kind, id: group.row.id };
      const rows = await readIndex(context.catalogue, ofGroup, from, dayOf(span.until - DAY_MS));
      return chainIndex(rows, span, interval);
    },
  };
}

function requireFewPoints(from: string, to: string, interval: Interval): void {
  const points = bucketEdges({ from: startOfDay(from), until: startOfDay(to) + DAY_MS }, interval).length - 1;
  if (points <= MOST_POINTS) return;
  const detail = `These days have ${points} points by ${interval}, but the limit is ${MOST_POINTS}: request the interval week or month, or fewer days.`;
  throw invalid('interval', detail);
}

const PriceIndexPoint = builder.objectRef<IndexPoint>('PriceIndexPoint').implement({
  description: 'A price index at the end of a day, week or month.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Day', description: 'The first day of the interval.' }),
    index: t.exposeFloat('index', {
      description:
        'The index at the end of the last day of the interval, or of the requested days: 100 at the end of the first requested day, or of the day before offers are first compared.',
    }),
    productCount: t.exposeInt('productCount', {
      description: 'The number of products with an offer that is compared on that day.',
    }),
    offerCount: t.exposeInt('offerCount', {
      description: 'The number of offers that are compared on that day: those that were also listed the day before.',
    }),
  }),
});

const PriceIndex = builder.objectRef<Awaited<ReturnType<typeof readPriceIndex>>>('PriceIndex').implement({
  description:
    'The development of prices in a category, of a brand or at a merchant, as a chained Jevons index of matched offers.',
  fields: (t) => ({
    category: t.field({
      type: Category,
      nullable: true,
      description: 'The category, if the index is of a known one.',
      resolve: ({ group }) => (group?.kind === 'category' ? group.row : null),
    }),
    brand: t.field({
      type: Brand,
      nullable: true,
      description: 'The brand, if the index is of a known one.',
      resolve: ({ group }) => (group?.kind === 'brand' ? group.row : null),
    }),
    merchant: t.field({
      type: Merchant,
      nullable: true,
      description: 'The merchant, if the index is of a known one.',
      resolve: ({ group }) => (group?.kind === 'merchant' ? group.row : null),
    }),
    interval: t.expose('interval', { type: HistoryInterval, description: 'The interval of the points.' }),
    from: t.expose('from', { type: 'Day', description: 'The first day.' }),
    to: t.expose('to', { type: 'Day', description: 'The last day, inclusive.' }),
    points: t.field({
      type: [PriceIndexPoint],
      ...cost({ isSizedByParent: true }),
      description:
        'The points in chronological order. Intervals whose last day compares no offers have no point, except the one before the first point, whose index is 100.',
      resolve: ({ points }) => points(),
    }),
  }),
});

builder.queryField('priceIndex', (t) =>
  t.field({
    type: PriceIndex,
    ...cost({
      // The cost grows with the number of days, whatever the selection.
      weight: (argument) => 20 + daysAsked(argument),
      itemsBelow: (argument) =>
        Math.min(Math.ceil(daysAsked(argument) / daysOfAPoint(argument('interval'))), MOST_POINTS),
      changesWithTime: true,
    }),
    description:
      'The price index of a category, a brand or a merchant: the last 90 days by default. Send exactly one of `category`, `brand` and `merchant`; an unknown one has no points. At most 1000 points.',
    args: {
      category: t.arg.string({ description: 'The slug or id of a category, including its subcategories.' }),
      brand: t.arg.string({ description: 'The slug or id of a brand.' }),
      merchant: t.arg.string({ description: 'The slug or id of a merchant.' }),
      days: t.arg.int({ description: 'The number of days up to and including today: 1 to 3650.' }),
      from: t.arg({ type: 'Day', description: 'The first day. Cannot be combined with `days`.' }),
      to: t.arg({ type: 'Day', description: 'The last day, inclusive; today by default.' }),
      interval: t.arg({ type: HistoryInterval, description: 'The interval of the points; a day by default.' }),
    },
    resolve: readPriceIndex,
  }),
);
