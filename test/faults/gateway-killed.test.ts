/** One of two gateways is killed under load. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createKey } from '../../src/access/key-admin.ts';
import type { Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { feedRow, importRows } from '../harness/gateway.ts';
import { deducted, startLoad } from '../harness/load.ts';
import { type PostgresServer, startPostgresServer } from '../harness/postgres-server.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';

const EAN = '4006381333931';

let postgres: PostgresServer;
let database: Database;
let gateways: ServerProcess[];
let key: string;

beforeEach(async () => {
  postgres = await startPostgresServer();
  database = openPostgres({ url: postgres.url, purpose: 'bulk' });
  await migrate(database);
  await importRows(database, 'Shop', [feedRow({ id: 'a', gtin: EAN })]);
  ({ key } = await createKey(database, { name: 'load', plan: 'enterprise', rateLimit: 1_000_000 }));
  gateways = await Promise.all([1, 2].map(() => startServerProcess({ DATABASE_URL: postgres.url })));
});
afterEach(async () => {
  await Promise.all(gateways.map((gateway) => gateway.kill()));
  await database.close();
  await postgres.remove();
});

test('a killed gateway loses only its own requests, and no acknowledged count', async () => {
  const load = startLoad({
    addresses: gateways.map(({ address }) => address),
    key,
    paths: [`/api/v1/lookup?ean=${EAN}`],
  });
  await load.answers(200, 100);
  await gateways[0]?.kill();
  await load.answers(200, 100);
  const books = await load.stop();
  expect(books.asked.filter(({ status, address }) => status !== 200 && address === gateways[1]?.address)).toEqual([]);
  expect(books.hangs).toBe(0);
  // A request that was cut off may have been counted; one that was answered has been.
  const used = await deducted(database);
  expect(used).toBeGreaterThanOrEqual(books.charged);
  expect(used).toBeLessThanOrEqual(books.charged + books.unanswered);
});
