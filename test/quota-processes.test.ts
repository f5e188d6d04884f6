/** Metering across several processes on one database, and when one is killed. Uses real servers and real HTTP. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createKey } from '../src/access/key-admin.ts';
import type { Database } from '../src/database/database.ts';
import { openPostgres } from '../src/database/postgres.ts';
import { makePostgresDatabase } from './harness/database.ts';
import { ask, feedRow, importRows } from './harness/gateway.ts';
import { type ServerProcess, startServerProcess } from './harness/process.ts';

const QUOTA = 100;
const REQUESTS = 300;
const EAN = '4006381333931';

let url: string;
let drop: () => Promise<void>;
let database: Database;
let key: string;
let servers: ServerProcess[] = [];

beforeEach(async () => {
  ({ url, drop } = await makePostgresDatabase());
  database = openPostgres({ url });
  await importRows(database, 'Shop', [feedRow({ id: 'a', gtin: EAN })]);
  // The free plan has 100 requests a month.
  ({ key } = await createKey(database, { name: 'quota', plan: 'free', rateLimit: 1_000_000 }));
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  servers = [];
  await database.close();
  await drop();
});

const start = async (count: number) => {
  servers = await Promise.all(Array.from({ length: count }, () => startServerProcess({ DATABASE_URL: url })));
};
const used = async () => Number((await database.query<{ used: bigint }>('SELECT used FROM usage_counter'))[0]?.used);
/**
 * Sends all requests, spread over the servers, `atOnce` at a time. A request that a killed server left unanswered has status 0.
 */
const askAll = async (atOnce: number) => {
  const statuses: number[] = [];
  let next = 0;
  const askOn = async () => {
    while (next < REQUESTS) {
      const server = servers[next % servers.length];
      next += 1;
      const status = await ask(`${server?.address}/api/v1/lookup?ean=${EAN}`, { key }).then(
        (answer) => answer.status,
        () => 0,
      );
      statuses.push(status);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, askOn));
  return statuses;
};
const count = (statuses: number[], status: number) => statuses.filter((each) => each === status).length;

test.each([
  1, 2, 3,
])('a key with 100 requests left gets exactly 100 of 300 concurrent requests answered by %i processes', async (n) => {
  await start(n);
  const statuses = await askAll(REQUESTS);
  expect(count(statuses, 200)).toBe(QUOTA);
  expect(count(statuses, 402)).toBe(REQUESTS - QUOTA);
  expect(await used()).toBe(QUOTA);
});

test.each([2, 3])('at most 100 of 300 requests are answered when one of %i processes is killed half-way', async (n) => {
  await start(n);
  // Few enough at a time that the quota is used up gradually, so that the kill comes in between.
  const answering = askAll(20);
  // Half-way means that half of the quota is used.
  while (!((await used()) >= QUOTA / 2)) await new Promise(setImmediate);
  await servers[0]?.kill();
  const statuses = await answering;
  const answered = count(statuses, 200);
  expect(answered).toBeLessThanOrEqual(QUOTA);
  expect(await used()).toBe(QUOTA);
  expect(answered).toBeGreaterThan(0);
  expect(count(statuses, 200) + count(statuses, 402) + count(statuses, 0)).toBe(REQUESTS);
});
