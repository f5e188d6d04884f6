/** Redis is killed, restarted, and hangs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectEventually } from '../harness/eventually.ts';
import { freePort } from '../harness/postgres-server.ts';
import { expectBalance, expectCalm, LOOKUP, type Service, startService } from '../harness/service.ts';
import { has } from '../harness/terminal.ts';

// A request waits at most this long for a silent Redis, and only once.
const COMMAND_MS = 500;

describe.skipIf(!has('redis-server'))('with Redis (install redis-server to run this)', () => {
  let service: Service;
  let port: number;
  let redis: ChildProcess;
  beforeEach(async () => {
    service = await startService();
    port = await freePort();
    startRedis();
  });
  afterEach(async () => {
    redis.kill('SIGCONT');
    await endRedis();
    await service.end();
  });

  const startRedis = () => {
    redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
      stdio: 'ignore',
    });
  };
  const endRedis = async () => {
    const ended = once(redis, 'exit');
    redis.kill('SIGKILL');
    await ended;
  };
  const start = () => service.start({ REDIS_URL: `redis://127.0.0.1:${port}` });
  const isShared = async (isUp: boolean) => {
    for (const gateway of service.gateways) {
      await expectEventually(() => service.metric('pda_redis_up', gateway), Number(isUp), 15_000);
    }
  };
  /** The remaining requests of the minute that a gateway reports. */
  const left = async (gateway = service.gateways[0]) => {
    const { headers } = await service.ask(LOOKUP, gateway);
    return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
  };

  test('each process limits separately while Redis is down, and limits are shared again when it is back', async () => {
    await Promise.all([start(), start()]);
    const [one, other] = service.gateways;
    await isShared(true);
    const before = await left(one);
    expect(await left(other)).toBe(before - 1);
    const load = service.load();
    await load.answers(200, 100);
    await endRedis();
    await isShared(false);
    await load.answers(200, 100);
    startRedis();
    await isShared(true);
    await load.answers(200, 100);
    const books = await load.stop();
    expect(books.count(200)).toBe(books.asked.length);
    const first = await left(one);
    expect(await left(other)).toBe(first - 1);
  });

  test('a hanging Redis delays requests only once', async () => {
    await start();
    await isShared(true);
    const load = service.load();
    await load.answers(200, 100);
    redis.kill('SIGSTOP');
    await isShared(false);
    await load.answers(200, 200);
    redis.kill('SIGCONT');
    await isShared(true);
    const books = await load.stop();
    expectCalm(books);
    expect(books.count(200)).toBe(books.asked.length);
    // Each of the eight clients may have one request in flight when Redis hangs, and one more before that is noticed; a busy machine delays some
    // others. If Redis delayed every request, all 200 would be slow.
    expect(books.asked.filter(({ ms }) => ms > COMMAND_MS - 100).length).toBeLessThan(100);
    await expectBalance(service.database, books);
  });
});
