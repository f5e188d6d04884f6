/**
 * Thousands of connections, and more connections than file descriptors: accepted ones still work, and the server recovers.
 *
 * `CONNECTIONS` sets their number (2,000 by default).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { ask } from '../harness/gateway.ts';
import { fillHome, LOOKUP, makeHome } from '../harness/home.ts';
import { forFile } from '../harness/lifetime.ts';
import { deducted, startLoad } from '../harness/load.ts';
import { startServerProcess } from '../harness/process.ts';
import { openRawClient, requestText } from '../harness/raw-client.ts';

const CONNECTIONS = Number(process.env.CONNECTIONS ?? 2_000);

const home = await forFile(makeHome());
const key = await fillHome(home);

/** Opens connections from a separate process, which has its own file descriptors. */
async function openCrowd(address: string, count: number) {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', 'harness', 'crowd.mjs'), address, String(count)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? '{}') as Record<string, number>;
  return {
    /** How many connections were answered and how many refused. */
    opened: await next(),
    /** Sends one more request over each connection and closes it. @returns how many were answered. */
    async leave() {
      child.stdin.end();
      const left = await next();
      await once(child, 'exit');
      return left;
    },
  };
}

test(`${CONNECTIONS} idle connections stay usable while others are served (CONNECTIONS=10000 for a longer run)`, async () => {
  const server = await startServerProcess(home.environment);
  const before = await home.within(deducted);
  const load = startLoad({ addresses: [server.address], key, paths: [LOOKUP], clients: 4 });
  const memory = () => {
    if (process.platform !== 'linux') return 0;
    return Math.round(
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) / 1024,
    );
  };
  const alone = memory();
  const crowd = await openCrowd(server.address, CONNECTIONS);
  expect(crowd.opened).toEqual({ answered: CONNECTIONS, refused: 0 });
  const together = memory();
  await load.answers(200, 50);
  expect(await crowd.leave()).toEqual({ answered: CONNECTIONS, refused: 0 });
  const books = await load.stop();
  expect(books.count(200)).toBe(books.asked.length);
  expect(await server.stop()).toBe(0);
  expect((await home.within(deducted)) - before).toBe(books.count(200));
  process.stdout.write(
    `${CONNECTIONS} connections: ${alone} MB alone, ${together} MB with them; slowest answer ${Math.round(books.slowestMs)} ms\n`,
  );
  expect((together - alone) / CONNECTIONS).toBeLessThan(0.1);
});

test('with no file descriptor left, open connections are served, and new ones as soon as descriptors are free', async () => {
  const server = await startServerProcess(home.environment, undefined, ['sh', '-c', 'ulimit -n 256; exec "$@"', 'sh']);
  const before = await home.within(deducted);
  const load = startLoad({ addresses: [server.address], key, paths: [LOOKUP], clients: 4 });
  await load.answers(200, 10);
  const crowd = await openCrowd(server.address, 400);
  expect(crowd.opened.answered).toBeGreaterThan(50);
  expect(crowd.opened.refused).toBeGreaterThan(100);
  await load.answers(200, 50);
  const left = await crowd.leave();
  expect(left).toEqual({ answered: crowd.opened.answered, refused: 0 });
  // A connection that arrived while no descriptor was free may still be reset.
  const ready = await eventually(
    () => ask(`${server.address}/readyz`).catch(() => undefined),
    (answer) => answer?.status === 200,
    10_000,
  );
  expect(ready?.status).toBe(200);
  const books = await load.stop();
  expect(books.count(200)).toBe(books.asked.length);
  expect(await server.stop()).toBe(0);
  expect((await home.within(deducted)) - before).toBe(books.count(200));
});

/** How many connections Linux queues for a process that does not accept them (ip-sysctl: somaxconn). */
const mostQueued = () => {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 0;
  }
};

test.skipIf(mostQueued() < 2_000)(
  'connections that arrive while the process is suspended are accepted when it resumes',
  async () => {
    const server = await startServerProcess(home.environment);
    server.child.kill('SIGSTOP');
    // A dropped connection attempt gets no reply, so its client would retry after one, two and four seconds.
    const clients = Array.from({ length: 1_500 }, () => openRawClient(server.address));
    const connected = Promise.all(clients);
    expect(await Promise.race([connected.then(() => 'all are connected'), wait(10_000, 'some are dropped')])).toBe(
      'all are connected',
    );
    for (const client of await connected) client.send(requestText('/healthz'));
    server.child.kill('SIGCONT');
    const answers = await Promise.all((await connected).map((client) => client.answer()));
    expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([200]));
    for (const { socket } of await connected) socket.destroy();
    expect(await server.stop()).toBe(0);
  },
);
