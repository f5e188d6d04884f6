/** An instance with two workers behaves as one process does: limits, counts, changes, metrics and log (docs/scaling.md). */
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { createKey } from '../src/access/key-admin.ts';
import type { PlanId } from '../src/access/plans.ts';
import { makeSecret } from '../src/access/secret.ts';
import { readConfig } from '../src/config.ts';
import { openPostgres } from '../src/database/postgres.ts';
import { poolSizeOf, shareOf } from '../src/workers/share.ts';
import { makePostgresDatabase } from './harness/database.ts';
import { eventually, expectEventually } from './harness/eventually.ts';
import { feedRow, importRows } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';
import { freePort } from './harness/postgres-server.ts';
import { run, startServerProcess } from './harness/process.ts';
import { type AnewAnswer, askAnew, workersOf } from './harness/workers.ts';

const EAN = '4006381333931';
const LOOKUP = `/api/v1/lookup?ean=${EAN}`;
// A change is visible everywhere within a second (docs/architecture.md, Caching).
const VISIBLE_MS = 1_000;

let addresses = 0;

const { url, drop } = await makePostgresDatabase();
const database = openPostgres({ url, poolSize: 2, purpose: 'bulk' });
await importRows(database, 'Shop', [feedRow({ id: 'a', gtin: EAN })]);
const metricsPort = await freePort();
const server = await forFile(
  startServerProcess({
    DATABASE_URL: url,
    WORKERS: '2',
    METRICS_PORT: String(metricsPort),
    RATE_LIMIT_PUBLIC: '40',
    RATE_LIMIT_WRONG_KEYS: '5',
    TRUST_PROXY: '1',
  }),
);
afterAll(async () => {
  await database.close();
  await drop();
});

const makeKey = async (plan: PlanId, rateLimit = 1_000_000) => createKey(database, { name: 'x', plan, rateLimit });
/** An address that no other test uses. */
const newAddress = () => {
  addresses += 1;
  return `203.0.113.${addresses}`;
};
const get = (path: string, key?: string, address = '198.51.100.1') =>
  askAnew(server.address + path, { 'x-forwarded-for': address, ...(key !== undefined && { 'x-api-key': key }) });
