/** How an offer fared over 180 days: its price in each week, when it was listed, and whether it can be bought. */
import type { Product } from './products.ts';
import { randomOf } from './random.ts';
import type { Shop } from './shops.ts';

/** Days before today at which each shop's feed was archived, the oldest first; today's feed is the last. */
export const ARCHIVED_DAYS_AGO: readonly number[] = [180, 162, 141, 120, 98, 77, 60, 42, 28, 12, 0];

/** The feeds that list everything; between them only what changed is told. */
export const FULL_DAYS_AGO: ReadonlySet<number> = new Set([180, 120, 60, 0]);

export type Stock = 'in' | 'out' | 'preorder' | 'backorder';

export interface OfferState {
  /** In cents, without what a sale takes off. */
  regular: number;
  /** In cents, while there is a sale. */
  sale: number | undefined;
  stock: Stock;
}

/**
 * The offer at each archived day; `undefined` while the shop does not list it.
 * @param isFirst whether the shop's feeds are the first to list the product. It then lists the product from the first day on, so that the
 *   product gets its name from this shop, whether the feeds of the past or those of today are imported first.
 */
export function offerHistory(product: Product, shop: Shop, isFirst: boolean): Map<number, OfferState | undefined> {
  const random = randomOf(`history ${product.number} ${shop.slug}`);
  const level = shop.level * (0.93 + random.next() * 0.14);
  // One offer of eight is away for two months in the middle, as a full feed shows; one of fifteen came later.
  const isAway = product.number !== 0 && random.chance(0.12);
  const isNew = product.number !== 0 && random.chance(0.07) && !isFirst;
  let factor = 0.97 + random.next() * 0.1;
  const states = new Map<number, OfferState | undefined>();
  for (const daysAgo of ARCHIVED_DAYS_AGO) {
    if (random.chance(0.45)) factor = Math.min(1.18, Math.max(0.82, factor + (random.next() - 0.52) * 0.12));
    const regular = charm(product.basePrice * level * factor);
    const isOnSale = daysAgo === 28 ? random.chance(0.4) : random.chance(0.05);
    const sale = isOnSale ? charm(regular * (0.8 + random.next() * 0.1)) : undefined;
    const stock = stockOf(random.next(), product.number === 0);
    const isListed = !(isAway && daysAgo <= 120 && daysAgo > 60) && !(isNew && daysAgo > 60);
    states.set(
      daysAgo,
      isListed ? { regular, sale: sale !== undefined && sale < regular ? sale : undefined, stock } : undefined,
    );
  }
  return states;
}

function stockOf(chance: number, isFamous: boolean): Stock {
  if (isFamous) return chance < 0.15 ? 'out' : 'in';
  if (chance < 0.1) return 'out';
  if (chance < 0.115) return 'preorder';
  return chance < 0.13 ? 'backorder' : 'in';
}

/** A price as shops like it: a little below a round one. */
function charm(cents: number): number {
  if (cents < 1000) return Math.max(59, Math.round(cents / 10) * 10 - 1);
  if (cents < 10_000) return Math.round(cents / 50) * 50 - 1;
  return Math.round(cents / 500) * 500 - 1;
}
