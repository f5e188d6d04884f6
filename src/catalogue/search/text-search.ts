/**
 * Turns typed text into queries in which all words must match: exactly, as a prefix, in another reading, or with one typing error, each
 * wider than before.
 */
import type { Queryable } from '../../database/database.ts';
import { SHORTEST_MISTYPED, typosOf, wordsOfQuery } from '../../values/words.ts';
import { invalid } from '../arguments.ts';
import type { Alternative } from './alternative.ts';
import { knownAlternatives, readingsOf, termsIn } from './readings.ts';

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
  /** The same or a wider query, which an index answers quickly: without very short prefixes, which match a large part of all products. */
  sieve: string;
  /** One between the two, which takes an index longer, for a sieve that finds thousands of products; `undefined` if there is none. */
  fineSieve: string | undefined;
}

/** Whether the last word of a query is complete, or is still being typed, so that a prefix of it may have a typing error. */
type LastWord = 'complete' | 'typed';

/** The distinct words of a query. */
export const distinctWords = (query: string): string[] => [...new Set(wordsOfQuery(query))];

/** Matches all words exactly. An index intersects whole words quickly, however short they are. */
export function matchExactly(words: readonly string[]): Match {
  const { query } = allOf(words, exactTerm);
  return { query, sieve: query, fineSieve: undefined };
}

/** Matches all words as prefixes. */
export const matchPrefixes = (words: readonly string[]): Match => allOf(words, prefixTerm);

/** The ways to match a query beyond prefixes, each wider than the one before; those that differ from it. Takes one statement. */
export async function matchWidely(database: Queryable, query: string, lastWord: LastWord): Promise<Match[]> {
  const read = readingsOf(query);
  const { words } = read;
  const typos = new Map(words.map((word) => [word, typosOf(word)]));
  const last = words.at(-1) ?? '';
  // What begins with three letters or less is found as it stands.
  const isBegun = lastWord === 'typed' && [...last].length >= SHORTEST_MISTYPED;
  const near = [...typos.values()].flat();
  const asked = [...read.spellings, ...read.compounds].flatMap((each) => each.words);
  const terms = termsIn(words);
  const rows = await database.query<VocabularyRow>(
    VOCABULARY,
    [
      [...new Set([...asked, ...near, last])],
      isBegun ? typos.get(last) : [],
      [...new Set(terms.map(({ term }) => term))],
    ],
    { name: 'known_words' },
  );
  const of = (kind: VocabularyRow['kind']) => rows.filter((row) => row.kind === kind);
  const known = new Set(of('word').map(({ word }) => word));
  // A word that names have is complete.
  const begun = new Set(known.has(last) ? [] : of('prefix').map(({ word }) => word));
  const meanings = new Map(of('synonym').map((row) => [row.word, row.meanings ?? []]));
  const alternatives = [
    ...terms.flatMap(({ at, term }) =>
      (meanings.get(term) ?? []).map((meaning) => ({ at, words: meaning.split(' '), isPrefix: true })),
    ),
    ...knownAlternatives(read, (word) => known.has(word)),
  ];
  const corrected = (word: string) =>
    (typos.get(word) ?? []).flatMap((each) => {
      if (word === last && begun.has(each)) return [prefixTerm(each)];
      return known.has(each) ? [exactTerm(each)] : [];
    });
  const hasTypos = words.some((word) => corrected(word).length > 0);
  return [
    ...(alternatives.length > 0 ? [matchReadings(words, alternatives)] : []),
    ...(hasTypos ? [matchReadings(words, alternatives, corrected)] : []),
  ];
}

/** Every word must match as a prefix, by an alternative that covers it, or by another term. */
function matchReadings(
  words: readonly string[],
  alternatives: readonly Alternative[],
  others: (word: string) => readonly string[] = () => [],
): Match {
  const clauses = new Map<string, string>();
  for (const [at, word] of words.entries()) {
    const covering = alternatives.filter((each) => each.at.includes(at)).map(alternativeTerm);
    const terms = [prefixTerm(word), ...covering, ...others(word)];
    // A word that occurs twice has the terms of its first place: it must match once.
    if (!clauses.has(word)) clauses.set(word, terms.length === 1 ? (terms[0] ?? '') : `(${terms.join(' | ')})`);
  }
  return allOf([...clauses.keys()], (word) => clauses.get(word) ?? '');
}

/** The ways to match a query as `tsquery`s, best first, each wider than the one before. Empty if the query has no word. */
export async function tiersOf(database: Queryable, query: string): Promise<string[]> {
  const words = distinctWords(query);
  if (words.length === 0) return [];
  const wider = await matchWidely(database, query, 'complete');
  return [matchExactly(words), matchPrefixes(words), ...wider].map((match) => match.query);
}

// Three letters begin the words of few products. Two begin those of up to a tenth of all, which takes an index tens of milliseconds.
const SHORTEST_SIEVED = 3;
const SHORTEST_FINELY_SIEVED = 2;

function allOf(words: readonly string[], termOf: (word: string) => string): Match {
  const all = (some: readonly string[]) => some.map(termOf).join(' & ');
  const long = words.filter((word) => word.length >= SHORTEST_SIEVED);
  const fine = words.filter((word) => word.length >= SHORTEST_FINELY_SIEVED);
  const sieved = [long, fine].find((some) => some.length > 0) ?? words.slice(0, 1);
  return { query: all(words), sieve: all(sieved), fineSieve: fine.length > sieved.length ? all(fine) : undefined };
}

// A word in the text of a `tsquery` is quoted, so that it is always read as one word.
const exactTerm = (word: string) => `'${word}'`;
const prefixTerm = (word: string) => `${exactTerm(word)}:*`;

function alternativeTerm({ words, isPrefix }: Alternative): string {
  const terms = words.map((word, n) => (isPrefix && n === words.length - 1 ? prefixTerm(word) : exactTerm(word)));
  return terms.length === 1 ? (terms[0] ?? '') : `(${terms.join(' & ')})`;
}

interface VocabularyRow {
  kind: 'word' | 'prefix' | 'synonym';
  word: string;
  meanings: string[] | null;
}

// By the primary keys. The collation of words compares bytes: a prefix with U+10FFFF sorts after all its words.
const VOCABULARY = `
  SELECT 'word' AS kind, word, NULL::text[] AS meanings
  FROM search_word
  WHERE word = ANY ($1::text[])
  UNION ALL
  SELECT 'prefix', asked.near, NULL
  FROM unnest($2::text[]) AS asked (near)
  WHERE EXISTS (
    SELECT
    FROM search_word
    WHERE search_word.word >= asked.near COLLATE "C" AND search_word.word < (asked.near || U&'\\+10FFFF') COLLATE "C"
  )
  UNION ALL
  SELECT 'synonym', term, meanings
  FROM search_synonym
  WHERE term = ANY ($3::text[])`;
