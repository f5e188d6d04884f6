/**
 * Speed and memory of an import with the command that operators use, compared with COPY of the resulting rows into the same tables
 * with the same indexes.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../src/database/migrate.ts';
import { openPostgres } from '../src/database/postgres.ts';
import { temporaryDatabase } from './databases.ts';
import { writeFeed } from './feeds.ts';
import { note } from './figures.ts';
import { prepare } from './import-waits.ts';
import { drive, makeTraffic } from './load.ts';
import { pda } from './pda.ts';
import { median } from './quantile.ts';
import { bundlePeer, installPeers, NOTHING_KEPT, startOurs } from './servers.ts';

/** Imports feeds of `items` items into PostgreSQL: a first feed, the same again, and another shop's feed of the same products. */
export async function measureImports(server: string, items: number): Promise<void> {
  installPeers();
  const source = await temporaryDatabase(server);
  const target = await temporaryDatabase(server);
  const folder = mkdtempSync(join(tmpdir(), 'pda-bench-'));
  try {
    const [one, other] = [join(folder, 'one.tsv'), join(folder, 'other.tsv')];
    await writeFeed(one, items, 1);
    await writeFeed(other, items, 2);
    const environment = { DATABASE_URL: source.url };
    await pda(['migrate'], environment);
    const first = await pda(['import', one, '--merchant', 'One'], environment);
    const copySeconds = await copySecondsOf(source.url, target.url);
    const second = await pda(['import', one, '--merchant', 'One'], environment);
    const joined = await pda(['import', other, '--merchant', 'Other'], environment);
    const rate = (seconds: number) => items / seconds;
    note(`import, ${items} items: all products new`, rate(first.seconds), 'offers/s');
    note(`import, ${items} items: COPY of the same rows`, rate(copySeconds), 'offers/s');
    note(`import, ${items} items: relative to COPY`, copySeconds / first.seconds, '×', 0.6);
    note(`import, ${items} items: another shop's offers for the same products`, rate(joined.seconds), 'offers/s');
    note(`import, ${items} items: the same feed again`, rate(second.seconds), 'offers/s');
    note(`import, ${items} items: the same again, relative to the first`, first.seconds / second.seconds, '×', 5);
    const peak = Math.max(first.peakMegabytes, second.peakMegabytes, joined.peakMegabytes);
    note(`import, ${items} items: peak memory`, peak, 'MB', 300, true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await source.drop();
    await target.drop();
  }
}

/** Imports into the embedded database, compared with the server. */
export async function measureEmbeddedImports(server: string, items: number): Promise<void> {
  const { url, drop } = await temporaryDatabase(server);
  const folder = mkdtempSync(join(tmpdir(), 'pda-bench-'));
  try {
    const feed = join(folder, 'one.tsv');
    await writeFeed(feed, items, 1);
    const importInto = (environment: Record<string, string>) => pda(['import', feed, '--merchant', 'One'], environment);
    const [embedded, ofServer] = [{ DATA_DIR: join(folder, 'data') }, { DATABASE_URL: url }];
    for (const environment of [embedded, ofServer]) await pda(['migrate'], environment);
    const [first, compared] = [await importInto(embedded), await importInto(ofServer)];
    const second = await importInto(embedded);
    note(`embedded import, ${items} items: all products new`, items / first.seconds, 'offers/s');
    note(`embedded import, ${items} items: relative to the server`, compared.seconds / first.seconds, '×', 0.8);
    note(`embedded import, ${items} items: the same feed again`, items / second.seconds, 'offers/s');
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await drop();
  }
}

const ROUNDS = 7;
const ROUND_SECONDS = 4;

/** Lookups on the embedded database and on the server, without kept answers, in turns. */
export async function measureEmbeddedLookups(server: string): Promise<void> {
  const { url, drop } = await temporaryDatabase(server);
  const folder = mkdtempSync(join(tmpdir(), 'pda-bench-'));
  try {
    const homes = [];
    for (const environment of [{ DATA_DIR: join(folder, 'data') }, { DATABASE_URL: url }]) {
      const traffic = makeTraffic(folder, `${homes.length}`, (await prepare(folder, environment)).requests);
      const ours = await startOurs('ours', undefined, { ...environment, ...NOTHING_KEPT });
      homes.push({ traffic, ours, rates: [] as number[] });
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { traffic, ours, rates } of homes) {
        const load = { address: ours.address, connections: 64, seconds: ROUND_SECONDS };
        rates.push((await drive(load, traffic)).rate);
      }
    }
    for (const { ours } of homes) await ours.stop();
    const [embedded = 0, ofServer = 0] = homes.map(({ rates }) => median(rates));
    note('embedded lookups, cold, 64 connections', embedded, 'requests/s');
    note('embedded lookups, cold, 64 connections: relative to the server', embedded / ofServer, '×', 0.85);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await drop();
  }
}

async function copySecondsOf(sourceUrl: string, targetUrl: string): Promise<number> {
  const target = openPostgres({ url: targetUrl, purpose: 'bulk' });
  await migrate(target);
  await target.close();
  const { stdout, status, stderr } = spawnSync(process.execPath, [await bundlePeer('copy')], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, SOURCE_URL: sourceUrl, TARGET_URL: targetUrl },
  });
  if (status !== 0) throw new Error(`COPY failed:\n${stderr}`);
  return Number(stdout);
}
