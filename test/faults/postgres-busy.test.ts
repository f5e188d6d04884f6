/** PostgreSQL runs but does not serve: its tables are locked, it has no connections left, or it hangs. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { roleStatements } from '../../src/database/roles.ts';
import { expectBalance, expectCalm, LOOKUP, type Service, startService } from '../harness/service.ts';

const MOST_CONNECTIONS = 12;

let service: Service;
let postmaster: number | undefined;
beforeEach(async () => {
  service = await startService([`max_connections = ${MOST_CONNECTIONS}`, 'superuser_reserved_connections = 1']);
  await service.database.script(roleStatements({ server: 'gateway' }).join(';\n'));
});
afterEach(async () => {
  if (postmaster) signalAll(postmaster, 'CONT');
  postmaster = undefined;
  await service.end();
});
const gatewayUrl = () => `postgresql://gateway@127.0.0.1:${service.postgres.port}/postgres`;
const signalAll = (pid: number, signal: 'STOP' | 'CONT') => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  execFileSync('kill', [`-${signal}`, String(pid), ...children]);
};

test('requests that cannot be counted because the counters are locked are refused in time and not charged', async () => {
  await service.start();
  const load = service.load();
  await load.answers(200, 50);
  await service.database.transaction(async (transaction) => {
    await transaction.query('LOCK TABLE usage_counter');
    await load.answers(503, 16);
  });
  await load.answers(200, 50);
  const books = await load.stop();
  expectCalm(books);
  await expectBalance(service.database, books);
});

test('a gateway continues with its open connections when PostgreSQL has none left', async () => {
  await service.start({ DATABASE_URL: gatewayUrl() });
  const load = service.load({ clients: 2 });
  await load.answers(200, 20);
  const others = await takeAll();
  await load.answers(200, 200);
  await Promise.all(others.map((other) => other.end()));
  const books = await load.stop();
  expectCalm(books);
  expect(books.count(503)).toBe(0);
  await expectBalance(service.database, books);
});

test('without any connection requests are refused at once and not charged, until one is available', async () => {
  await service.start({ DATABASE_URL: gatewayUrl() });
  const load = service.load();
  await load.answers(200, 20);
  await service.database.script('ALTER ROLE gateway CONNECTION LIMIT 0');
  await service.database.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'gateway'");
  await load.answers(503, 100);
  await service.database.script('ALTER ROLE gateway CONNECTION LIMIT -1');
  await load.answers(200, 50);
  const books = await load.stop();
  expectCalm(books);
  await expectBalance(service.database, books);
});

test('while PostgreSQL hangs, requests time out, later ones are refused at once, and service resumes with it', async () => {
  await service.start();
  const load = service.load();
  await load.answers(200, 50);
  postmaster = Number(readFileSync(join(service.postgres.folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  signalAll(postmaster, 'STOP');
  await load.answers(503, 100);
  expect((await service.ask('/readyz')).status).toBe(503);
  signalAll(postmaster, 'CONT');
  await load.answers(200, 50);
  const books = await load.stop();
  expectCalm(books);
  await expectBalance(service.database, books);
  // Only the first requests wait for the timeout.
  const slow = books.asked.filter(({ ms }) => ms > 2_500);
  expect(slow.length).toBeLessThanOrEqual(3 * 8);
  expect((await service.ask(LOOKUP)).status).toBe(200);
});

/** Opens all connections that are left for ordinary roles. */
const takeAll = async () => {
  const taken: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: gatewayUrl() });
    client.on('error', () => {});
    try {
      await client.connect();
    } catch {
      return taken;
    }
    taken.push(client);
  }
};
