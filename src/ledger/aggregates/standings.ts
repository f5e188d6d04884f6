/** What a product adds to the comparison of merchants in its brand and categories. */
import type { LedgerEntry, OfferEntries } from '../entry.ts';
import { distanceClass } from './distance.ts';

/** How a merchant stands at a product, in counts of products. */
export interface Standing {
  /** 1 where the merchant lists a new offer. */
  products: number;
  /** 1 where it has the lowest price in stock, or shares it. */
  cheapest: number;
  /** 1 where no other merchant has a new offer in stock, and it has one. */
  alone: number;
  /** 1 where none of its new offers is in stock. */
  outOfStock: number;
  /** The class of the distance from the lowest price in stock (`distance.ts`); absent where it has none that can be compared with it. */
  distance?: number;
}

/**
 * How each merchant stands at a product now. Offers count that are listed and new. Prices are totals of offers in stock: a merchant's
 * lowest is compared with the lowest of all. Totals with unknown shipping come after all others. Pass offers without outliers.
 */
export function standings(offers: readonly OfferEntries[]): Map<bigint, Standing> {
  const lowestAt = new Map<bigint, bigint | null>();
  for (const { merchantId, entries } of offers) {
    const entry = entries.at(-1);
    if (!entry || !isListed(entry)) continue;
    const known = lowestAt.get(merchantId) ?? null;
    const price = entry.availability === 'in_stock' ? rankOf(entry) : null;
    lowestAt.set(merchantId, known !== null && (price === null || known < price) ? known : price);
  }
  const prices = [...lowestAt.values()].filter((price) => price !== null);
  const lowest = prices.reduce<bigint | null>((one, other) => (one === null || other < one ? other : one), null);
  return new Map(
    [...lowestAt].map(([merchantId, price]) => [merchantId, standing(price, lowest, prices.length === 1)] as const),
  );
}

/** Added to totals with unknown shipping; above every total. */
const UNKNOWN = 1n << 64n;

const rankOf = ({ total, shipping }: LedgerEntry) => (total !== null && shipping === null ? total + UNKNOWN : total);

/** Listed, new, and with a price and an availability that were recorded. Prices of 0 cannot be compared. */
const isListed = ({ total, condition, availability }: LedgerEntry) =>
  total !== null && total > 0n && condition === 'new' && availability !== null;

function standing(price: bigint | null, lowest: bigint | null, isAlone: boolean): Standing {
  if (price === null || lowest === null) return { products: 1, cheapest: 0, alone: 0, outOfStock: 1 };
  return {
    products: 1,
    cheapest: Number(price === lowest),
    alone: Number(isAlone),
    outOfStock: 0,
    ...((price < UNKNOWN || lowest >= UNKNOWN) && { distance: distanceClass(price % UNKNOWN, lowest % UNKNOWN) }),
  };
}
