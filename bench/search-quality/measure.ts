/**
 * Whether people who write a name differently find the product: alters names of the catalogue with a fixed seed, and looks for the original
 * among the first ten results, in lists by relevance and in suggestions. Then measures the speed of both.
 */
import { wordsOf } from '../../src/values/words.ts';
import type { BenchCatalogue } from '../catalogue.ts';
import { note } from '../figures.ts';
import { searchPaths, wordPaths } from '../list-paths.ts';
import { Client } from '../lists.ts';
import { NOTHING_KEPT, startOurs } from '../servers.ts';
import { ALTERATIONS, type Alteration } from './alterations.ts';
import { type Random, randomFrom } from './random.ts';

const FIRST = 10;
const LONGEST_QUERY = 100;
const WORST = 20;
const CONNECTIONS = 4;

export interface QualityOptions {
  /** How many names to alter in each way. */
  names: number;
  seed: number;
}

interface Drawn {
  slug: string;
  name: string;
}

interface Miss {
  alteration: string;
  query: string;
  name: string;
  first: string;
}

type Ask = (path: string) => Promise<{ slug: string; name: string }[]>;

/** Where results come from, as paths. */
const SOURCES: Readonly<Record<string, (query: string) => string>> = {
  lists: (query) => `/api/v1/products?limit=${FIRST}&q=${query}`,
  suggestions: (query) => `/api/v1/search?limit=${FIRST}&q=${query}`,
};

const PREFIXES = 600;

/** Measures everything on a filled catalogue. */
export async function measureSearchQuality(catalogue: BenchCatalogue, options: QualityOptions): Promise<void> {
  const server = await startOurs('ours', catalogue.url, NOTHING_KEPT);
  const key = catalogue.keys[0] ?? '';
  const client = new Client(server, key);
  const prefixes = await searchPaths(catalogue.database, 2 * PREFIXES);
  // A process that has just started compiles its code during the first hundreds of requests.
  for (const path of prefixes.slice(PREFIXES)) await client.timed(path);
  await client.measure('typeahead, prefixes, a fifth mistyped', prefixes.slice(0, PREFIXES), {
    p95: 10,
    p99: 30,
  });
  await client.measure('lists by a word', await wordPaths(catalogue.database), { p95: 25 });
  const ask: Ask = async (path) => {
    const response = await fetch(server.address + path, { headers: { 'x-api-key': key } });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
    return ((await response.json()) as { data: Drawn[] }).data;
  };
  const misses: Miss[] = [];
  for (const [n, alteration] of ALTERATIONS.entries()) {
    const random = randomFrom(options.seed + n);
    const queries = await draw(catalogue, alteration, options.names, random);
    for (const [source, pathOf] of Object.entries(SOURCES)) {
      const missed = await missesOf(queries, alteration, (query) => ask(pathOf(encodeURIComponent(query))));
      const share = (found: number) => (100 * found) / Math.max(1, queries.length);
      const label = `${alteration.name}, ${source}, of ${queries.length}`;
      note(label, share(queries.length - missed.length), '%', alteration.target);
      const ties = missed.filter(({ isTie }) => isTie).length;
      note(`${label}, with equal names`, share(queries.length - missed.length + ties), '%');
      if (source === 'lists') misses.push(...missed.filter(({ isTie }) => !isTie));
    }
  }
  showWorst(misses);
  await server.stop();
}

/** Names in an order that the seed determines, until enough of them can be altered. */
async function draw({ database }: BenchCatalogue, { alter }: Alteration, count: number, random: Random) {
  const drawn: (Drawn & { query: string })[] = [];
  for (let page = 0; drawn.length < count; page += 1) {
    const rows = await database.query<Drawn>(
      'SELECT slug, name FROM product ORDER BY md5(slug || $1::text) LIMIT $2 OFFSET $3',
      [String(random.below(2 ** 31)), PAGE, 0],
    );
    for (const row of rows) {
      const query = drawn.length < count ? alter(shortened(row.name), random) : undefined;
      if (query === undefined || [...query].length > LONGEST_QUERY) continue;
      if (!drawn.some(({ slug }) => slug === row.slug)) drawn.push({ ...row, query });
    }
    if (page === MOST_PAGES) break;
  }
  return drawn;
}

const PAGE = 20_000;
const MOST_PAGES = 3;

/** The first words of a name that fit into a query, with room for an alteration. */
function shortened(name: string): string {
  if (name.length <= LONGEST_QUERY - 5) return name;
  return name.slice(0, LONGEST_QUERY - 5).replace(/\s+\S*$/, '');
}

async function missesOf(
  queries: readonly (Drawn & { query: string })[],
  { name: alteration }: Alteration,
  ask: (query: string) => Promise<Drawn[]>,
): Promise<(Miss & { isTie: boolean })[]> {
  const missed: (Miss & { isTie: boolean })[] = [];
  const waiting = [...queries];
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { slug, name, query } = next;
      const found = await ask(query);
      if (found.some((each) => each.slug === slug)) continue;
      const isTie = found.some((each) => sameWords(each.name, name));
      missed.push({ alteration, query, name, first: found[0]?.name ?? '(nothing)', isTie });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return missed.sort((one, other) => (one.query < other.query ? -1 : 1));
}

const sameWords = (one: string, other: string) => sortedWords(one) === sortedWords(other);
const sortedWords = (name: string) => wordsOf(name).sort().join(' ');

/** Prints the misses with the most words, which should have been the easiest to find. */
function showWorst(misses: readonly Miss[]): void {
  const worst = [...misses].sort((one, other) => wordsOf(other.query).length - wordsOf(one.query).length);
  process.stdout.write(`\nThe worst misses of ${misses.length}\n`);
  for (const { alteration, query, name, first } of worst.slice(0, WORST)) {
    process.stdout.write(`  ${alteration}: "${query}" should find "${name}"; first was "${first}"\n`);
  }
}
