// The words shops use for availability, in Google Merchant's four.

/** Whether and when an offer can be bought (Google Merchant's words, decisions §5). */
export type Availability = 'in_stock' | 'out_of_stock' | 'preorder' | 'backorder';

/**
 * Understands Google's and schema.org's words in any case, with blanks, underscores, hyphens or none between, and
 * schema.org's addresses. `undefined` for any other.
 * Source: decisions §7; schema.org/ItemAvailability.
 *
 * @example parseAvailability('https://schema.org/InStock') // 'in_stock'
 */
export function parseAvailability(text: string): Availability | undefined {
  return AVAILABILITY_BY_WORD.get(compactWord(text));
}

/** A word of a closed set as it is compared: lower case, without separators and without schema.org's address. */
export function compactWord(text: string): string {
  return text.trim().toLowerCase().replace(SCHEMA_ORG, '').replace(SEPARATORS, '');
}

const SCHEMA_ORG = /^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/;
const SEPARATORS = /[\s_-]+/g;

const AVAILABILITY_BY_WORD: ReadonlyMap<string, Availability> = new Map([
  ['instock', 'in_stock'],
  ['available', 'in_stock'],
  ['limitedavailability', 'in_stock'],
  ['onlineonly', 'in_stock'],
  ['instoreonly', 'in_stock'],
  ['outofstock', 'out_of_stock'],
  ['soldout', 'out_of_stock'],
  ['discontinued', 'out_of_stock'],
  ['reserved', 'out_of_stock'],
  ['unavailable', 'out_of_stock'],
  ['preorder', 'preorder'],
  ['presale', 'preorder'],
  ['backorder', 'backorder'],
  ['onbackorder', 'backorder'],
  ['madetoorder', 'backorder'],
  ['availablefororder', 'backorder'],
]);
