/**
 * The cost of an export of all products: rows per second, what the gateway's memory grows by, and how much longer lookups take that arrive
 * meanwhile. They arrive at a fixed rate, far below the highest, as at a service with room to spare.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BenchCatalogue } from './catalogue.ts';
import { note } from './figures.ts';
import { lookupsOf } from './lookup-requests.ts';
import { driveOpen } from './open-load.ts';
import { median, quantile } from './quantile.ts';
import { type RunningServer, startOurs } from './servers.ts';

const RATE = 300;
const CONNECTIONS = 32;
const SECONDS = 10;
const SETTLE_SECONDS = 5;
const ROUNDS = 5;
const WATCH_EVERY_MS = 50;

interface Exported {
  rows: number;
  seconds: number;
  bytes: number;
}

export async function measureExports(catalogue: BenchCatalogue): Promise<void> {
  const server = await startOurs('ours', catalogue.url);
  const requests = lookupsOf(catalogue, catalogue.gtins);
  const drive = async (seconds = SECONDS) => {
    const load = { address: server.address, rate: RATE, seconds, connections: CONNECTIONS };
    return quantile((await driveOpen(load, requests)).times, 0.99);
  };
  const key = catalogue.keys[0] ?? '';
  await drive();

  // The first export also warms up the code, so memory is measured from before it.
  const before = memoryOf(server);
  let most = before;
  const watching = setInterval(() => {
    most = Math.max(most, memoryOf(server));
  }, WATCH_EVERY_MS);
  const alone = await readExports(server, key, ROUNDS);
  clearInterval(watching);
  const [first] = alone;
  const [made] = await catalogue.database.query<{ count: number }>('SELECT count(*)::int AS count FROM product');
  if (!first || first.rows !== made?.count) throw new Error(`${first?.rows} of ${made?.count} products`);
  note('export of all products', median(alone.map(({ rows, seconds }) => rows / seconds)), 'rows/s');
  note('export of all products: bytes per row', first.bytes / first.rows, 'B');
  note('export of all products: growth of the memory', most - before, 'MB', 200, true);

  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const quiet = await drive();
    const reader = startReader(server, key);
    // An export without other requests runs at full speed, and leaves garbage behind.
    await drive(SETTLE_SECONDS);
    const busy = await drive();
    reader.kill();
    ratios.push(busy / quiet);
  }
  note('p99 of lookups during exports relative to quiet', median(ratios), '×', 1.3, true);
  await server.stop();
}

const startReader = ({ address }: RunningServer, key: string) =>
  spawn(process.execPath, [join('bench', 'clients', 'export-reader.js'), `${address}/api/v1/exports/products`, key], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Reads the export some times, one after the other. */
async function readExports(server: RunningServer, key: string, times: number): Promise<Exported[]> {
  const reader = startReader(server, key);
  const read: Exported[] = [];
  for await (const line of createInterface(reader.stdout)) {
    read.push(JSON.parse(line));
    // It must end before its output does.
    if (read.length === times) reader.kill();
  }
  return read.slice(0, times);
}

/** The resident memory of a server, in megabytes. */
const memoryOf = ({ pid }: RunningServer): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
