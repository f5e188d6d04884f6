/** A gateway stops under load: every accepted request gets a response (docs/operations.md, Start and stop). */
import { Agent, request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { ask } from '../harness/gateway.ts';
import { fillHome, type Home, LOOKUP, makeHome } from '../harness/home.ts';
import { deducted } from '../harness/load.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { openRawClient, requestText } from '../harness/raw-client.ts';

let home: Home;
let key: string;
let server: ServerProcess;
let deductedBefore: number;

beforeAll(async () => {
  home = await makeHome();
  key = await fillHome(home);
});
afterEach(() => server.kill());
afterAll(() => home.remove());

const deductedNow = async () => (await home.within(deducted)) - deductedBefore;

/** What all clients of a test have seen. */
interface Seen {
  answered: number;
  /** Connections that the server announced to close. */
  told: number;
  /** Why requests had no successful response. */
  dropped: string[];
}

/** Sends requests over one keep-alive connection, as a balancer does, until a response announces that the connection closes. */
async function askUntilTold(seen: Seen): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let isTold = false; !isTold; ) {
    isTold = await new Promise<boolean>((resolve) => {
      const drop = (error: Error) => {
        seen.dropped.push(String(error));
        resolve(true);
      };
      request(server.address + LOOKUP, { agent, headers: { 'x-api-key': key } }, (response) => {
        response.resume();
        response.on('error', drop);
        response.on('end', () => {
          if (response.statusCode !== 200) seen.dropped.push(`answered with ${response.statusCode}`);
          seen.answered += 1;
          resolve(response.headers.connection === 'close');
        });
      })
        .on('error', drop)
        .end();
    });
  }
  seen.told += 1;
  agent.destroy();
}

/** Sends three requests at a time until the last response announces that the connection closes. */
async function pipelineUntilTold(seen: Seen): Promise<void> {
  const client = await openRawClient(server.address);
  const three = requestText(LOOKUP, { 'x-api-key': key }).repeat(3);
  for (let isTold = false; !isTold; ) {
    client.send(three);
    for (let sent = 0; sent < 3; sent += 1) {
      const answer = await client.answer();
      if (answer?.status === 200) seen.answered += 1;
      else seen.dropped.push(`pipelined request ${sent + 1}: ${answer?.status ?? 'no answer'}`);
      isTold = answer === undefined || answer.headers.connection === 'close';
    }
  }
  seen.told += 1;
  await client.ended;
}

/** Sends each request over a new connection, until one is refused. @returns how the last one failed. */
async function reconnectUntilRefused(seen: Seen): Promise<string> {
  for (;;) {
    const failure = await new Promise<string | undefined>((resolve) => {
      request(server.address + LOOKUP, { agent: false, headers: { 'x-api-key': key } }, (response) => {
        response.resume();
        response.on('error', (error) => resolve(String(error)));
        response.on('end', () => {
          if (response.statusCode === 200) seen.answered += 1;
          else seen.dropped.push(`answered with ${response.statusCode}`);
          resolve(undefined);
        });
      })
        .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? String(error)))
        .end();
    });
    if (failure !== undefined) return failure;
  }
}

const LOCK_MS = 2_000;

