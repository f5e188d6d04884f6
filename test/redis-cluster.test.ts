/** Rate limits over a Redis Cluster of three nodes that the tests start. Takes about 15 s. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../src/cli/doctor/finding.ts';
import { readConfig } from '../src/config.ts';
import { type Gateway, startGateway } from '../src/gateway.ts';
import { eventually, expectEventually } from './harness/eventually.ts';
import { ask, startTestGateway, type TestGateway } from './harness/gateway.ts';
import { forTest } from './harness/lifetime.ts';
import { run } from './harness/process.ts';

const PATH = '/api/v1/lookup?ean=4006381333931';
const PASSWORD = 'hunter2';
const hasRedis = ['redis-server', 'redis-cli'].every((name) => spawnSync(name, ['--version']).status === 0);

interface Node {
  port: number;
  child: ChildProcess;
}

describe.skipIf(!hasRedis)('on a Redis Cluster (install redis-server to run this)', () => {
  let folder: string;
  let nodes: Node[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pda-redis-'));
    const ports = await freePorts(3);
    nodes = ports.map((port) => ({ port, child: startNode(port, folder) }));
    await Promise.all(
      ports.map((port) =>
        eventually(
          async () => tell(port, 'PING'),
          (said) => said === 'PONG',
          20_000,
        ),
      ),
    );
    const addresses = ports.map((port) => `127.0.0.1:${port}`);
    tell(ports[0] ?? 0, '--cluster', 'create', ...addresses, '--cluster-replicas', '0', '--cluster-yes');
    const isWhole = () => ports.every((port) => tell(port, 'CLUSTER', 'INFO').includes('cluster_state:ok'));
    expect(await eventually(async () => isWhole(), Boolean, 20_000)).toBe(true);
  });
  afterAll(async () => {
    for (const { child } of nodes) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const urls = (of: readonly Node[] = nodes) => of.map(({ port }) => `redis://:${PASSWORD}@127.0.0.1:${port}`).join();
  const untilConnected = async (gateway: Gateway) => {
    await expectEventually(() => redisUp(gateway), 1, 20_000);
  };
  const start = async (environment: Record<string, string>) => {
    const gateway = await forTest(startTestGateway(environment));
    await untilConnected(gateway);
    return gateway;
  };
  /** Another server on the same data. */
  const startSecond = async ({ database }: TestGateway, environment: Record<string, string>) => {
    const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...environment });
    const gateway = await forTest(startGateway(config, { ...database, close: async () => {} }));
    await untilConnected(gateway);
    return gateway;
  };

  test('all instances share limits, for keys on every node, whichever nodes REDIS_URL names', async () => {
    const one = await start({ REDIS_URL: urls() });
    const other = await startSecond(one, { REDIS_URL: urls(nodes.slice(0, 1)), REDIS_CLUSTER: 'true' });
    const before = nodes.map(({ port }) => Number(tell(port, 'DBSIZE')));
    for (let turn = 0; turn < 12; turn += 1) {
      const { key } = await one.makeKey('pro', { rateLimit: 3 });
      const statuses: number[] = [];
      for (const { address } of [one, other, one, other]) statuses.push((await ask(address + PATH, { key })).status);
      expect(statuses).toEqual([404, 404, 404, 429]);
      // A response that takes nothing from the limit reads it from the node of the key, too.
      expect((await ask(`${other.address}/nothing`, { key })).headers.get('ratelimit')).toMatch(/^"minute";r=0;/);
    }
    const after = nodes.map(({ port }) => Number(tell(port, 'DBSIZE')));
    expect(after.reduce((sum, size) => sum + size) - before.reduce((sum, size) => sum + size)).toBe(12);
    expect(after.filter((size, index) => size > (before[index] ?? 0)).length).toBeGreaterThan(1);
  });

  test('pda doctor reports whether the cluster is complete, and a cluster that is not configured as one', async () => {
    const redis = async (environment: Record<string, string>) => {
      const { stdout } = await run('pda', ['doctor', '--json'], {
        PORT: '0',
        DATA_DIR: join(folder, 'none'),
        ...environment,
      });
      expect(stdout).not.toContain(PASSWORD);
      const { checks } = JSON.parse(stdout) as { checks: Finding[] };
      return checks.filter(({ name }) => name.startsWith('redis'));
    };
    expect(await redis({ REDIS_URL: urls() })).toMatchObject([
      { name: 'redis 1', status: 'ok', says: expect.stringContaining('cluster of 3') },
      { name: 'redis 2', status: 'ok' },
      { name: 'redis 3', status: 'ok' },
    ]);
    expect(await redis({ REDIS_URL: urls(nodes.slice(0, 1)) })).toMatchObject([
      { name: 'redis', status: 'problem', remedy: expect.stringContaining('REDIS_CLUSTER') },
    ]);
  });

  test('a lost node fails no request, because each process then limits by itself', async () => {
    const gateway = await start({ REDIS_URL: urls() });
    const keys = await Promise.all(Array.from({ length: 6 }, () => gateway.makeKey('pro', { rateLimit: 2 })));
    const [lost] = nodes;
    lost?.child.kill('SIGKILL');
    for (const { key } of keys) {
      const statuses: number[] = [];
      for (let turn = 0; turn < 4; turn += 1) statuses.push((await gateway.get(PATH, { key })).status);
      // Counts from before and after the loss is noticed are separate, so some keys may exceed their limit.
      expect(statuses.slice(0, 2)).toEqual([404, 404]);
      for (const status of statuses) expect([404, 429]).toContain(status);
    }
    const { key } = await gateway.makeKey('pro', { rateLimit: 1 });
    // The first refusal may be that of the lost node, whose count the process does not have.
    const nextThree = async () => {
      const statuses: number[] = [];
      for (let turn = 0; turn < 3; turn += 1) statuses.push((await gateway.get(PATH, { key })).status);
      return statuses;
    };
    const isLimited = (statuses: number[]) => statuses.every((status) => status === 429);
    expect(await eventually(nextThree, isLimited)).toEqual([429, 429, 429]);
  });
});

function startNode(port: number, folder: string): ChildProcess {
  const options = {
    port,
    bind: '127.0.0.1',
    save: '',
    appendonly: 'no',
    dir: folder,
    'cluster-enabled': 'yes',
    'cluster-config-file': `nodes-${port}.conf`,
    'cluster-node-timeout': 1_000,
    requirepass: PASSWORD,
    masterauth: PASSWORD,
  };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return spawn('redis-server', words, { stdio: 'ignore' });
}

/** The output of `redis-cli`; empty while the node does not answer. */
function tell(port: number, ...words: string[]): string {
  const { stdout } = spawnSync('redis-cli', ['-h', '127.0.0.1', '-p', String(port), ...words], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, REDISCLI_AUTH: PASSWORD },
  });
  return stdout.trim();
}

/** Free ports whose cluster bus ports, 10,000 above, are free too. */
async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = 20_000 + Math.floor(Math.random() * 30_000);
    if (!ports.includes(port) && (await isFree(port)) && (await isFree(port + 10_000))) ports.push(port);
  }
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const opened = new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  const isOpen = await opened;
  await new Promise((resolve) => server.close(resolve));
  return isOpen;
}

async function redisUp({ services }: Gateway): Promise<number | undefined> {
  return (await services.metrics.redisUp.get()).values[0]?.value;
}
