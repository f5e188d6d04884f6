/** A separate migrated database for a test: embedded, or on PostgreSQL if the run uses it. */
import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { inject } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { openInMemory } from '../../src/database/embedded.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { databaseUrl } from './prepare.ts';

/** Whether the run uses PostgreSQL. */
export const isOnPostgres = () => inject('postgres') !== undefined;

/** A separate database for a test of several processes, which only PostgreSQL can serve. */
export async function makePostgresDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const postgres = inject('postgres');
  if (!postgres) throw new Error('This test needs PostgreSQL: set TEST_DATABASE_URL.');
  const name = `pda_test_${randomBytes(6).toString('hex')}`;
  await onServer(postgres.url, `CREATE DATABASE ${name} TEMPLATE ${postgres.template}`);
  return {
    url: databaseUrl(postgres.url, name),
    drop: () => onServer(postgres.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Opens a database that is dropped when it is closed. */
export async function openTestDatabase(): Promise<Database> {
  if (!isOnPostgres()) {
    const database = await openInMemory(await openAsBlob(inject('image')));
    // Each copy becomes a separate installation, so that it shares no rate limits in Redis with the others.
    await database.query('UPDATE deployment SET name = gen_random_uuid()::text');
    return database;
  }
  const { url, drop } = await makePostgresDatabase();
  const database = openPostgres({ url, poolSize: 5, purpose: 'bulk' });
  return {
    ...database,
    async close() {
      await database.close();
      await drop();
    },
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const server = openPostgres({ url, poolSize: 1, purpose: 'bulk' });
  try {
    await server.script(sql);
  } finally {
    await server.close();
  }
}
