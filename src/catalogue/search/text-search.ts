/**
 * What a person types, as queries on search vectors: three ways to match, each wider than the one before it. All words of
 * the query must be found; a word is found exactly, as the beginning of a longer one, or with one typing error.
 */
import type { Queryable } from '../../database/database.ts';
import { Problem } from '../../problem.ts';
import { typosOf, wordsOf } from '../../values/words.ts';

export const LONGEST_QUERY = 100;

/** @throws {Problem} `invalid_parameter` for a query of no or of more than 100 characters. */
export function readQuery(query: string | null | undefined, parameter = 'query'): string | undefined {
  if (query == null) return undefined;
  const length = [...query].length;
  if (length >= 1 && length <= LONGEST_QUERY) return query;
  throw new Problem('invalid_parameter', `\`${parameter}\` must be 1 to ${LONGEST_QUERY} characters.`, { parameter });
}

/** A way to match words: a `tsquery`. */
export interface Match {
  query: string;
  /**
   * What of the query an index finds quickly: all that it matches is among this. Very short beginnings are left out, of which
   * the index would gather a good part of all products.
   */
  sieve: string;
}

/** What matches, best first: each a `tsquery` that takes in what the one before it does. */
export type Tiers = readonly string[];

/** Which words with an error are looked for: whole ones, or also such as only begin like that. */
export type TypoReach = 'words' | 'beginnings';

/** The words of a query, each once. */
export const wordsOfQuery = (query: string): string[] => [...new Set(wordsOf(query))];

/** All words as they are. */
export const matchExactly = (words: readonly string[]): Match => allOf(words, lexeme);

/** All words as the beginnings of words. */
export const matchBegun = (words: readonly string[]): Match => allOf(words, begun);

/**
 * All words as beginnings or with one typing error; `undefined` where no word that the catalogue knows is one error away. One
 * statement, where a word is long enough for an error to be forgiven.
 */
export async function matchMistyped(
  database: Queryable,
  words: readonly string[],
  reach: TypoReach,
): Promise<Match | undefined> {
  const typos = await knownTypos(database, words, reach);
  if (typos.size === 0) return undefined;
  const near = reach === 'beginnings' ? begun : lexeme;
  return allOf(words, (word) => `(${[begun(word), ...(typos.get(word) ?? []).map(near)].join(' | ')})`);
}

/** The tiers of a query: exact words, beginnings of words, words with a typing error. None when the query has no word. */
export async function tiersOf(database: Queryable, query: string, reach: TypoReach): Promise<Tiers> {
  const words = wordsOfQuery(query);
  if (words.length === 0) return [];
  const mistyped = await matchMistyped(database, words, reach);
  return [matchExactly(words), matchBegun(words), ...(mistyped ? [mistyped] : [])].map((match) => match.query);
}

const SHORTEST_SIEVED = 3;

function allOf(words: readonly string[], termOf: (word: string) => string): Match {
  const longEnough = words.filter((word) => word.length >= SHORTEST_SIEVED);
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one), '');
  const all = (some: readonly string[]) => some.map(termOf).join(' & ');
  return { query: all(words), sieve: all(longEnough.length > 0 ? longEnough : [longest]) };
}

const begun = (word: string) => `${lexeme(word)}:*`;

// By the primary key of search_word, whose collation compares bytes: U+10FFFF is behind every word with that beginning.
const KNOWN: Record<TypoReach, string> = {
  words: `
    SELECT asked.word, asked.near
    FROM unnest($1::text[], $2::text[]) AS asked (word, near)
    JOIN search_word ON search_word.word = asked.near`,
  beginnings: `
    SELECT asked.word, asked.near
    FROM unnest($1::text[], $2::text[]) AS asked (word, near)
    WHERE EXISTS (
      SELECT
      FROM search_word
      WHERE search_word.word >= asked.near COLLATE "C" AND search_word.word < (asked.near || U&'\\+10FFFF') COLLATE "C"
    )`,
};

/** Of all that a word may have been meant to be, what some name has. */
async function knownTypos(
  database: Queryable,
  words: readonly string[],
  reach: TypoReach,
): Promise<Map<string, string[]>> {
  const pairs = words.flatMap((word) => typosOf(word).map((near) => [word, near] as const));
  if (pairs.length === 0) return new Map();
  const rows = await database.query<{ word: string; near: string }>(KNOWN[reach], [
    pairs.map(([word]) => word),
    pairs.map(([, near]) => near),
  ]);
  const found = new Map<string, string[]>();
  for (const { word, near } of rows) found.set(word, [...(found.get(word) ?? []), near]);
  return found;
}

/** A word in the text of a `tsquery`: quoted, so that it is a word whatever it holds. */
function lexeme(word: string): string {
  return `'${word}'`;
}
