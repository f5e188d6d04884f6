/** Manufacturer part numbers: how they are compared, and by which words people find them. */
import { wordsOf } from '../values/words.ts';

/** An MPN without the parts that shops write differently: case, blanks and punctuation. */
export function mpnKey(mpn: string): string | undefined {
  return mpn.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '') || undefined;
}

/** The words of an MPN, which people type with its hyphens or without. */
export function mpnWords(mpn: string): string | undefined {
  const words = wordsOf(mpn);
  return words.length > 1 ? [...words, words.join('')].join(' ') : words[0];
}
