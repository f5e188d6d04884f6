/** Words that are written together or apart: `ice cream` and `icecream`. */
import { areLinked, LONGEST_WORD } from '../../values/words.ts';
import type { Alternative } from './alternative.ts';

const SHORTEST_JOINED = 2;
const SHORTEST_HALF = 3;
const NUMBER_MEETS_LETTER = /^\p{N}\p{L}|^\p{L}\p{N}/u;

/** Neighbours read as one word. Single letters are joined only with numbers. */
export function joinsOf(words: readonly string[]): Alternative[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1];
    if (next === undefined || areLinked(word, next) || word.length + next.length > LONGEST_WORD) return [];
    const isBesideNumber = isBoundary(word, next);
    if (!isBesideNumber && (word.length < SHORTEST_JOINED || next.length < SHORTEST_JOINED)) return [];
    return [{ at: [at, at + 1], words: [word + next], isPrefix: !isBesideNumber || mayGoOn(next) }];
  });
}

/** Words read as two, the most even halves first, and pairs of letters that a name has in two words. */
export function splitsOf(words: readonly string[]): Alternative[] {
  return words.flatMap((word, at) => {
    // The pairs before and after are in the name, and a word of it ends with this letter.
    if (areLinked(words[at - 1], word) && areLinked(word, words[at + 1]))
      return [{ at: [at], words: [...word].slice(0, 1), isPrefix: false }];
    const letters = [...word];
    const isOfLetters = /^[\p{L}\p{M}]+$/u.test(word);
    const unevenness = (end: number) => Math.abs(letters.length - 2 * end);
    return letters
      .map((_, end) => end)
      .filter((end) =>
        isOfLetters
          ? end >= SHORTEST_HALF && end <= letters.length - SHORTEST_HALF
          : isBoundary(letters[end - 1], letters[end]),
      )
      .sort((one, other) => unevenness(one) - unevenness(other))
      .map((end) => {
        const [first, second] = [letters.slice(0, end).join(''), letters.slice(end).join('')];
        return { at: [at], words: [first, second], isPrefix: mayGoOn(second) };
      });
  });
}

const isBoundary = (before = '', after = ''): boolean =>
  NUMBER_MEETS_LETTER.test([...before].slice(-1).join('') + after);

// Short units and numbers are complete: `65w` is not `65 white`, nor `x15` `x 150`.
const mayGoOn = (part: string): boolean => part.length >= SHORTEST_HALF;
