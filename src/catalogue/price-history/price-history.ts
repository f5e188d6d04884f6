/** Price history: what a product has cost over time, at all merchants or at one. */
import { batched, type Loader } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import { Problem } from '../../problem.ts';
import { DAY_MS, dayOf, startOfDay } from '../../values/day.ts';
import { isSlug } from '../../values/slug.ts';
import { builder, type Context } from '../builder.ts';
import { amountIn } from '../market.ts';
import { Product, type ProductRow } from '../product/product.ts';
import {
  bucketPrices,
  type INTERVALS,
  type Interval,
  type PriceBucket,
  type PriceChangeAt,
  type TimeSpan,
} from './price-buckets.ts';

export const DEFAULT_DAYS = 90;
export const MOST_DAYS = 3650;

/** Whose prices, and when. */
interface HistoryKey extends TimeSpan {
  productId: bigint;
  /** One merchant's prices alone. */
  merchantId: bigint | null;
}

interface Lowest {
  total: bigint;
  at: Date;
}

// By the primary key of price_change, skipping from offer to offer: of each, the price that holds at the beginning, and the
// changes from then on, as one value of JSON. What lies before is not read, however long it is.
const CHANGES = `
  WITH RECURSIVE listed (product_id, offer_id) AS (
    SELECT asked.product_id,
           (SELECT min(offer_id) FROM price_change WHERE price_change.product_id = asked.product_id)
    FROM unnest($1::bigint[]) AS asked (product_id)
    UNION ALL
    SELECT product_id,
           (
             SELECT min(offer_id)
             FROM price_change
             WHERE price_change.product_id = listed.product_id AND price_change.offer_id > listed.offer_id
           )
    FROM listed
    WHERE offer_id IS NOT NULL
  )
  SELECT listed.product_id AS "productId", listed.offer_id AS "offerId", history.changes
  FROM listed
  CROSS JOIN LATERAL (
    SELECT json_agg(
             json_build_array((date_part('epoch', observed_at) * 1000)::bigint, total) ORDER BY observed_at
           ) AS changes
    FROM (
      (
        SELECT observed_at, total
        FROM price_change
        WHERE price_change.product_id = listed.product_id
          AND price_change.offer_id = listed.offer_id
          AND observed_at <= $2::timestamptz
        ORDER BY observed_at DESC
        LIMIT 1
      )
      UNION ALL
      SELECT observed_at, total
      FROM price_change
      WHERE price_change.product_id = listed.product_id
        AND price_change.offer_id = listed.offer_id
        AND observed_at > $2::timestamptz
        AND observed_at < $3::timestamptz
    ) AS change
  ) AS history
  WHERE listed.offer_id IS NOT NULL
    AND history.changes IS NOT NULL
    AND ($4::bigint IS NULL OR EXISTS (SELECT FROM offer WHERE offer.id = listed.offer_id AND offer.merchant_id = $4::bigint))
  ORDER BY listed.product_id, listed.offer_id`;

// By the primary keys of price_change and offer.
const LOWEST_AT_MERCHANT = `
  SELECT DISTINCT ON (asked.product_id, asked.merchant_id)
         asked.product_id AS "productId", asked.merchant_id AS "merchantId", price_change.total, price_change.observed_at AS at
  FROM unnest($1::bigint[], $2::bigint[]) AS asked (product_id, merchant_id)
  JOIN price_change ON price_change.product_id = asked.product_id
  JOIN offer ON offer.id = price_change.offer_id AND offer.merchant_id = asked.merchant_id
  WHERE price_change.total IS NOT NULL
  ORDER BY asked.product_id, asked.merchant_id, price_change.total, price_change.observed_at`;

