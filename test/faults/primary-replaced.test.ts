/** The primary is killed under load, and its replica is promoted. The gateways know both, and are never restarted. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPostgres } from '../../src/database/postgres.ts';
import { eventually } from '../harness/eventually.ts';
import { deducted } from '../harness/load.ts';
import type { PostgresServer } from '../harness/postgres-server.ts';
import { expectBalance, expectCalm, LOOKUP, type Service, startService } from '../harness/service.ts';

let service: Service;
let replica: PostgresServer;
let url: string;
beforeEach(async () => {
  service = await startService();
  replica = await service.postgres.replica();
  // A commit is acknowledged only when the replica has it, so no count is lost with the primary.
  await service.database.script("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await service.database.query('SELECT pg_reload_conf()');
  // The old primary is named first, so that choosing by order would be noticed.
  url = `postgresql://postgres@127.0.0.1:${service.postgres.port},127.0.0.1:${replica.port}/postgres`;
});
afterEach(async () => {
  await service.end();
  await replica.remove();
});

test('gateways find the new primary, stay with it when the old one returns, and lose no count', async () => {
  await Promise.all([1, 2].map(() => service.start({ DATABASE_URL: url })));
  const load = service.load();
  await load.answers(200, 100);
  await service.postgres.kill();
  await load.answers(503, 20);
  await replica.promote();
  await load.answers(200, 100);
  // The old primary accepts writes again, because it does not know that it was replaced.
  await service.postgres.start();
  const left = await deducted(service.database);
  const database = openPostgres({ url: replica.url, purpose: 'bulk', poolSize: 2 });
  try {
    // New gateways and new connections must choose between the two.
    await service.start({ DATABASE_URL: url });
    for (let cut = 0; cut < 3; cut += 1) {
      await database.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()',
        ['product-data-api'],
      );
      await load.answers(200, 50);
    }
    const third = service.gateways[2];
    for (let n = 0; n < 5; n += 1) expect((await service.ask(LOOKUP, third)).status).toBe(200);
    const books = await load.stop();
    expectCalm(books);
    await expectBalance(database, { ...books, charged: books.charged + 5 });
  } finally {
    await database.close();
  }
  expect(await deducted(service.database)).toBe(left);
});

test('a server that has become read-only is not used while another accepts writes', async () => {
  await service.start({ DATABASE_URL: url });
  expect((await service.ask(LOOKUP)).status).toBe(200);
  await replica.promote();
  await service.database.script('ALTER SYSTEM RESET synchronous_standby_names');
  await service.database.script('ALTER SYSTEM SET default_transaction_read_only = on');
  await service.database.query('SELECT pg_reload_conf()');
  // The server's processes reload one after the other.
  await eventually(
    () => service.database.query<{ setting: string }>("SELECT current_setting('transaction_read_only') AS setting"),
    ([row]) => row?.setting === 'on',
    5_000,
  );
  const load = service.load();
  await load.answers(200, 50);
  const books = await load.stop();
  expectCalm(books);
  const database = openPostgres({ url: replica.url, purpose: 'bulk', poolSize: 2 });
  try {
    await expectBalance(database, { ...books, charged: books.charged + 1 });
  } finally {
    await database.close();
  }
});
