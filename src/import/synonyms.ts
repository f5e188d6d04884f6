/** The synonyms of searches, which operators keep in a text file: reads the file, and replaces the synonyms of the database with it. */
import { readFile, stat } from 'node:fs/promises';
import { recordAudit } from '../access/audit.ts';
import { MOST_TERM_WORDS } from '../catalogue/search/readings.ts';
import type { Database, Queryable } from '../database/database.ts';
import { wordsOfQuery } from '../values/words.ts';
import { raiseVersion } from './figures.ts';
import { BrokenFeed, unreadable } from './reject.ts';
import { soleValue } from './sole-value.ts';
import { inTransaction } from './write-lock.ts';

const MOST_BYTES = 1_000_000;
const MOST_LINES = 10_000;
/** The most terms on a line, and the most meanings of a term: each is looked for in every search with the term. */
const MOST_TERMS = 20;

/** A term, and the terms that are found in its place, all as folded words. */
export interface Synonym {
  term: string;
  meanings: string[];
}

/** The result of replacing all synonyms: the numbers of terms before and after. */
export interface SynonymSummary {
  terms: number;
  before: number;
}

/**
 * Replaces all synonyms with those of a file. Nothing changes if a line is invalid.
 * @throws {BrokenFeed} when the file cannot be read, is too large, or has an invalid line, which the error names.
 */
export async function replaceSynonyms(database: Database, file: string, isDryRun = false): Promise<SynonymSummary> {
  const size = await stat(file).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  if (size.size > MOST_BYTES) {
    throw new BrokenFeed(`The file has ${size.size} bytes, but the limit is ${MOST_BYTES}: shorten it.`);
  }
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  return write(database, parseSynonyms(asText(bytes)), isDryRun);
}

/** Removes all synonyms. */
export const clearSynonyms = (database: Database, isDryRun = false): Promise<SynonymSummary> =>
  write(database, [], isDryRun);

/** All synonyms, in the order of their terms. By the primary key. */
export const listSynonyms = (database: Queryable): Promise<Synonym[]> =>
  database.query<Synonym>('SELECT term, meanings FROM search_synonym ORDER BY term');

function asText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BrokenFeed('The file is not UTF-8: convert it.');
  }
}

/**
 * Reads synonyms. `sofa, couch` declares equal terms; `tv => television, screen` is for searches with `tv` only. Empty lines and lines that begin
 * with `#` are skipped.
 * @throws {BrokenFeed}
 */
export function parseSynonyms(text: string): Synonym[] {
  const lines = text.split(/\r?\n/);
  if (lines.length > MOST_LINES) {
    throw new BrokenFeed(`The file has ${lines.length} lines, but the limit is ${MOST_LINES}: shorten it.`);
  }
  const meanings = new Map<string, Set<string>>();
  for (const [index, raw] of lines.entries()) {
    if (raw.trim() === '' || raw.trim().startsWith('#')) continue;
    const { from, to } = readLine(raw, index + 1);
    for (const term of from) {
      const all = meanings.get(term) ?? new Set();
      for (const meaning of to) if (meaning !== term) all.add(meaning);
      if (all.size > MOST_TERMS) {
        const detail = `"${term}" has more than ${MOST_TERMS} meanings: remove some.`;
        throw new BrokenFeed(detail, { line: index + 1 });
      }
      meanings.set(term, all);
    }
  }
  return [...meanings].flatMap(([term, all]) => (all.size > 0 ? [{ term, meanings: [...all] }] : []));
}

function readLine(raw: string, line: number): { from: string[]; to: string[] } {
  const sides = raw.split('=>');
  if (sides.length > 2) throw new BrokenFeed('A line may have one `=>`: write another line.', { line });
  const [from = [], to] = sides.map((side) => readTerms(side, line));
  const isLone = to === undefined && from.length < 2;
  if (isLone)
    throw new BrokenFeed('A line needs two different terms with a comma between, or `=>`: add one.', { line });
  return { from, to: to ?? from };
}

function readTerms(text: string, line: number): string[] {
  const texts = text.split(',');
  if (texts.length > MOST_TERMS) {
    throw new BrokenFeed(`A side of the line has ${texts.length} terms, but the limit is ${MOST_TERMS}: shorten it.`, {
      line,
    });
  }
  const terms = texts.map((each) => {
    const words = wordsOfQuery(each);
    if (words.length === 0) throw new BrokenFeed('A term has no letter or digit: remove it.', { line });
    if (words.length <= MOST_TERM_WORDS) return words.join(' ');
    const detail = `The term "${each.trim()}" has ${words.length} words, but the limit is ${MOST_TERM_WORDS}: shorten it.`;
    throw new BrokenFeed(detail, { line });
  });
  return [...new Set(terms)];
}

async function write(database: Database, synonyms: readonly Synonym[], isDryRun: boolean): Promise<SynonymSummary> {
  return inTransaction(database, isDryRun, async (transaction) => {
    // Another replacement waits; searches do not.
    await transaction.query('LOCK TABLE search_synonym IN SHARE ROW EXCLUSIVE MODE');
    const before = await soleValue<number>(transaction, 'SELECT count(*)::int AS count FROM search_synonym');
    await transaction.query('DELETE FROM search_synonym');
    await transaction.query(ADD, [JSON.stringify(synonyms)]);
    const summary = { terms: synonyms.length, before };
    const [was, is] = [{ terms: before }, { terms: synonyms.length }];
    await recordAudit(transaction, { action: 'synonyms.replace', before: was, after: is });
    // Without tags: any list with words may change.
    await raiseVersion(transaction);
    return summary;
  });
}

const ADD = `
  INSERT INTO search_synonym (term, meanings)
  SELECT each ->> 'term', ARRAY(SELECT jsonb_array_elements_text(each -> 'meanings'))
  FROM jsonb_array_elements($1::text::jsonb) AS each
  ORDER BY 1`;
