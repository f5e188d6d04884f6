/** The ways to read a query other than by its letters: quantities respelled, words joined or split, singular for plural, synonyms. */
import { areLinked, wordsOfQuery } from '../../values/words.ts';
import type { Alternative } from './alternative.ts';
import { joinsOf, splitsOf } from './compounds.ts';
import { otherNumbersOf } from './plurals.ts';
import { quantitiesIn } from './quantities.ts';

/** A query as words in their order, and the readings of some of them that a name may have instead. */
export interface ReadQuery {
  words: readonly string[];
  /** Quantities and numbers of nouns. Both are limited by the length of a query. */
  spellings: readonly Alternative[];
  compounds: readonly Alternative[];
}

/** The most words of all readings of a query as compounds, so that a query of many words stays cheap. */
export const MOST_COMPOUND_WORDS = 60;

/** Reads a query. Whether names have the words of an alternative is not known yet. */
export function readingsOf(query: string): ReadQuery {
  const words = wordsOfQuery(query);
  const numbers = words.flatMap((word, at) =>
    otherNumbersOf(word).map((form) => ({ at: [at], words: [form], isPrefix: false })),
  );
  return {
    words,
    spellings: [...quantitiesOf(query, words), ...numbers],
    compounds: [...joinsOf(words), ...splitsOf(words)],
  };
}

/** The alternatives whose words some names have, without compounds beyond the limit. */
export function knownAlternatives(
  { spellings, compounds }: ReadQuery,
  isKnown: (word: string) => boolean,
): Alternative[] {
  let count = 0;
  const areKnown = ({ words }: Alternative) => words.every(isKnown);
  const some = compounds.filter(areKnown).filter(({ words }) => {
    count += words.length;
    return count <= MOST_COMPOUND_WORDS;
  });
  return [...spellings.filter(areKnown), ...some];
}

function quantitiesOf(query: string, words: readonly string[]): Alternative[] {
  let from = 0;
  return quantitiesIn(query).flatMap((quantity) => {
    const start = placeOf(quantity.words, words, from);
    if (start === undefined) return [];
    from = start + quantity.words.length;
    const at = quantity.words.map((_, further) => start + further);
    return quantity.respelled.map((respelled) => ({ at, words: respelled, isPrefix: false }));
  });
}

/** Where some words begin within others, at or after a place. */
function placeOf(some: readonly string[], all: readonly string[], from: number): number | undefined {
  for (let start = from; start + some.length <= all.length; start += 1) {
    if (some.every((word, further) => all[start + further] === word)) return start;
  }
  return undefined;
}

/** The most words of a term that has synonyms. */
export const MOST_TERM_WORDS = 8;

/** The terms within a query that may have synonyms, with the places of their words and of pairs that are linked to them. */
export function termsIn(words: readonly string[]): { at: number[]; term: string }[] {
  return words.flatMap((_, start) =>
    Array.from({ length: Math.min(MOST_TERM_WORDS, words.length - start) }, (_, more) => {
      const end = start + more;
      const from = areLinked(words[start - 1], words[start]) ? start - 1 : start;
      const to = areLinked(words[end], words[end + 1]) ? end + 1 : end;
      return {
        at: Array.from({ length: to - from + 1 }, (_, further) => from + further),
        term: words.slice(start, end + 1).join(' '),
      };
    }),
  );
}
