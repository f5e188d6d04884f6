/**
 * Price statistics in the simplest way, as a reference for tests: looks at each stretch of time between two events, and loops over
 * all rows of the ledger in it. Shares no code with the service.
 */
import type { LedgerEntry } from '../../src/ledger/entry.ts';

const DAY = 86_400_000;

/** A row of a product's ledger, as the database has it. */
export interface NaiveRow extends Pick<LedgerEntry, 'at' | 'total' | 'price' | 'availability' | 'condition'> {
  offerId: bigint;
  merchantId: bigint;
  shippingKnown: boolean;
}

export interface NaiveFilter {
  condition?: NaiveRow['condition'] | undefined;
  availability?: NaiveRow['availability'] | undefined;
  merchantId?: bigint | undefined;
  shippingKnown?: true | undefined;
}

/** The rows that are outliers at an instant, by comparing each with all others. */
export function naiveOutliers(rows: readonly NaiveRow[], now: number): Set<NaiveRow> {
  const nextOf = (row: NaiveRow) =>
    Math.min(...rows.filter(({ offerId, at }) => offerId === row.offerId && at > row.at).map(({ at }) => at));
  const usualOf = (row: NaiveRow): bigint | undefined => {
    const earlier = rows.filter(
      ({ total, condition, at }) => total !== null && condition === row.condition && at < row.at,
    );
    if (row.total === null || earlier.length < 3) return undefined;
    const listed = earlier
      .map((other) => {
        const time = Math.min(row.at, nextOf(other)) - Math.max(other.at, row.at - 90 * DAY);
        return { total: priceOf(other), time };
      })
      .filter(({ time }) => time > 0);
    return lowerMedian(listed);
  };
  const side = new Map(rows.map((row) => [row, sideOf(priceOf(row), usualOf(row))]));
  const counts = (row: NaiveRow): boolean => {
    if (side.get(row) === 0 || Math.min(nextOf(row), now) - row.at > 3 * DAY) return true;
    const witnesses = rows.filter(
      (other) =>
        other.merchantId !== row.merchantId && other.condition === row.condition && side.get(other) === side.get(row),
    );
    if (witnesses.some((other) => other.at < nextOf(row) && row.at < nextOf(other))) return true;
    const [former] = rows
      .filter(({ offerId, total, at }) => offerId === row.offerId && total !== null && at < row.at)
      .sort((one, other) => other.at - one.at);
    if (former === undefined || former.condition !== row.condition) return false;
    return sideOf(priceOf(row), priceOf(former)) === 0 && counts(former);
  };
  return new Set(rows.filter((row) => row.total !== null && !counts(row)));
}

const priceOf = ({ price, total }: NaiveRow): bigint => price ?? total ?? 0n;

/** -1 if a price is at most a third of the usual one, 1 if it is at least three times that, 0 between and if none is usual. */
function sideOf(price: bigint, usual: bigint | undefined): number {
  if (usual === undefined || price === usual) return 0;
  if (price * 3n <= usual) return -1;
  return price >= 3n * usual ? 1 : 0;
}

function lowerMedian(listed: { total: bigint; time: number }[]): bigint | undefined {
  const whole = listed.reduce((sum, { time }) => sum + time, 0);
  let until = 0;
  for (const { total, time } of listed.toSorted((one, other) => (one.total < other.total ? -1 : 1))) {
    until += time;
    if (until * 2 >= whole) return total;
  }
  return undefined;
}

/** A stretch of time without an event. */
interface Stretch {
  from: number;
  until: number;
  /** The lowest matching total, and all merchants with it. */
  total: bigint | null;
  merchants: bigint[];
  isInStock: boolean;
}

