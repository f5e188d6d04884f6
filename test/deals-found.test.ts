/** Which prices are deals, by the ledger of a product alone. */
import { expect, test } from 'vitest';
import { dealsOf, type FoundDeal } from '../src/ledger/deals/deals.ts';
import type { LedgerEntry, OfferEntries } from '../src/ledger/entry.ts';
import { withoutOutliers } from '../src/ledger/outliers.ts';

const DAY_MS = 86_400_000;
const CONDITIONS = ['new', 'refurbished', 'used'] as const;

/** An entry on a day; without a total, the shop does not list the offer. */
const entry = (day: number, total: number | null, facts: Partial<LedgerEntry> = {}): LedgerEntry => ({
  at: day * DAY_MS,
  total: total === null ? null : BigInt(total),
  price: total === null ? null : BigInt(total),
  shipping: null,
  regularPrice: null,
  saleFrom: null,
  saleUntil: null,
  availability: total === null ? null : 'in_stock',
  condition: total === null ? null : 'new',
  ...facts,
});

const offer = (offerId: number, merchantId: number, entries: LedgerEntry[]): OfferEntries => ({
  offerId: BigInt(offerId),
  merchantId: BigInt(merchantId),
  entries,
});

/** The deals at the time of the last entry. */
const dealsAtEnd = (offers: OfferEntries[]) => {
  const times = offers.flatMap(({ entries }) => entries.map(({ at }) => at));
  return dealsOf(withoutOutliers(offers, Math.max(...times)).offers);
};
const dealOf = (offers: OfferEntries[], merchantId?: number, condition = 'new') =>
  dealsAtEnd(offers).find(
    (deal) =>
      deal.condition === condition && deal.merchantId === (merchantId === undefined ? undefined : BigInt(merchantId)),
  );

test('a price lasts from its start on, even if another shop takes it over', () => {
  const offers = [
    offer(1, 1, [entry(0, 100), entry(10, 80), entry(20, 90)]),
    offer(2, 2, [entry(0, 100), entry(15, 80)]),
  ];
  expect(dealOf(offers)).toMatchObject({ offerId: 2n, price: 80n, previous: 100n, since: 10 * DAY_MS });
  expect(dealOf(offers, 2)).toMatchObject({ price: 80n, since: 15 * DAY_MS });
  expect(dealOf(offers, 1)).toBeUndefined();
});

test('a typing error is no deal, and no price to compare with', () => {
  const usual = [entry(0, 100), entry(10, 110), entry(20, 100), entry(30, 105)];
  expect(dealOf([offer(1, 1, [...usual, entry(40, 10)])])).toBeUndefined();
  const deal = dealOf([offer(1, 1, [...usual, entry(40, 10), entry(41, 90)])]);
  expect(deal).toMatchObject({ price: 90n, previous: 100n, lowerUntil: undefined });
});

test.each([
  [6_666, 10_000, 6_666],
  [1, 3, 3_333],
  [2, 3, 6_667],
  [99_995, 100_000, 9_999],
  [99_996, 100_000, 10_000],
])('the reduction to %s from %s is rounded to hundredths of a percent', (price, previous, remaining) => {
  expect(dealOf([offer(1, 1, [entry(0, previous), entry(1, price)])])).toMatchObject({ remaining });
});

/** The deal by plain loops over days: entries of the random ledgers are at whole days. */
function naiveDeal(offers: OfferEntries[], condition: string, merchantId: bigint | undefined, today: number) {
  const priceOn = (day: number, isStated = hasStated): bigint | undefined => {
    let lowest: bigint | undefined;
    for (const each of offers) {
      if (merchantId !== undefined && each.merchantId !== merchantId) continue;
      let held: LedgerEntry | undefined;
      for (const known of each.entries) if (known.at <= day * DAY_MS) held = known;
      if (held?.total == null || held.condition !== condition || held.availability !== 'in_stock') continue;
      if ((held.shipping !== null) !== isStated) continue;
      if (lowest === undefined || held.total < lowest) lowest = held.total;
    }
    return lowest;
  };
  // Totals with known shipping are compared with each other; only where none is known, those without.
  const hasStated: boolean = priceOn(today, true) !== undefined;
  const price = priceOn(today);
  if (price === undefined) return undefined;
  let since = today;
  while (since > 0 && priceOn(since - 1) === price) since -= 1;
  let previous: bigint | undefined;
  for (let day = Math.max(0, since - 30); day < since; day += 1) {
    const total = priceOn(day);
    if (total !== undefined && (previous === undefined || total < previous)) previous = total;
  }
  if (previous === undefined || price >= previous) return undefined;
  let lowerUntil: number | undefined;
  for (let day = 0; day < today; day += 1) if ((priceOn(day) ?? price) < price) lowerUntil = (day + 1) * DAY_MS;
  return { price, previous, since: since * DAY_MS, lowerUntil };
}

test('the deals of random products are those that plain loops find', () => {
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const TODAY = 120;
  let found = 0;
  for (let product = 0; product < 200; product += 1) {
    const offers = Array.from({ length: 1 + random(5) }, (_, n) => {
      const days = [...new Set(Array.from({ length: 1 + random(8) }, () => random(TODAY)))].sort((a, b) => a - b);
      // Within a factor of three, so that none is an outlier.
      const entries = days.map((day) =>
        entry(day, random(6) === 0 ? null : 100 + random(40), {
          ...(random(3) === 0 && { shipping: 0n }),
          ...(random(5) === 0 && { availability: 'out_of_stock' as const }),
          ...(random(5) === 0 && { condition: CONDITIONS[random(3)] ?? null }),
        }),
      );
      return offer(n, random(3) + 1, entries);
    });
    const all = dealsAtEnd(offers);
    for (const condition of CONDITIONS) {
      for (const merchantId of [undefined, 1n, 2n, 3n]) {
        const deal: FoundDeal | undefined = all.find(
          (each) => each.condition === condition && each.merchantId === merchantId,
        );
        const { price, previous, since, lowerUntil } = deal ?? {};
        expect(deal && { price, previous, since, lowerUntil }).toEqual(naiveDeal(offers, condition, merchantId, TODAY));
        if (deal) found += 1;
      }
    }
  }
  expect(found).toBeGreaterThan(100);
});
