/**
 * The cost of an export of all products: rows per second, what the gateway's memory grows by, and how much longer lookups take that arrive
 * meanwhile. They arrive at a fixed rate, far below the highest, as at a service with room to spare.
 */
import { readFileSync } from 'node:fs';
import type { BenchCatalogue } from './catalogue.ts';
import { note } from './figures.ts';
import { lookupsOf } from './lookup-requests.ts';
import { driveOpen } from './open-load.ts';
import { median, quantile } from './quantile.ts';
import { type RunningServer, startOurs } from './servers.ts';

const RATE = 300;
const CONNECTIONS = 32;
const SECONDS = 5;
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
  const drive = async () => {
    const { times } = await driveOpen(
      { address: server.address, rate: RATE, seconds: SECONDS, connections: CONNECTIONS },
      requests,
    );
    return quantile(times, 0.99);
  };
  const key = catalogue.keys[0] ?? '';
  await drive();

  // The first export also warms up the code, so memory is measured from before it.
  const before = memoryOf(server);
  let most = before;
  const watching = setInterval(() => {
    most = Math.max(most, memoryOf(server));
  }, WATCH_EVERY_MS);
  const alone: Exported[] = [];
  for (let round = 0; round < ROUNDS; round += 1) alone.push(await exportAll(server, key));
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
    let isOver = false;
    const exporting = (async () => {
      while (!isOver) await exportAll(server, key);
    })();
    const busy = await drive();
    isOver = true;
    await exporting;
    ratios.push(busy / quiet);
  }
  note('p99 of lookups during exports relative to quiet', median(ratios), '×', 1.3, true);
  await server.stop();
}

async function exportAll({ address }: RunningServer, key: string): Promise<Exported> {
  const startedAt = performance.now();
  const headers = { 'x-api-key': key, 'accept-encoding': 'identity' };
  const response = await fetch(`${address}/api/v1/exports/products`, { headers });
  let rows = 0;
  let bytes = 0;
  let last: Uint8Array = new Uint8Array();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) rows += 1;
    last = chunk;
  }
  if (!new TextDecoder().decode(last).includes('"end":true')) throw new Error('The export is incomplete.');
  return { rows: rows - 1, seconds: (performance.now() - startedAt) / 1_000, bytes };
}

/** The resident memory of a server, in megabytes. */
const memoryOf = ({ pid }: RunningServer): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
