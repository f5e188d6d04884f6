/** Finds the deals of a product: its current prices that are lower than before. */
import { Availability, type Condition } from '../../generated/prisma/enums.ts';
import { DAY_MS } from '../../values/day.ts';
import { byMerchant } from '../by-merchant.ts';
import { CONDITIONS, type OfferEntries } from '../entry.ts';
import { comparableSeries, type SeriesFilter, type SeriesStep } from '../series.ts';

/** A deal is compared with the prices of this time before it began. */
const COMPARED_MS = 30 * DAY_MS;

/** A price in stock that is lower than before. Amounts are in minor units; times are milliseconds of the epoch. */
export interface FoundDeal {
  condition: Condition;
  /** `undefined` for the lowest price of all shops. */
  merchantId: bigint | undefined;
  /** Whether the price includes shipping that the shop states; so do those that it is compared with, or none does. */
  shippingKnown: boolean;
  /** The offer with the price. */
  offerId: bigint;
  price: bigint;
  /** The lowest price in the 30 days before `since`. */
  previous: bigint;
  /** The price in hundredths of a percent of the previous one. */
  remaining: number;
  since: number;
  /** The end of the last time at which the price was lower than now; `undefined` if it never was. */
  lowerUntil: number | undefined;
}

/** The deals for each condition, among all shops and at each shop. @param offers all offers of one product, without outliers. */
export function dealsOf(offers: readonly OfferEntries[]): FoundDeal[] {
  const shops = [...byMerchant(offers)];
  return CONDITIONS.flatMap((condition) => [
    ...dealIn(offers, { condition }),
    ...shops.flatMap(([merchantId, own]) => dealIn(own, { condition, merchantId })),
  ]);
}

function dealIn(
  offers: readonly OfferEntries[],
  { condition, merchantId }: SeriesFilter & { condition: Condition },
): FoundDeal[] {
  const filter = { condition, merchantId, availability: Availability.in_stock };
  const { steps, shippingKnown } = comparableSeries(offers, filter);
  const current = steps.at(-1);
  if (current === undefined || current.total === null) return [];
  const { total: price, offerId } = current;
  const began = steps.findLastIndex(({ total }) => total !== price) + 1;
  const since = steps[began]?.at ?? current.at;
  const previous = lowestBefore(steps, began, since);
  if (previous === undefined || price >= previous) return [];
  const lower = steps.findLastIndex(({ total }) => total !== null && total < price);
  const lowerUntil = steps[lower + 1]?.at;
  return [
    {
      condition,
      merchantId,
      shippingKnown,
      offerId,
      price,
      previous,
      remaining: remainingOf(price, previous),
      since,
      lowerUntil: lower < 0 ? undefined : lowerUntil,
    },
  ];
}

/** The lowest total in the days before a step. The price at the start of these days counts. */
function lowestBefore(steps: readonly SeriesStep[], index: number, since: number): bigint | undefined {
  let lowest: bigint | undefined;
  for (let before = index - 1; before >= 0; before -= 1) {
    const { at, total } = steps[before] as SeriesStep;
    if (total !== null && (lowest === undefined || total < lowest)) lowest = total;
    if (at <= since - COMPARED_MS) break;
  }
  return lowest;
}

/** Rounded so that the reduction, 100 % less this, is rounded half up. */
const remainingOf = (price: bigint, previous: bigint): number =>
  10_000 - Number((20_000n * (previous - price) + previous) / (2n * previous));
