/** How long lookups take while a feed is imported, compared with the same gateway without an import. */
import { spawn } from 'node:child_process';
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openPostgres } from '../src/database/postgres.ts';
import { hasDueProduct } from '../src/ledger/digest/digest-step.ts';
import { type Gtin14, isRestrictedCirculation } from '../src/values/gtin.ts';
import { temporaryDatabase } from './databases.ts';
import { writeFeed } from './feeds.ts';
import { note } from './figures.ts';
import type { BenchRequest } from './load.ts';
import { shown } from './lookup-requests.ts';
import { driveOpen } from './open-load.ts';
import { pda } from './pda.ts';
import { quantile } from './quantile.ts';
import { NOTHING_KEPT, startOurs } from './servers.ts';

const EVERY_MS = 40;
const QUIET_MS = 10_000;
const KNOWN_PRODUCTS = 2_000;
/** The longest lookup beside an import into the embedded database. */
const LONGEST_MS = 100;

/** How a feed is imported while lookups are measured. */
interface Importer {
  /** Imports the file, as the feed of one shop. */
  run(path: string): Promise<void>;
  end(): void;
}

/**
 * The embedded database: a feed of new offers, then with changed prices, then the same again, as a scheduled feed that the gateway pulls, and
 * with `pda import` beside it.
 */
export async function measureEmbeddedWaits(items: number): Promise<void> {
  for (const how of ['scheduled feed', 'pda import'] as const) {
    await inFolder(async (folder) => {
      const environment = { DATA_DIR: join(folder, 'data') };
      const { requests } = await prepare(folder, environment);
      const [feed, changed] = [join(folder, 'two.tsv'), join(folder, 'changed.tsv')];
      await writeFeed(feed, items, 2);
      writeFileSync(changed, readFileSync(feed, 'utf8').replaceAll(/\.(\d)\d EUR\tin/g, '.$14 EUR\tin'));
      const settings = { ...environment, ...NOTHING_KEPT, LOG_LEVEL: 'error' };
      const gateway = await startOurs('ours', undefined, settings);
      const importer = how === 'pda import' ? byCommand(environment) : bySchedule(gateway.address, environment);
      const look = (work: () => Promise<unknown>) => lookUpDuring(gateway.address, requests, work);
      try {
        await look(() => setTimeout(QUIET_MS / 2));
        const quiet = await look(() => setTimeout(QUIET_MS));
        report(`embedded, ${how}, quiet`, quiet, quiet);
        for (const [name, path] of [
          ['new offers', feed],
          ['changed prices', changed],
          ['the same again', changed],
        ] as const) {
          const startedAt = performance.now();
          const times = await look(() => importer.run(path));
          report(`embedded, ${how}, ${items} ${name}`, times, quiet, LONGEST_MS);
          const seconds = (performance.now() - startedAt) / 1_000;
          note(`lookups during imports, embedded, ${how}, ${items} ${name}: duration`, seconds, 's');
        }
      } finally {
        importer.end();
        await gateway.stop();
      }
    });
  }
}

function byCommand(environment: Record<string, string>): Importer {
  return {
    async run(path) {
      await pda(['import', path, '--merchant', 'Two'], environment);
    },
    end() {},
  };
}

/** Serves the file, and lets the gateway pull it. The end of a run is read from the report of the feed. */
function bySchedule(address: string, environment: Record<string, string>): Importer {
  let served = '';
  const shop = createServer((_request, response) => void createReadStream(served).pipe(response)).listen(
    0,
    '127.0.0.1',
  );
  let known: { id: string; report: string } | undefined;
  return {
    async run(path) {
      served = path;
      const startedAt = Date.now();
      if (known) await pda(['feeds', 'run', known.id], environment);
      else {
        const { port } = shop.address() as AddressInfo;
        const added = await pda(
          [
            'feeds',
            'add',
            `http://127.0.0.1:${port}/feed.tsv`,
            '--merchant',
            'Two',
            '--every',
            '1d',
            '--allow-private',
          ],
          environment,
        );
        known = (await pda(['feeds', 'show', (added.said as { id: string }).id], environment)).said as typeof known;
      }
      const { pathname } = new URL(known?.report ?? '');
      for (;;) {
        const response = await fetch(address + pathname, { headers: { accept: 'application/json' } });
        const { runs } = (await response.json()) as { runs: { startedAt: string; outcome: string | null }[] };
        const ended = runs.find((run) => Date.parse(run.startedAt) >= startedAt - 1_000)?.outcome;
        if (ended === 'imported' || ended === 'unchanged') return;
        if (ended) throw new Error(`The feed was not imported: ${ended}.`);
        await setTimeout(1_000);
      }
    },
    end() {
      shop.close();
    },
  };
}

const RATE = 300;
const CONNECTIONS = 64;
const SLICE_SECONDS = 2;
const QUIET_SLICES = 20;

/**
 * PostgreSQL: a constant rate of lookups during a scheduled import. An import keeps a core busy; a program that does only that shows how much
 * of the difference is the machine's.
 */
