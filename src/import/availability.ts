// The words that shops use for availability, mapped to Google Merchant's four.

import { Availability } from '../generated/prisma/enums.ts';
import { compactWord } from './compact-word.ts';

/**
 * Understands the words of Google and schema.org in any case, with blanks, underscores, hyphens or nothing between them, and
 * schema.org's addresses. `undefined` for any other text.
 * Source: decisions §7; schema.org/ItemAvailability.
 *
 * @example parseAvailability('https://schema.org/InStock') // 'in_stock'
 */
export function parseAvailability(text: string): Availability | undefined {
  return AVAILABILITY_BY_WORD.get(compactWord(text));
}

const WORDS: Record<Availability, readonly string[]> = {
  in_stock: ['instock', 'available', 'limitedavailability', 'onlineonly', 'instoreonly'],
  out_of_stock: ['outofstock', 'soldout', 'discontinued', 'reserved', 'unavailable'],
  preorder: ['preorder', 'presale'],
  backorder: ['backorder', 'onbackorder', 'madetoorder', 'availablefororder'],
};

const AVAILABILITY_BY_WORD: ReadonlyMap<string, Availability> = new Map(
  Object.values(Availability).flatMap((availability) => WORDS[availability].map((word) => [word, availability])),
);
