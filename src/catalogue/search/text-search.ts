/** Turns typed text into queries in which all words must match: exactly, as a prefix, or with one typing error, each wider than before. */
import type { Queryable } from '../../database/database.ts';
import { typosOf, wordsOf } from '../../values/words.ts';
import { invalid } from '../arguments.ts';

export const LONGEST_QUERY = 100;

/** @throws {Problem} `invalid_parameter` if the query is empty or has more than 100 characters. */
export function readQuery(query: string | null | undefined): string | undefined {
  if (query == null) return undefined;
  const length = [...query].length;
  if (length >= 1 && length <= LONGEST_QUERY) return query;
  throw invalid('query', `\`query\` must have 1 to ${LONGEST_QUERY} characters.`);
}

/** A way to match words: a `tsquery`. */
export interface Match {
  query: string;
  /** A wider query that an index answers quickly: without very short prefixes, which match a large part of all products. */
  sieve: string;
}

/** Whether typing errors are tolerated only in whole words, or in prefixes too. */
type TypoReach = keyof typeof KNOWN;

/** The distinct words of a query. */
export const wordsOfQuery = (query: string): string[] => [...new Set(wordsOf(query))];

/** Matches all words exactly. */
export const matchExactly = (words: readonly string[]): Match => allOf(words, exactTerm);

/** Matches all words as prefixes. */
export const matchPrefixes = (words: readonly string[]): Match => allOf(words, prefixTerm);

/** Matches all words as prefixes or with one typing error; `undefined` if no known word is one error away. Takes at most one statement. */
export async function matchMistyped(
  database: Queryable,
  words: readonly string[],
  reach: TypoReach,
): Promise<Match | undefined> {
  const pairs = words.flatMap((word) => typosOf(word).map((near) => ({ word, near })));
  if (pairs.length === 0) return undefined;
  const known = await database.query<(typeof pairs)[number]>(
    KNOWN[reach],
    [pairs.map(({ word }) => word), pairs.map(({ near }) => near)],
    { name: 'typos' },
  );
  if (known.length === 0) return undefined;
  const termOf = reach === 'prefixes' ? prefixTerm : exactTerm;
  return allOf(words, (asked) => {
    const near = known.filter(({ word }) => word === asked).map((row) => termOf(row.near));
    return `(${[prefixTerm(asked), ...near].join(' | ')})`;
  });
}

/** The ways to match a query as `tsquery`s, best first, each wider than the one before. Empty if the query has no word. */
export async function tiersOf(database: Queryable, query: string): Promise<string[]> {
  const words = wordsOfQuery(query);
  if (words.length === 0) return [];
  const mistyped = await matchMistyped(database, words, 'words');
  return [matchExactly(words), matchPrefixes(words), ...(mistyped ? [mistyped] : [])].map((match) => match.query);
}

const SHORTEST_SIEVED = 3;

function allOf(words: readonly string[], termOf: (word: string) => string): Match {
  const longEnough = words.filter((word) => word.length >= SHORTEST_SIEVED);
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one), '');
  const all = (some: readonly string[]) => some.map(termOf).join(' & ');
  return { query: all(words), sieve: all(longEnough.length > 0 ? longEnough : [longest]) };
}

// A word in the text of a `tsquery` is quoted, so that it is always read as one word.
const exactTerm = (word: string) => `'${word}'`;
const prefixTerm = (word: string) => `${exactTerm(word)}:*`;

// By the primary key of search_word, whose collation compares bytes: a prefix with U+10FFFF sorts after all its words.
const KNOWN = {
  words: `
    SELECT asked.word, asked.near
    FROM unnest($1::text[], $2::text[]) AS asked (word, near)
    JOIN search_word ON search_word.word = asked.near`,
  prefixes: `
    SELECT asked.word, asked.near
    FROM unnest($1::text[], $2::text[]) AS asked (word, near)
    WHERE EXISTS (
      SELECT
      FROM search_word
      WHERE search_word.word >= asked.near COLLATE "C" AND search_word.word < (asked.near || U&'\\+10FFFF') COLLATE "C"
    )`,
};