export async function measurePostgresWaits(server: string, items: number): Promise<void> {
  const { url, drop } = await temporaryDatabase(server);
  try {
    await inFolder(async (folder) => {
      const environment = { DATABASE_URL: url };
      const { requests } = await prepare(folder, environment);
      const path = join(folder, 'two.tsv');
      await writeFeed(path, items, 2);
      const shop = createServer((_request, response) => void createReadStream(path).pipe(response)).listen(
        0,
        '127.0.0.1',
      );
      const gateway = await startOurs('ours', url, NOTHING_KEPT);
      const database = openPostgres({ url, poolSize: 1 });
      const slice = async () => {
        const load = { address: gateway.address, rate: RATE, seconds: SLICE_SECONDS, connections: CONNECTIONS };
        return (await driveOpen(load, requests)).times;
      };
      try {
        // The gateway digests the products that were imported before.
        do await slice();
        while (await hasDueProduct(database));
        const quiet: number[] = [];
        for (let n = 0; n < QUIET_SLICES; n += 1) quiet.push(...(await slice()));
        report(`PostgreSQL, ${RATE} a second, quiet`, quiet, quiet);
        const besideOther: number[] = [];
        const other = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
        try {
          for (let n = 0; n < QUIET_SLICES; n += 1) besideOther.push(...(await slice()));
        } finally {
          other.kill('SIGKILL');
        }
        report(`PostgreSQL, ${RATE} a second, one core busy with another program`, besideOther, quiet);
        const { port } = shop.address() as AddressInfo;
        const words = ['feeds', 'add', `http://127.0.0.1:${port}/feed.tsv`, '--merchant', 'Two', '--every', '1h'];
        await pda([...words, '--allow-private'], environment);
        const isDone = async () => (await database.query("SELECT FROM feed_run WHERE outcome = 'imported'")).length > 0;
        const busy: number[] = [];
        while (!(await isDone())) busy.push(...(await slice()));
        report(`PostgreSQL, ${RATE} a second, scheduled import of ${items} rows`, busy, quiet);
        note(
          `lookups during imports, PostgreSQL: p99 relative to quiet`,
          quantile(busy, 0.99) / quantile(quiet, 0.99),
          '×',
          1.3,
          true,
        );
        const relative = quantile(busy, 0.99) / quantile(besideOther, 0.99);
        note('lookups during imports, PostgreSQL: p99 relative to one core busy with another program', relative, '×');
      } finally {
        await database.close();
        await gateway.stop();
        shop.close();
      }
    });
  } finally {
    await drop();
  }
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pda-bench-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Imports some products, and returns lookups of them. */
export async function prepare(
  folder: string,
  environment: Record<string, string>,
): Promise<{ requests: BenchRequest[] }> {
  const feed = join(folder, 'one.tsv');
  const written = await writeFeed(feed, KNOWN_PRODUCTS, 1);
  // An import ignores the numbers that shops may give themselves.
  const gtins = written.filter((gtin) => !isRestrictedCirculation(gtin.padStart(14, '0') as Gtin14));
  await pda(['migrate'], environment);
  await pda(['import', feed, '--merchant', 'One'], environment);
  const words = ['keys', 'create', '--name', 'bench', '--plan', 'enterprise', '--rate-limit', '1000000'];
  const { key } = (await pda(words, environment)).said as { key: string };
  return { requests: gtins.map((gtin) => ({ path: `/api/v1/lookup?ean=${shown(gtin)}`, key })) };
}

/** Sends a lookup every few milliseconds while `work` runs. @returns how long each took, in milliseconds. */
async function lookUpDuring(
  address: string,
  requests: readonly BenchRequest[],
  work: () => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  const underWay = new Set<Promise<void>>();
  let sent = 0;
  const send = async () => {
    const { path, key } = requests[(sent * 7) % requests.length] as BenchRequest;
    sent += 1;
    const startedAt = performance.now();
    const response = await fetch(address + path, { headers: { 'x-api-key': key } });
    await response.arrayBuffer();
    // A few rows are rejected, so their products are unknown.
    if (response.status >= 500) throw new Error(`${path} was answered ${response.status}.`);
    times.push(performance.now() - startedAt);
  };
  const timer = setInterval(() => {
    const lookup = send().finally(() => underWay.delete(lookup));
    underWay.add(lookup);
  }, EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
    await Promise.all(underWay);
  }
  return times;
}

function report(name: string, times: readonly number[], quiet: readonly number[], longestMs?: number): void {
  const [p99, longest] = [quantile(times, 0.99), Math.max(...times)];
  note(`lookups during imports, ${name}: p50`, quantile(times, 0.5), 'ms');
  note(`lookups during imports, ${name}: p99`, p99, 'ms');
  note(`lookups during imports, ${name}: longest`, longest, 'ms', longestMs, true);
  if (times !== quiet)
    note(`lookups during imports, ${name}: p99 relative to quiet`, p99 / quantile(quiet, 0.99), 'times');
}
