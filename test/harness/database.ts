/** A separate migrated database for a test: embedded, or on PostgreSQL if the run uses it. */
import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { inject } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { openInMemory } from '../../src/database/embedded.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { createDatabase, databaseUrl, dropDatabase, joinCluster } from './distributed.ts';
import { dropMeanwhile } from './drops.ts';

/** Whether the run uses PostgreSQL. */
export const isOnPostgres = () => inject('postgres') !== undefined;

interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A separate database for a test of several processes, which only PostgreSQL can serve. */
export async function makePostgresDatabase(): Promise<TestDatabase> {
  const { servers, template } = postgres();
  return make(servers, template);
}

/** A database without tables: on a single server without extensions, or on all servers of the cluster, which know each other. */
export async function makeEmptyDatabase(on: 'single' | 'cluster'): Promise<TestDatabase & { servers: string[] }> {
  const servers = on === 'cluster' ? postgres().servers : postgres().servers.slice(0, 1);
  const { name, ...made } = await make(servers, 'template0');
  if (on === 'cluster') await joinCluster(servers, name);
  return { ...made, servers: servers.map((url) => databaseUrl(url, name)) };
}

function postgres() {
  const found = inject('postgres');
  if (!found) throw new Error('This test needs PostgreSQL: set TEST_DATABASE_URL.');
  return found;
}

async function make(servers: readonly string[], template: string): Promise<TestDatabase & { name: string }> {
  const name = `pda_test_${randomBytes(6).toString('hex')}`;
  await createDatabase(servers, name, template);
  return { name, url: databaseUrl(servers[0] ?? '', name), drop: () => dropDatabase(servers, name) };
}

/** Opens a database that is dropped once it is closed. */
export async function openTestDatabase(): Promise<Database> {
  if (!isOnPostgres()) return openEmbeddedDatabase();
  const { url, drop } = await makePostgresDatabase();
  const database = openPostgres({ url, poolSize: 5, purpose: 'bulk' });
  return {
    ...database,
    async close() {
      await database.close();
      dropMeanwhile(drop());
    },
  };
}

/** Opens an embedded database, whatever the run uses. */
export async function openEmbeddedDatabase(): Promise<Database> {
  const database = await openInMemory(await openAsBlob(inject('image')));
  // Each copy becomes a separate installation, so that it shares no rate limits in Redis with the others.
  await database.query('UPDATE deployment SET name = gen_random_uuid()::text');
  return database;
}
