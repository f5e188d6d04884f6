/**
 * Gateways under mixed load for a given time, while feeds are imported repeatedly. Reports what clients saw, what was counted,
 * and how much memory the processes use. Works only with what an operator has: the server and `pda`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { checkDigit } from '../../src/values/gtin.ts';
import { type Asked, type Load, type LoadRequest, startLoad } from './load.ts';
import { freePort } from './postgres-server.ts';
import { run, type ServerProcess, startServerProcess } from './process.ts';

export interface SoakOptions {
  seconds: number;
  /** The database; `REDIS_URL` if they should share limits. */
  environment: Record<string, string>;
  gateways: number;
  /** Clients per key, and their pause between requests in milliseconds. */
  clients?: number;
  restMs?: number;
}

export interface SoakReport {
  seconds: number;
  requests: number;
  imports: number;
  /** The number of responses by status; 0 means no response. */
  statuses: Record<string, number>;
  /** The first few unexpected responses, as their clients saw them. */
  faults: string[];
  p99Ms: number;
  slowestMs: number;
  /** For each key, the requests that should be deducted and those that its counter shows. */
  books: { key: string; answered: number; counted: number }[];
  /** Each gateway's memory in MiB: the median of its resident set and the minimum of its heap, after a quarter of the time and at the end. */
  memory: { early: Memory; late: Memory }[];
}

interface Memory {
  residentMegabytes: number;
  heapMegabytes: number;
}

const PRODUCTS = 300;
const EXPECTED = new Set([200, 304, 400, 402, 404]);
const FREE_QUOTA = 100;