/** The statistics of a span, which may start at minus infinity, with the names of the API. Amounts are in minor units. */
export function naiveStatistics(
  rows: readonly NaiveRow[],
  outliers: ReadonlySet<NaiveRow>,
  filter: NaiveFilter,
  from: number,
  until: number,
) {
  const accepts = (row: NaiveRow, availability: NaiveFilter['availability']) =>
    (filter.condition === undefined || row.condition === filter.condition) &&
    (filter.merchantId === undefined || row.merchantId === filter.merchantId) &&
    (!filter.shippingKnown || row.shippingKnown) &&
    (availability === undefined || row.availability === availability);
  const events = new Set([from, ...[30, 90, 365].map((days) => until - days * DAY), ...rows.map(({ at }) => at)]);
  const times = [...events].filter((time) => Number.isFinite(time) && time < until).sort((one, other) => one - other);
  const stretchesOf = (isKnown: boolean) =>
    times.map((time, index): Stretch => {
      const current = new Map<bigint, NaiveRow>();
      for (const row of rows) {
        const known = current.get(row.offerId);
        if (row.at <= time && (!known || known.at < row.at)) current.set(row.offerId, row);
      }
      const listed = [...current.values()].filter((row) => row.total !== null && !outliers.has(row));
      const matching = listed.filter((row) => row.shippingKnown === isKnown && accepts(row, filter.availability));
      let total: bigint | null = null;
      for (const row of matching) if (row.total !== null && (total === null || row.total < total)) total = row.total;
      return {
        from: time,
        until: times[index + 1] ?? until,
        total,
        merchants: matching.filter((row) => row.total === total).map(({ merchantId }) => merchantId),
        isInStock: listed.some((row) => accepts(row, 'in_stock')),
      };
    });
  const [known, unknown] = [stretchesOf(true), stretchesOf(false)];
  const holds = (some: readonly Stretch[]) => some.length > 0 && some.at(-1)?.total !== null;
  const hasKnown =
    filter.shippingKnown || holds(known) || (!holds(unknown) && known.some(({ total }) => total !== null));
  const stretches = hasKnown ? known : unknown;
  const since = (start: number) => stretches.filter((stretch) => stretch.from >= start);
  const priced = since(from).filter(({ total }) => total !== null);
  const totals = (some: readonly Stretch[]) => some.flatMap(({ total }) => (total === null ? [] : [total]));
  const lowest = (some: readonly bigint[]) => some.reduce((one, other) => (other < one ? other : one));
  const highest = (some: readonly bigint[]) => some.reduce((one, other) => (other > one ? other : one));
  const time = (some: readonly Stretch[]) => some.reduce((sum, stretch) => sum + stretch.until - stretch.from, 0);
  const current = stretches.at(-1)?.total ?? undefined;

  const cheaper = rows.flatMap((row) => {
    const isLast = !rows.some((other) => other.offerId === row.offerId && other.at > row.at);
    if (row.total === null || !isLast || row.at >= until || !outliers.has(row)) return [];
    if (hasKnown && !row.shippingKnown) return [];
    return accepts(row, filter.availability) && (current === undefined || row.total < current) ? [row.total] : [];
  });

  const extreme = (price: bigint) => {
    const then = priced.filter(({ total }) => total === price);
    const merchants: bigint[] = [];
    for (const stretch of then) {
      for (const merchant of stretch.merchants.toSorted((one, other) => Number(one - other))) {
        if (!merchants.includes(merchant)) merchants.push(merchant);
      }
    }
    return {
      price,
      firstDay: new Date(then[0]?.from ?? 0).toISOString().slice(0, 10),
      lastDay: new Date((then.at(-1)?.until ?? 0) - 1).toISOString().slice(0, 10),
      merchants: merchants.slice(0, 20),
    };
  };

  const firstStock = rows
    .filter((row) => row.total !== null && row.availability !== null && !outliers.has(row) && accepts(row, undefined))
    .reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY);

  const windows = [30, 90, 365, undefined].map((days) => {
    const all = days === undefined ? stretches : since(until - days * DAY);
    const some = all.filter(({ total }) => total !== null);
    const counted = all.filter((stretch) => stretch.from >= firstStock);
    const prices = totals(some);
    const weight = some.reduce(
      (sum, stretch) => sum + (stretch.total ?? 0n) * BigInt(stretch.until - stretch.from),
      0n,
    );
    const length = BigInt(time(some));
    return {
      days,
      min: prices.length > 0 ? lowest(prices) : undefined,
      max: prices.length > 0 ? highest(prices) : undefined,
      avg: length > 0n ? roundHalfUp(weight, length) : undefined,
      median: lowerMedian(some.map((stretch) => ({ total: stretch.total ?? 0n, time: stretch.until - stretch.from }))),
      outOfStockPercent: percent(time(counted.filter(({ isInStock }) => !isInStock)), time(counted)),
    };
  });

  let drops = 0;
  let last: bigint | undefined;
  for (const stretch of stretches) {
    if (stretch.total === null) continue;
    if (last !== undefined && stretch.total < last && stretch.from >= from) drops += 1;
    last = stretch.total;
  }
  const year = priced.filter((stretch) => stretch.from >= until - 365 * DAY);
  const recent = totals(priced.filter((stretch) => stretch.from >= until - 90 * DAY));
  const seen = rows.filter(
    (row) =>
      row.total !== null &&
      row.at >= from &&
      row.at < until &&
      row.shippingKnown === hasKnown &&
      accepts(row, filter.availability),
  );
  const hasObservations = firstStock < until || totals(stretches).length > 0;
  const below = (price: bigint) => year.filter(({ total }) => total !== null && total < price);
  return {
    current,
    shippingKnown: priced.length > 0 ? hasKnown : undefined,
    low: priced.length > 0 ? extreme(lowest(totals(priced))) : undefined,
    high: priced.length > 0 ? extreme(highest(totals(priced))) : undefined,
    windows: hasObservations ? windows : [],
    percentile: current === undefined ? undefined : percent(time(below(current)), time(year)),
    isLowest: current === undefined ? undefined : current === lowest(totals(priced)),
    isLowest90: current === undefined ? undefined : current === lowest(recent),
    drops: priced.length > 0 ? drops : undefined,
    observations: seen.filter((row) => !outliers.has(row)).length,
    excluded: seen.filter((row) => outliers.has(row)).length,
    excludedTotal: cheaper.length > 0 ? lowest(cheaper) : undefined,
  };
}

function roundHalfUp(part: bigint, whole: bigint): bigint {
  const rest = part % whole;
  return part / whole + (rest * 2n >= whole ? 1n : 0n);
}

const percent = (part: number, whole: number) =>
  whole > 0 ? Number(roundHalfUp(BigInt(part) * 10_000n, BigInt(whole))) / 100 : undefined;
