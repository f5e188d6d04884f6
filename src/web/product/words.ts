/** Labels and schema.org terms for codes in the data. */
import type { ShownOffer } from './product.ts';

export const AVAILABILITY: Record<
  ShownOffer['availability'],
  { words: string; look: 'good' | 'warn' | 'bad'; schema: string }
> = {
  in_stock: { words: 'In stock', look: 'good', schema: 'InStock' },
  out_of_stock: { words: 'Out of stock', look: 'bad', schema: 'OutOfStock' },
  preorder: { words: 'Pre-order', look: 'warn', schema: 'PreOrder' },
  backorder: { words: 'On back order', look: 'warn', schema: 'BackOrder' },
};

export const CONDITION: Record<ShownOffer['condition'], { words: string; schema: string }> = {
  new: { words: 'New', schema: 'NewCondition' },
  refurbished: { words: 'Refurbished', schema: 'RefurbishedCondition' },
  used: { words: 'Used', schema: 'UsedCondition' },
};

/** What follows a price; empty if its shipping is known. */
export const shippingRemark = (isKnown: boolean | null): string => (isKnown === false ? ', shipping not stated' : '');

/** The unit of a unit price, as a page shows it. */
export const UNIT: Record<NonNullable<ShownOffer['unitPrice']>['per'], string> = {
  kg: 'kg',
  l: 'l',
  m: 'm',
  m2: 'm²',
  m3: 'm³',
  ct: 'piece',
};

/** The label of an attribute. @example attributeName('age_group') // 'Age group' */
export function attributeName(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