/** Opens the loaders of histories: one statement for all products that are asked for over the same time. */
export function openPriceHistories(database: Queryable): {
  changes: Loader<HistoryKey, PriceChangeAt[]>;
  lowestAtMerchant: Loader<{ productId: bigint; merchantId: bigint }, Lowest | undefined>;
} {
  return {
    changes: batched<HistoryKey, PriceChangeAt[]>(async (keys) => {
      const windows = new Map<string, HistoryKey[]>();
      for (const key of keys) windows.set(windowOf(key), [...(windows.get(windowOf(key)) ?? []), key]);
      const read = await Promise.all([...windows.values()].map((group) => readWindow(database, group)));
      const byKey = new Map(read.flat());
      return keys.map((key) => byKey.get(`${windowOf(key)} ${key.productId}`) ?? []);
    }),
    lowestAtMerchant: batched(async (keys) => {
      const rows = await database.query<Lowest & { productId: bigint; merchantId: bigint }>(LOWEST_AT_MERCHANT, [
        keys.map((key) => key.productId),
        keys.map((key) => key.merchantId),
      ]);
      const byKey = new Map(rows.map((row) => [`${row.productId} ${row.merchantId}`, row]));
      return keys.map((key) => byKey.get(`${key.productId} ${key.merchantId}`));
    }),
  };
}

const windowOf = ({ from, until, merchantId }: HistoryKey) => `${from} ${until} ${merchantId}`;

async function readWindow(
  database: Queryable,
  keys: readonly HistoryKey[],
): Promise<(readonly [string, PriceChangeAt[]])[]> {
  const [first] = keys;
  if (!first) return [];
  const rows = await database.query<{ productId: bigint; offerId: bigint; changes: [number, number | null][] }>(
    CHANGES,
    [[...new Set(keys.map((key) => key.productId))], new Date(first.from), new Date(first.until), first.merchantId],
  );
  const byProduct = new Map<bigint, PriceChangeAt[]>();
  for (const { productId, offerId, changes } of rows) {
    const known = byProduct.get(productId) ?? [];
    for (const [at, total] of changes) known.push({ offerId, at, total: total === null ? null : BigInt(total) });
    byProduct.set(productId, known);
  }
  return keys.map((key) => [`${windowOf(key)} ${key.productId}`, byProduct.get(key.productId) ?? []] as const);
}

/** What can be asked of a product's history. */
export interface HistoryArguments {
  days?: number | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  interval?: Interval | null | undefined;
  merchant?: string | null | undefined;
}

/** A history whose figures are read when they are selected, and not before. */
interface PriceHistoryRecord {
  from: string;
  to: string;
  interval: Interval;
  lowestEver(): Lowest | undefined | Promise<Lowest | undefined>;
  points(): PriceBucket[] | Promise<PriceBucket[]>;
}

/**
 * Reads which days are asked for, both included.
 *
 * @throws {Problem} `invalid_parameter` for `days` beside `from` or `to`, for a beginning behind the end, and for more than
 *   3650 days.
 */
export function readDays({ days, from, to }: HistoryArguments, now: number): { from: string; to: string } {
  const refuse = (parameter: string, detail: string): never => {
    throw new Problem('invalid_parameter', detail, { parameter });
  };
  if (days != null && (from != null || to != null)) {
    refuse('days', 'Send either `days`, or `from` and `to`, not both.');
  }
  if (days != null && (days < 1 || days > MOST_DAYS)) refuse('days', `\`days\` must be 1 to ${MOST_DAYS}.`);
  const last = startOfDay(to ?? dayOf(now));
  const first = from == null ? last - ((days ?? DEFAULT_DAYS) - 1) * DAY_MS : startOfDay(from);
  if (first > last) refuse('from', '`from` is behind `to` (today, when `to` is not sent): change them over.');
  if (last - first >= MOST_DAYS * DAY_MS) {
    refuse('from', `From \`from\` to \`to\` there may be ${MOST_DAYS} days: ask for fewer at once.`);
  }
  return { from: dayOf(first), to: dayOf(last) };
}

/** Prepares the history of a product: a statement for its points, and one for the lowest price at one merchant. The future has no price. */
export async function readPriceHistory(
  product: ProductRow,
  historyArguments: HistoryArguments,
  { loaders }: Context,
): Promise<PriceHistoryRecord> {
  const now = Date.now();
  const { from, to } = readDays(historyArguments, now);
  const interval = historyArguments.interval ?? 'day';
  const slug = historyArguments.merchant;
  const merchant = slug == null || !isSlug(slug) ? undefined : await loaders.merchantBySlug.load(slug);
  if (slug != null && !merchant) return { from, to, interval, lowestEver: () => undefined, points: () => [] };
  // All requests of a minute look at the same time, and can be read together.
  const minute = Math.ceil(now / 60_000) * 60_000;
  const span = { from: startOfDay(from), until: Math.min(startOfDay(to) + DAY_MS, minute) };
  const { changes, lowestAtMerchant } = loaders.priceChanges;
  return {
    from,
    to,
    interval,
    lowestEver: () =>
      merchant ? lowestAtMerchant.load({ productId: product.id, merchantId: merchant.id }) : lowestOf(product),
    points: async () =>
      bucketPrices(
        await changes.load({ ...span, productId: product.id, merchantId: merchant?.id ?? null }),
        span,
        interval,
      ),
  };
}