/** Runs a soak test on an empty database. */
export async function soak({
  seconds,
  environment,
  gateways,
  clients = 4,
  restMs = 20,
}: SoakOptions): Promise<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), 'pda-soak-'));
  const metricsPorts = await Promise.all(Array.from({ length: gateways }, freePort));
  const servers: ServerProcess[] = [];
  try {
    // One after the other, because the first one migrates.
    for (const port of metricsPorts) {
      servers.push(await startServerProcess({ ...environment, RATE_LIMIT_PUBLIC: '0', METRICS_PORT: String(port) }));
      if (servers.length === 1) await pda(environment, ['import', writeFeed(folder, 0), '--merchant', 'Shop 0']);
    }
    const keys = await Promise.all(
      ['enterprise', 'enterprise', 'free'].map(async (plan, n) => ({
        plan,
        ...((await pda(environment, [
          'keys',
          'create',
          '--name',
          `soak ${n}`,
          '--plan',
          plan,
          '--rate-limit',
          '1000000',
        ])) as { id: string; key: string }),
      })),
    );
    const addresses = servers.map(({ address }) => address);
    const loads = keys.map(({ key }) => startLoad({ addresses, key, paths: MIX, clients, restMs, isBrief: true }));
    const end = performance.now() + seconds * 1_000;
    const [memory, imports] = await Promise.all([
      watchMemory(metricsPorts, seconds),
      importUntil(end, folder, environment),
    ]);
    const books = await Promise.all(loads.map((load: Load) => load.stop()));
    const counted = (await pda(environment, ['usage'])) as { id: string; used: number }[];
    const asked = books.flatMap((book) => book.asked);
    const times = asked.map(({ ms }) => ms).sort((one, other) => one - other);
    return {
      seconds,
      requests: asked.length,
      imports,
      statuses: countBy(asked),
      faults: asked
        .filter(({ status }) => !EXPECTED.has(status))
        .slice(0, 10)
        .map(({ status, path, ms }) => `${status} ${path} after ${Math.round(ms)} ms`),
      p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
      slowestMs: times.at(-1) ?? 0,
      books: keys.map(({ id, plan }, n) => ({
        key: `${plan} ${id}`,
        answered: books[n]?.charged ?? 0,
        counted: counted.find((usage) => usage.id === id)?.used ?? 0,
      })),
      memory,
    };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The quota of the key that runs out during the soak, in requests. */
export const SOAK_FREE_QUOTA = FREE_QUOTA;

const gtinOf = (n: number) => {
  const body = `40${String(n).padStart(10, '0')}`;
  return body + checkDigit(body);
};

/** A mix of all kinds of requests, including invalid ones. */
const MIX: readonly LoadRequest[] = Array.from({ length: PRODUCTS }, (_, n): LoadRequest[] => [
  { path: `/api/v1/lookup?ean=${gtinOf(n)}` },
  { path: `/api/v1/lookup?ean=${gtinOf(n)}` },
  { path: `/api/v1/lookup?ean=${gtinOf(n + PRODUCTS)}` },
  { path: `/api/v1/products?sort=price_asc&limit=${1 + (n % 100)}` },
  { path: `/api/v1/products?minPrice=${n}&sort=discount` },
  { path: `/api/v1/products/soaked-thing-${n}/price-history?days=${1 + n}` },
  { path: `/api/v1/search?q=soak${n}` },
  { path: '/api/v1/lookup?ean=123' },
  { path: '/api/v1/merchants' },
  {
    path: '/graphql',
    body: JSON.stringify({
      query: `{ a: lookup(ean: "${gtinOf(n)}") { offers { totalPrice } } b: search(query: "thing") { name } viewer { used } }`,
    }),
    cost: 3,
  },
]).flat();

/** Writes a feed whose prices depend on its generation. @returns its path. */
function writeFeed(folder: string, generation: number): string {
  const file = join(folder, `feed-${generation}.tsv`);
  const rows = Array.from(
    { length: PRODUCTS },
    (_, n) =>
      `${n}\tSoaked Thing ${n}\thttps://shop.example/${n}\t${10 + ((n + generation) % 50)}.00 EUR\tin stock\t${gtinOf(n)}\n`,
  );
  writeFileSync(file, `id\ttitle\tlink\tprice\tavailability\tgtin\n${rows.join('')}`);
  return file;
}

/** Imports changed feeds of three shops in turn. @returns the number of imports. */
async function importUntil(end: number, folder: string, environment: Record<string, string>): Promise<number> {
  let imports = 0;
  while (performance.now() < end) {
    imports += 1;
    const feed = writeFeed(folder, imports);
    await pda(environment, [
      'import',
      feed,
      '--merchant',
      `Shop ${imports % 3}`,
      '--rejects',
      join(folder, 'rejects.jsonl'),
    ]);
    rmSync(feed);
    await wait(Math.min(2_000, Math.max(0, end - performance.now())));
  }
  return imports;
}

async function watchMemory(ports: readonly number[], seconds: number): Promise<SoakReport['memory']> {
  const samples = 60;
  const taken: Memory[][] = ports.map(() => []);
  for (let n = 0; n < samples; n += 1) {
    await wait((seconds * 1_000) / samples);
    for (const [place, port] of ports.entries()) taken[place]?.push(await memoryAt(port));
  }
  const quarter = samples / 4;
  return taken.map((memory) => ({ early: sum(memory.slice(quarter, 2 * quarter)), late: sum(memory.slice(-quarter)) }));
}

/** The median of the resident set, and the minimum of the heap, which is what remains after garbage collection. */
function sum(memory: readonly Memory[]): Memory {
  const resident = memory.map(({ residentMegabytes }) => residentMegabytes).sort((one, other) => one - other);
  return {
    residentMegabytes: Math.round(resident[Math.floor(resident.length / 2)] ?? 0),
    heapMegabytes: Math.round(Math.min(...memory.map(({ heapMegabytes }) => heapMegabytes))),
  };
}

async function memoryAt(port: number): Promise<Memory> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const megabytes = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) / 2 ** 20;
  return {
    residentMegabytes: megabytes('process_resident_memory_bytes'),
    heapMegabytes: megabytes('nodejs_heap_size_used_bytes'),
  };
}

async function pda(environment: Record<string, string>, words: readonly string[]): Promise<unknown> {
  const { status, stdout, stderr } = await run('pda', [...words, '--json'], environment);
  if (status !== 0) throw new Error(`pda ${words[0]} ended with status ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

function countBy(asked: readonly Asked[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of asked) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
