/**
 * Compares the present version with the recorded one: `npm run bench -- --check`. The two take turns in five runs, each with new
 * processes, because two processes of the same version differ by a few percent. Rows that fall short are measured in five more
 * runs, and the medians are those of all ten.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchCatalogue, fillCatalogue, openCatalogue, useCatalogue } from '../catalogue.ts';
import { serverVersion, temporaryDatabase } from '../databases.ts';
import { introduce } from '../figures.ts';
import { generator } from '../load.ts';
import type { Part } from '../options.ts';
import { copyCommit, haveSameMigrations } from './copy.ts';
import { requireCommit } from './git.ts';
import { IMPORTS, makeFeed, measureImports } from './imports.ts';
import { readRecorded } from './recorded.ts';
import { makeTraffics, measureRequests, requestRowsOf } from './requests.ts';
import { measureStarts, START } from './start.ts';
import { conclude, type Judged, judge, renderTable, summarize } from './verdict.ts';
import { type Order, Rows, type Take, type Version } from './versions.ts';

const RUNS = 5;

interface Place {
  /** The PostgreSQL server, on which databases may be created. */
  server: string;
  /** A temporary folder. */
  folder: string;
  products: number;
}

/** Measures some parts and prints the results. @returns whether no row falls short. */
export async function check(parts: readonly Part[], place: Place): Promise<boolean> {
  const recorded = readRecorded();
  const commits = new Set(parts.map((part) => recorded[part]));
  for (const commit of commits) requireCommit(commit);
  introduce({ PostgreSQL: await serverVersion(place.server), 'driven by': generator });
  const copies = [...commits].map((commit) => ({ commit, copy: copyCommit(commit, place.folder) }));
  let hasPassed = true;
  for (const { commit, copy } of copies) {
    const ofCommit = parts.filter((part) => recorded[part] === commit);
    const rows = await withVersions(copy, place, (order) => measure(ofCommit, order, place));
    process.stdout.write(`${renderTable(rows)}\n${conclude(rows, commit)}\n`);
    hasPassed &&= !rows.some(({ isShort }) => isShort);
  }
  return hasPassed;
}

/** Gives both versions a catalogue: the same one, unless their tables differ. */
async function withVersions<Result>(
  copy: string,
  { server, products }: Place,
  work: (order: Order) => Promise<Result>,
): Promise<Result> {
  const present: Version = { name: 'present', folder: '.', catalogue: await openCatalogue(server, products, false) };
  const own = haveSameMigrations(copy, '.') ? undefined : await temporaryDatabase(server);
  let catalogue: BenchCatalogue | undefined;
  try {
    if (own) {
      process.stdout.write('The migrations differ, so the recorded commit imports a catalogue of its own.\n');
      await fillCatalogue(own.url, products, copy);
      catalogue = await useCatalogue(own.url, copy);
    }
    return await work([{ name: 'recorded', folder: copy, catalogue: catalogue ?? present.catalogue }, present]);
  } finally {
    await catalogue?.database.close();
    await present.catalogue.database.close();
    await own?.drop();
  }
}

async function measure(parts: readonly Part[], order: Order, { server, folder, products }: Place): Promise<Judged[]> {
  const scratch = join(folder, `of-${parts.join('-')}`);
  mkdirSync(scratch);
  const requestRows = requestRowsOf(parts);
  const traffics = await makeTraffics(requestRows, order, scratch);
  const feed = parts.includes('imports') ? await makeFeed(scratch, products) : undefined;

  const measureOnce = async (now: Order, isWanted: (name: string) => boolean, take: Take) => {
    if (parts.includes('start') && isWanted(START)) await measureStarts(now, take);
    const wanted = requestRows.filter(({ name }) => isWanted(name));
    await measureRequests(wanted, now, traffics, take);
    if (feed && IMPORTS.some(isWanted)) await measureImports(server, now, feed, take);
  };
  const rows = new Rows();
  const repeat = async (isWanted: (name: string) => boolean) => {
    for (let run = 0; run < RUNS; run += 1) {
      const now: Order = run % 2 === 0 ? order : [order[1], order[0]];
      const before = new Map(rows.list().map(({ name, pairs }) => [name, pairs.length]));
      await measureOnce(now, isWanted, rows.take);
      const added = rows.list().map((row) => ({ ...row, pairs: row.pairs.slice(before.get(row.name) ?? 0) }));
      process.stdout.write(`Run ${run + 1} of ${RUNS}: ${summarize(added.filter(({ pairs }) => pairs.length > 0))}\n`);
    }
  };
  await repeat(() => true);
  const short = rows
    .list()
    .map(judge)
    .filter(({ isShort }) => isShort);
  if (short.length > 0) {
    const names = new Set(short.map(({ name }) => name));
    process.stdout.write(`Measured again, because they fell short: ${[...names].join('; ')}\n`);
    await repeat((name) => names.has(name));
  }
  return rows.list().map(judge);
}