function lowestOf({ lowestEver, lowestEverAt }: ProductRow): Lowest | undefined {
  return lowestEver === null || lowestEverAt === null ? undefined : { total: lowestEver, at: lowestEverAt };
}

export const HistoryInterval = builder.enumType('HistoryInterval', {
  description: 'How long a point of a price history is.',
  values: {
    day: { description: 'A day in UTC.' },
    week: { description: 'A week from Monday on.' },
    month: { description: 'A calendar month.' },
  } satisfies Record<(typeof INTERVALS)[number], { description: string }>,
});

const DatedPrice = builder.objectRef<Lowest>('DatedPrice').implement({
  description: 'A price and the day on which it was first seen.',
  fields: (t) => ({
    price: t.float({
      description: 'The total price.',
      resolve: ({ total }, _arguments, { market }) => amountIn(market, total),
    }),
    date: t.field({ type: 'Day', description: 'The day.', resolve: ({ at }) => dayOf(at.getTime()) }),
  }),
});

const PricePoint = builder.objectRef<PriceBucket>('PricePoint').implement({
  description: 'The total prices that held in a day, week or month.',
  fields: (t) => {
    const amount = (name: 'min' | 'max' | 'avg', description: string) =>
      t.float({ description, resolve: (point, _arguments, { market }) => amountIn(market, point[name]) });
    return {
      date: t.field({ type: 'Day', description: 'The first day of the point.', resolve: ({ date }) => date }),
      min: amount('min', 'The lowest price that held in it.'),
      max: amount('max', 'The highest price that held in it.'),
      avg: amount('avg', 'The average of all prices, weighted by the time that they held.'),
      offerCount: t.exposeInt('offerCount', { description: 'How many offers had a price in it.' }),
    };
  },
});

const PriceHistory = builder.objectRef<PriceHistoryRecord>('PriceHistory').implement({
  description: 'What a product has cost over time.',
  fields: (t) => ({
    currency: t.string({
      description: 'The currency of the amounts, ISO 4217.',
      resolve: (_history, _arguments, { market }) => market.currency,
    }),
    interval: t.field({
      type: HistoryInterval,
      description: 'How long a point is.',
      resolve: ({ interval }) => interval,
    }),
    from: t.field({ type: 'Day', description: 'The first day.', resolve: ({ from }) => from }),
    to: t.field({ type: 'Day', description: 'The last day, included.', resolve: ({ to }) => to }),
    lowestEver: t.field({
      type: DatedPrice,
      nullable: true,
      description: 'The lowest total price ever recorded, also outside of these days; null when none was.',
      resolve: ({ lowestEver }) => lowestEver(),
    }),
    points: t.field({
      type: [PricePoint],
      description: 'The points in the order of time; where no offer had a price there is none.',
      resolve: ({ points }) => points(),
    }),
  }),
});

builder.objectField(Product, 'priceHistory', (t) =>
  t.field({
    type: PriceHistory,
    description: 'What the product has cost over time: the last 90 days by default.',
    args: {
      days: t.arg.int({ description: 'How many days until today, today included: 1 to 3650.' }),
      from: t.arg({ type: 'Day', description: 'The first day, instead of `days`.' }),
      to: t.arg({ type: 'Day', description: 'The last day, included; today by default.' }),
      interval: t.arg({ type: HistoryInterval, description: 'How long a point is; a day by default.' }),
      merchant: t.arg.string({ description: "The slug of a merchant: that merchant's prices alone." }),
    },
    resolve: (product, historyArguments, context) => readPriceHistory(product, historyArguments, context),
  }),
);
