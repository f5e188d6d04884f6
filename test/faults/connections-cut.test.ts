/** Connections to PostgreSQL are cut under load, before, during and after the commit of a count. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { expectBalance, expectCalm, LOOKUP, type Service, startService } from '../harness/service.ts';
import { signal } from '../harness/signal.ts';
import { openTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';

const CUTS = 10;

let service: Service;
let proxy: TcpProxy;
beforeEach(async () => {
  service = await startService();
  proxy = await openTcpProxy(service.postgres.port);
});
afterEach(async () => {
  await service.end();
  await proxy.close();
});
const throughProxy = () =>
  service.start({ DATABASE_URL: `postgresql://postgres@127.0.0.1:${proxy.port}/postgres`, ANSWER_CACHE_MB: '0' });

test('clients do not notice an administrator who ends all sessions', async () => {
  await Promise.all([service.start(), service.start()]);
  const load = service.load();
  for (let cut = 0; cut < CUTS; cut += 1) {
    await load.answers(200, 50);
    await service.database.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()',
      ['product-data-api'],
    );
  }
  await load.answers(200, 50);
  const books = await load.stop();
  expectCalm(books);
  expect(books.count(503)).toBe(0);
  await expectBalance(service.database, books);
});

test('a count whose commit was not confirmed is neither lost nor repeated', async () => {
  await throughProxy();
  const load = service.load({ clients: 16, restMs: 1 });
  for (let cut = 0; cut < CUTS; cut += 1) {
    await load.answers(200, 50);
    proxy.loseAnswers();
    const counted = await committed();
    await eventually(committed, (now) => now > counted);
    proxy.cut();
  }
  await load.answers(200, 50);
  const books = await load.stop();
  expectCalm(books);
  await expectBalance(service.database, books);
});

test('a statement that finishes after the gateway gave it up counts nothing', async () => {
  await throughProxy();
  expect((await service.ask(LOOKUP)).status).toBe(200);
  const { raise: release, raised: held } = signal();
  const { raise: hold, raised: isHeld } = signal();
  const holding = service.database.transaction(async (transaction) => {
    await transaction.query('SELECT used FROM usage_counter FOR UPDATE');
    hold();
    await held;
  });
  await isHeld;
  try {
    const asking = service.ask(LOOKUP);
    expect(await eventually(waiting, (count) => count === 1)).toBe(1);
    // The server continues the statement without a client. The gateway finds that it is not committed, and sends it again.
    proxy.cut(false);
    expect(await eventually(waiting, (count) => count === 2, 1_500)).toBe(2);
    release();
    expect((await asking).status).toBe(200);
  } finally {
    release();
    await holding;
  }
  await eventually(waiting, (count) => count === 0);
  const [row] = await service.database.query('SELECT used FROM usage_counter');
  expect(row).toEqual({ used: 2n });
});

const committed = async () => {
  const [row] = await service.database.query<{ number: bigint }>(
    'SELECT COALESCE(sum(committed), 0)::bigint AS number FROM usage_journal',
  );
  return row?.number ?? 0n;
};
const waiting = async () => {
  const [row] = await service.database.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
  );
  return row?.count ?? 0;
};
