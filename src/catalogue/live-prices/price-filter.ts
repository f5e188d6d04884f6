/** The price events that a subscription asks for. */
import type { ChangeType } from '../../generated/prisma/client.ts';
import type { PriceEvent } from './event-record.ts';

/** All conditions must match; absent ones do not restrict. At least one of products, categories, brand and merchant is given. */
export interface PriceFilter {
  productIds?: readonly bigint[] | undefined;
  /** A category with all categories below it. */
  categoryIds?: readonly bigint[] | undefined;
  brandId?: bigint | undefined;
  merchantId?: bigint | undefined;
  types: readonly ChangeType[];
  /** The least change of the lowest price, in percent. */
  minPercent?: number | undefined;
}

/** Compiles a filter into a function that decides about an event. */
export function compileFilter(filter: PriceFilter): (event: PriceEvent) => boolean {
  const { brandId, merchantId, minPercent } = filter;
  const types = new Set(filter.types);
  const products = filter.productIds && new Set(filter.productIds);
  const categories: ReadonlySet<bigint | null | undefined> | undefined =
    filter.categoryIds && new Set(filter.categoryIds);
  return (event) =>
    event.types.some((type) => types.has(type)) &&
    (!products || products.has(event.productId)) &&
    (!categories || categories.has(event.categoryId)) &&
    (brandId === undefined || event.brandId === brandId) &&
    // An operator's correction belongs to no shop's feed, and may affect offers of any shop.
    (merchantId === undefined || event.merchantId === null || event.merchantId === merchantId) &&
    (minPercent === undefined || hasChangedBy(minPercent, event));
}

/** From no price, or to none, is a change of any size. */
function hasChangedBy(percent: number, { previousMin, min }: PriceEvent): boolean {
  if (previousMin === min) return false;
  if (previousMin === null || min === null) return true;
  return Math.abs(Number(min - previousMin)) * 100 >= percent * Number(previousMin);
}
