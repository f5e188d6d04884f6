/** Words that are written together or apart: `ice cream` and `icecream`. */
import { LONGEST_WORD } from '../../values/words.ts';
import type { Alternative } from './alternative.ts';

const SHORTEST_JOINED = 2;
const SHORTEST_HALF = 3;

/** Neighbours read as one word. Single letters are never joined. */
export function joinsOf(words: readonly string[]): Alternative[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1];
    if (next === undefined || word.length < SHORTEST_JOINED || next.length < SHORTEST_JOINED) return [];
    if (word.length + next.length > LONGEST_WORD) return [];
    return [{ at: [at, at + 1], words: [word + next], isPrefix: true }];
  });
}

/** Words read as two, the most even halves first. */
export function splitsOf(words: readonly string[]): Alternative[] {
  return words.flatMap((word, at) => {
    if (!/^\p{L}+$/u.test(word)) return [];
    const letters = [...word];
    const ends = letters.map((_, end) => end).slice(SHORTEST_HALF, letters.length - SHORTEST_HALF + 1);
    const unevenness = (end: number) => Math.abs(letters.length - 2 * end);
    return ends
      .sort((one, other) => unevenness(one) - unevenness(other))
      .map((end) => ({
        at: [at],
        words: [letters.slice(0, end).join(''), letters.slice(end).join('')],
        isPrefix: true,
      }));
  });
}