const many = (count: number, asking: () => Promise<AnewAnswer>) => Promise.all(Array.from({ length: count }, asking));
const countOf = (answers: readonly AnewAnswer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;
const metric = async (name: string) => {
  const { text } = await askAnew(`http://127.0.0.1:${metricsPort}/metrics`);
  const lines = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return lines.map((line) => Number(line.split(' ').at(-1))).reduce((sum, value) => sum + value, 0);
};

test('a key with 100 requests left gets exactly 100 of 300 concurrent requests answered', async () => {
  const { key } = await makeKey('free');
  const answers = await many(300, () => get(LOOKUP, key));
  // Refusals by the quota count as free requests of their address, of which it may make 40.
  expect([countOf(answers, 200), countOf(answers, 402), countOf(answers, 429)]).toEqual([100, 40, 160]);
  const [row] = await database.query<{ used: bigint }>('SELECT used FROM usage_counter WHERE quota = 100');
  expect(row?.used).toBe(100n);
});

test('a request that the quota refuses takes nothing from the minute, whichever worker refuses it', async () => {
  const { key } = await createKey(database, { name: 'spent', plan: 'free', rateLimit: 50, monthlyQuota: 1 });
  await get(LOOKUP, key, newAddress());
  const answers = await many(30, () => get(LOOKUP, key, newAddress()));
  expect(countOf(answers, 402)).toBe(30);
  const left = async () => (await get('/nothing', key, newAddress())).headers.ratelimit;
  expect(await eventually(left, (header) => /r=49;/.test(String(header)))).toMatch(/^"minute";r=49;/);
});

test('a key gets exactly its requests a minute without Redis, however they are spread', async () => {
  const { key } = await makeKey('pro', 50);
  const answers = await many(150, () => get(LOOKUP, key));
  expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([50, 100]);
});

test('a key is told what is left of its minute whichever worker answers', async () => {
  const { key } = await makeKey('pro', 4);
  for (const left of [3, 2, 1, 0]) {
    const { status, headers } = await get(LOOKUP, key);
    expect([status, headers['ratelimit-policy']]).toEqual([200, '"minute";q=4;w=60']);
    expect(headers.ratelimit).toMatch(new RegExp(`^"minute";r=${left};t=([1-9]|[1-5]\\d|60)$`));
  }
  for (let turn = 0; turn < 2; turn += 1) {
    const { status, headers } = await get(LOOKUP, key);
    expect(status).toBe(429);
    expect(headers['retry-after']).toBe(/;t=(\d+)$/.exec(String(headers.ratelimit))?.[1]);
  }
});

test('an address gets exactly its free requests a minute, 401 responses included', async () => {
  const address = newAddress();
  const answers = await many(30, () => get('/api/v1/plans', undefined, address));
  expect(countOf(answers, 200)).toBe(30);
  const refused = await many(60, () => get(LOOKUP, undefined, address));
  expect([countOf(refused, 401), countOf(refused, 429)]).toEqual([10, 50]);
  expect(refused.find(({ status }) => status === 429)?.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
  expect((await get('/api/v1/plans', undefined, newAddress())).status).toBe(200);
});

test('an address gets exactly its guesses, and a key that one worker knows still works on all', async () => {
  const address = newAddress();
  const { key } = await makeKey('pro');
  expect((await get(LOOKUP, key, address)).status).toBe(200);
  const guesses = await many(60, () => get(LOOKUP, makeSecret(), address));
  expect([countOf(guesses, 401), countOf(guesses, 429)]).toEqual([5, 55]);
  const known = await many(6, () => get(LOOKUP, key, address));
  expect(countOf(known, 200)).toBe(6);
  expect((await get(LOOKUP, (await makeKey('pro')).key, address)).status).toBe(429);
});

test('many new valid keys of one address at once are all accepted', async () => {
  const address = newAddress();
  const keys = await Promise.all(Array.from({ length: 12 }, () => makeKey('pro')));
  const answers = await Promise.all(keys.map(({ key }) => get(LOOKUP, key, address)));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
});

test('a change is visible on all workers within a second', async () => {
  const { key } = await makeKey('enterprise');
  const prices = async () =>
    (await many(8, () => get(LOOKUP, key))).map(({ text }) => JSON.parse(text).data.offers[0].totalPrice);
  await importRows(database, 'Shop', [feedRow({ id: 'a', gtin: EAN, price: '12.00 EUR' })]);
  await wait(VISIBLE_MS);
  expect(await prices()).toEqual(Array(8).fill(12)); // Cached by both from here on.
  await importRows(database, 'Shop', [feedRow({ id: 'a', gtin: EAN, price: '9.00 EUR' })]);
  await wait(VISIBLE_MS);
  expect(await prices()).toEqual(Array(8).fill(9));
});

test('a revoked key ends on all workers within five seconds', async () => {
  const { key } = await makeKey('pro');
  expect(countOf(await many(4, () => get(LOOKUP, key, newAddress())), 200)).toBe(4);
  await database.query('UPDATE api_key SET revoked_at = now() WHERE id = (SELECT max(id) FROM api_key)');
  await expectEventually(async () => countOf(await many(4, () => get(LOOKUP, key, newAddress())), 401), 4);
});

test('the metrics of all processes are one page', async () => {
  const { key } = await makeKey('enterprise');
  const name = 'pda_http_requests_total{face="rest",route="/api/v1/brands",operation="",method="GET",status="200"}';
  const before = await metric(name);
  await many(20, () => get('/api/v1/brands', key));
  expect((await metric(name)) - before).toBe(20);
  const { text } = await askAnew(`http://127.0.0.1:${metricsPort}/metrics`);
  const named = text.split('\n').filter((line) => /^(pda|process|nodejs)/.test(line));
  const series = named.map((line) => line.slice(0, line.lastIndexOf(' ')));
  expect(new Set(series).size).toBe(series.length);
  // Not sums: the version is running, and the instance started once.
  expect(await metric('pda_build_info')).toBe(1);
  expect(await metric('process_start_time_seconds')).toBeLessThan(Date.now() / 1000);
  expect(await metric('pda_worker_exits_total')).toBe(0);
});

test('imports are counted once, not once per worker', async () => {
  const name = 'pda_import_runs_total{result="done"}';
  const before = await metric(name);
  await importRows(database, 'Counted', [feedRow({ id: 'b' })]);
  await wait(VISIBLE_MS); // The figures are read at most once a second.
  expect((await metric(name)) - before).toBe(1);
});

test('the log is one, with whole lines that name their process', async () => {
  const { key } = await makeKey('enterprise');
  const lines: string[] = [];
  if (!server.child.stderr) throw new Error('The log is not read.');
  const reading = createInterface({ input: server.child.stderr });
  reading.on('line', (line) => lines.push(line));
  const path = `/${'long'.repeat(700)}`;
  await many(120, () => get(path, key));
  while (lines.filter((line) => line.includes(path)).length < 120) await wait(10);
  const entries = lines.map((line) => JSON.parse(line)).filter((entry) => entry.path === path);
  expect(entries).toHaveLength(120);
  expect(new Set(entries.map(({ pid }) => pid))).toEqual(new Set(workersOf(server)));
});

test('the instance is ready through any worker', async () => {
  expect(countOf(await many(6, () => get('/readyz')), 200)).toBe(6);
});

test('a port in use ends the start with one message and status 2', async () => {
  const { port } = new URL(server.address);
  const { status, stderr } = await run('main', [], { DATABASE_URL: url, WORKERS: '2', PORT: port });
  expect(status).toBe(2);
  expect(
    stderr.split('\n').filter((line) => line.includes(`cannot listen on 127.0.0.1:${port} (EADDRINUSE)`)),
  ).toHaveLength(1);
});

test('an unreachable database ends the start with status 5', async () => {
  const gone = `postgresql://nobody@127.0.0.1:${await freePort()}/none`;
  const { status, stderr } = await run('main', [], { DATABASE_URL: gone, WORKERS: '2', PORT: '0' });
  expect([status, stderr]).toEqual([5, expect.stringContaining('The database cannot be used')]);
});

test('signals to the workers change nothing: they obey the primary process', async () => {
  const other = await forTest(startServerProcess({ DATABASE_URL: url, WORKERS: '2', DRAIN_DELAY_SECONDS: '0' }));
  const workers = workersOf(other);
  expect(workers).toHaveLength(2);
  for (const pid of workers) for (const signal of ['SIGTERM', 'SIGINT'] as const) process.kill(pid, signal);
  for (let turn = 0; turn < 4; turn += 1) expect((await askAnew(`${other.address}/healthz`)).status).toBe(200);
  expect(workersOf(other)).toEqual(workers);
  // As a terminal does, which signals the whole group.
  for (const pid of workers) process.kill(pid, 'SIGTERM');
  expect(await other.stop()).toBe(0);
});

describe('WORKERS', () => {
  test.each(['0', '-1', '1.5', '257', 'all', '1e3'])('=%s is refused with its valid values', (value) => {
    const environment = { WORKERS: value, DATABASE_URL: 'postgresql://pda@db/pda' };
    expect(() => readConfig(environment)).toThrow(/WORKERS: must be a whole number from 1 to 256, or auto/);
  });

  test('is one process by default', () => {
    expect(readConfig({}).workers.count).toBe(1);
  });

  test.each([
    [1, 10, 2_000, 64],
    [2, 5, 1_000, 32],
    [4, 4, 500, 16],
    [16, 4, 125, 4],
  ])('=%i divides connections, requests in progress and cached answers', (workers, connections, requests, megabytes) => {
    const config = readConfig({ WORKERS: String(workers), DATABASE_URL: 'postgresql://pda@db/pda' });
    expect(poolSizeOf(config)).toBe(connections);
    expect(shareOf(config)).toMatchObject({ maxConcurrentRequests: requests, answerCacheMegabytes: megabytes });
  });

  test('more than the limit of requests leaves each worker one', () => {
    const config = readConfig({ WORKERS: '4', MAX_CONCURRENT_REQUESTS: '2', DATABASE_URL: 'postgresql://pda@db/pda' });
    expect(shareOf(config).maxConcurrentRequests).toBe(1);
  });
});
