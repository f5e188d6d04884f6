/** A separate migrated database for a test, on the server of the run. */
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { createDatabase, databaseUrl, dropDatabase, joinCluster } from './distributed.ts';
import { dropMeanwhile } from './drops.ts';
import { expectEventually } from './eventually.ts';

interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A separate database for a test of several processes. */
export async function makePostgresDatabase(): Promise<TestDatabase> {
  const { servers, template } = inject('postgres');
  return make(servers, template);
}

/** A database without tables: on a single server without extensions, or on all servers of the cluster, which know each other. */
export async function makeEmptyDatabase(on: 'single' | 'cluster'): Promise<TestDatabase & { servers: string[] }> {
  const all = inject('postgres').servers;
  const servers = on === 'cluster' ? all : all.slice(0, 1);
  const { name, ...made } = await make(servers, 'template0');
  if (on === 'cluster') await joinCluster(servers, name);
  return { ...made, servers: servers.map((url) => databaseUrl(url, name)) };
}

async function make(servers: readonly string[], template: string): Promise<TestDatabase & { name: string }> {
  const name = `pda_test_${randomBytes(6).toString('hex')}`;
  // To copy files, the server writes all of its memory to them first.
  await createDatabase(servers, name, template, inject('postgres').isOwn ? 'FILE_COPY' : 'WAL_LOG');
  return { name, url: databaseUrl(servers[0] ?? '', name), drop: () => dropDatabase(servers, name) };
}

/** Opens a database that is dropped once it is closed. */
export async function openTestDatabase(): Promise<Database> {
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

/**
 * Empties tables of a database that a gateway uses, with all that refer to them. Its own work may have locked one of them and wait for another:
 * PostgreSQL then ends one of the two, and the tables are emptied again.
 */
export async function emptyTables(database: Database, tables: string): Promise<void> {
  const empty = () =>
    database.script(`TRUNCATE ${tables} CASCADE`).then(
      () => '',
      (error: unknown) => String(error),
    );
  await expectEventually(empty, '');
}