/** Stops a gateway while requests wait for a lock, and checks their answers. @returns false if they may have waited too long. */
async function stopBeside(WORKERS: string): Promise<boolean> {
  await server.stop();
  server = await startServerProcess({ ...home.environment, WORKERS, DRAIN_DELAY_SECONDS: '0.2' });
  const before = await home.within(deducted);
  const database = home.open();
  const { promise: released, resolve: release } = openPromise();
  const { promise: held, resolve: hold } = openPromise();
  // The lock delays the count of each request.
  const holding = database.transaction(async (transaction) => {
    await transaction.script('LOCK TABLE usage_counter');
    hold();
    await released;
  });
  await held;
  const since = performance.now();
  const asking = [ask(server.address + LOOKUP, { key }), ask(server.address + LOOKUP, { key })];
  const raw = await openRawClient(server.address);
  raw.send(requestText(LOOKUP, { 'x-api-key': key }).repeat(2));
  // This response proves that the server has read all earlier requests.
  expect((await ask(`${server.address}/healthz`)).status).toBe(200);
  const stopped = server.stop();
  const isLetIn = () =>
    ask(`${server.address}/healthz`).then(
      () => true,
      () => false,
    );
  await eventually(isLetIn, (isIn) => !isIn);
  release();
  await holding;
  const isInTime = performance.now() - since < LOCK_MS;
  await database.close();
  const answers = await Promise.all(asking);
  expect(await stopped).toBe(0);
  if (!isInTime) return false;
  expect(answers.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([
    [200, 'close'],
    [200, 'close'],
  ]);
  const pipelined = [await raw.answer(), await raw.answer()];
  expect(pipelined.map((answer) => [answer?.status, answer?.headers.connection])).toEqual([
    [200, 'keep-alive'],
    [200, 'close'],
  ]);
  expect((await home.within(deducted)) - before).toBe(4);
  return true;
}

function openPromise(): { promise: Promise<void>; resolve(): void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: () => resolve() };
}

describe.each(['1', '2'])('with WORKERS=%s', (count) => {
  beforeEach(async () => {
    deductedBefore = await home.within(deducted);
    server = await startServerProcess({ ...home.environment, WORKERS: count });
  });

  test('every request gets its complete response, the balancer sees the shutdown, and the counters are exact', async () => {
    const seen: Seen = { answered: 0, told: 0, dropped: [] };
    const clients = [
      ...Array.from({ length: 8 }, () => askUntilTold(seen)),
      ...Array.from({ length: 4 }, () => pipelineUntilTold(seen)),
    ];
    await eventually(
      async () => seen.answered,
      (answered) => answered >= 100,
      60_000,
    );
    const before = performance.now();
    const stopped = server.stop();
    // New connections are still accepted, and health checks fail.
    const ready = await eventually(
      () => ask(`${server.address}/readyz`),
      ({ status }) => status !== 200,
    );
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close']);
    await Promise.all(clients);
    expect(seen).toEqual({ answered: expect.any(Number), told: 12, dropped: [] });
    expect(await stopped).toBe(0);
    expect(performance.now() - before).toBeLessThan(10_000);
    await expect(ask(server.address)).rejects.toThrow();
    expect(await deductedNow()).toBe(seen.answered);
  });

  test('a request that takes longer than the delay is still answered, while new connections are refused', async () => {
    // A machine may be too busy to end the delay while PostgreSQL lets requests wait for a lock. Then the stop says nothing.
    while (!(await stopBeside(count))) await server.kill();
  });

  test('clients that open a connection per request are finally refused, which is safe to retry, and rarely reset', async () => {
    const seen: Seen = { answered: 0, told: 0, dropped: [] };
    const clients = Array.from({ length: 32 }, () => reconnectUntilRefused(seen));
    await eventually(
      async () => seen.answered,
      (answered) => answered >= 200,
      60_000,
    );
    expect(await server.stop()).toBe(0);
    const failures = await Promise.all(clients);
    const reset = failures.filter((failure) => failure !== 'ECONNREFUSED');
    process.stdout.write(
      `A stopping gateway answered ${seen.answered} requests of 32 clients that connect anew: ${reset.length} reset, the others refused\n`,
    );
    expect(seen.dropped).toEqual([]);
    // If the server did not empty its accept queue, nearly all would be reset.
    expect(reset.length).toBeLessThanOrEqual(4);
    expect(await deductedNow()).toBe(seen.answered);
  });

  test('idle connections do not delay the stop', async () => {
    const neverAsked = await openRawClient(server.address);
    const asked = await openRawClient(server.address);
    asked.send(requestText('/healthz'));
    expect((await asked.answer())?.status).toBe(200);
    const before = performance.now();
    expect(await server.stop()).toBe(0);
    // The delay is one second, plus half a second for connections without a request.
    expect(performance.now() - before).toBeLessThan(6_000);
    await Promise.all([neverAsked.ended, asked.ended]);
  });
});
