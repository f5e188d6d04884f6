/** Workers are killed under load, and their primary process is killed. HEAVY runs four workers and more kills. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createKey } from '../../src/access/key-admin.ts';
import type { Database } from '../../src/database/database.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { makePostgresDatabase } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { feedRow, importRows } from '../harness/gateway.ts';
import { EAN, LOOKUP } from '../harness/home.ts';
import { deducted, startLoad } from '../harness/load.ts';
import { freePort } from '../harness/postgres-server.ts';
import { isAlive, type ServerProcess, startServerProcess } from '../harness/process.ts';
import { openRawClient, requestText } from '../harness/raw-client.ts';
import { askAnew, workersOf } from '../harness/workers.ts';

const WORKERS = process.env.HEAVY ? 4 : 2;
const KILLS = process.env.HEAVY ? 12 : 1;
const CLIENTS = 16;
// A worker that dies again soon after its start is replaced after a pause of at most 30 s.
const REPLACED_MS = 60_000;

let url: string;
let drop: () => Promise<void>;
let database: Database;
let key: string;
let metricsPort: number;
let server: ServerProcess;

beforeEach(async () => {
  ({ url, drop } = await makePostgresDatabase());
  database = openPostgres({ url, purpose: 'bulk', poolSize: 2 });
  await importRows(database, 'Shop', [feedRow({ id: 'a', gtin: EAN })]);
  ({ key } = await createKey(database, { name: 'load', plan: 'enterprise', rateLimit: 1_000_000 }));
  metricsPort = await freePort();
  const WORKERS_SET = { WORKERS: String(WORKERS), METRICS_PORT: String(metricsPort) };
  server = await startServerProcess({ DATABASE_URL: url, ...WORKERS_SET });
});
afterEach(async () => {
  await server.kill();
  await database.close();
  await drop();
});

const scrape = async () => (await askAnew(`http://127.0.0.1:${metricsPort}/`)).text;
const figure = (page: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1]);
const answered = (page: string) =>
  figure(page, 'pda_http_requests_total{face="rest",route="/api/v1/lookup",operation="",method="GET",status="200"}');

test('a killed worker loses only its own requests, is replaced and counted, and books balance', async () => {
  const load = startLoad({ addresses: [server.address], key, paths: [LOOKUP], clients: CLIENTS });
  let counted = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await load.answers(200, 50);
    // A page does not wait for busy workers, and shows their last figures, at first none.
    const before = await eventually(scrape, (text) => answered(text) >= counted);
    expect(answered(before)).toBeGreaterThanOrEqual(counted);
    counted = answered(before);
    const [victim = 0, ...others] = workersOf(server);
    process.kill(victim, 'SIGKILL');
    const workers = await eventually(
      async () => workersOf(server),
      (pids) => pids.length === WORKERS && !pids.includes(victim),
      REPLACED_MS,
    );
    expect(workers).toEqual(expect.arrayContaining(others));
    const page = await eventually(scrape, (text) => figure(text, 'pda_worker_exits_total') === kill);
    expect(figure(page, 'pda_worker_exits_total')).toBe(kill);
    // The counts of the dead worker stay, so that no sum falls.
    expect(answered(page)).toBeGreaterThanOrEqual(counted);
  }
  await load.answers(200, 50);
  const books = await load.stop();
  expect(books.hangs).toBe(0);
  expect(books.asked.filter(({ status }) => status !== 200 && status !== 0)).toEqual([]);
  // At most the requests in progress on one of the workers.
  expect(books.count(0)).toBeLessThanOrEqual(KILLS * CLIENTS);
  const used = await deducted(database);
  expect(used).toBeGreaterThanOrEqual(books.charged);
  expect(used).toBeLessThanOrEqual(books.charged + books.unanswered);
  expect(await server.stop()).toBe(0);
});

test('connections on their way to a worker that is killed are answered by another', async () => {
  const [victim = 0] = workersOf(server);
  // While the primary process stands still, the connections wait, and it sees them before it sees that the worker has ended.
  server.child.kill('SIGSTOP');
  const clients = await Promise.all(Array.from({ length: 2 * WORKERS }, () => openRawClient(server.address)));
  for (const client of clients) client.send(requestText(LOOKUP, { 'x-api-key': key }));
  process.kill(victim, 'SIGKILL');
  server.child.kill('SIGCONT');
  const answers = await Promise.all(clients.map((client) => client.answer()));
  expect(answers.map((answer) => answer?.status)).toEqual(clients.map(() => 200));
  expect(await deducted(database)).toBe(clients.length);
});

test('the limit of a key holds while a worker is replaced', async () => {
  const limited = await createKey(database, { name: 'limited', plan: 'pro', rateLimit: 20 });
  const ask = () => askAnew(server.address + LOOKUP, { 'x-api-key': limited.key });
  for (let turn = 0; turn < 10; turn += 1) expect((await ask()).status).toBe(200);
  const [victim = 0] = workersOf(server);
  process.kill(victim, 'SIGKILL');
  await eventually(
    async () => workersOf(server),
    (pids) => pids.length === WORKERS && !pids.includes(victim),
    REPLACED_MS,
  );
  const statuses: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) statuses.push((await ask()).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});

test('workers end by themselves when their primary process is killed', async () => {
  const workers = workersOf(server);
  expect(workers).toHaveLength(WORKERS);
  await server.kill();
  const alive = await eventually(
    async () => workers.filter(isAlive),
    (pids) => pids.length === 0,
    10_000,
  );
  expect(alive).toEqual([]);
  await expect(askAnew(`${server.address}/healthz`)).rejects.toThrow();
});

test('a second signal ends all processes at once', async () => {
  const workers = workersOf(server);
  const stopped = server.stop();
  await eventually(
    () =>
      askAnew(`${server.address}/readyz`).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 503,
  );
  server.child.kill('SIGINT');
  expect(await stopped).toBe(1);
  await eventually(
    async () => workers.filter(isAlive),
    (pids) => pids.length === 0,
  );
  expect(workers.filter(isAlive)).toEqual([]);
});
