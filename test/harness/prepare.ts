/** Runs once per test run: makes a migrated database that each test copies, so that no test waits for another or sees its data. */
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/database/migrate.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { CHROMIUM } from './chromium.ts';
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  isDistributedRun,
  prepareCluster,
  readServers,
  WHY_NOT_DISTRIBUTED,
} from './distributed.ts';
import { memoryFolder, startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URLs of the server and, on a Citus cluster, of its workers; the database that tests copy; whether the run started the server. */
    postgres: { servers: string[]; template: string; isOwn: boolean };
  }
}

// No test of the run's own server needs its data after a power cut. Two hundred databases are copied within minutes.
const FAST = [
  'max_connections = 500',
  'shared_buffers = 128MB',
  'fsync = off',
  'full_page_writes = off',
  'synchronous_commit = off',
  'checkpoint_timeout = 1h',
  'max_wal_size = 1GB',
];

// Sorts texts differently from the embedded database, so a test fails if clients see the order of the server.
const LOCALE = 'en';

export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  if (CHROMIUM === undefined) {
    process.stdout.write('The tests of the pages (test/browser) are skipped: there is no Chromium here.\n');
  }
  if (!isDistributedRun()) process.stdout.write(WHY_NOT_DISTRIBUTED);
  const given = process.env.TEST_DATABASE_URL;
  if (given === undefined && isDistributedRun()) throw new Error('TEST_DISTRIBUTED=1 needs TEST_DATABASE_URL.');
  const own =
    given === undefined ? await startPostgresServer(FAST, { icuLocale: LOCALE, parent: memoryFolder() }) : undefined;
  const url = given ?? own?.url ?? '';

  const template = `pda_test_template_${process.pid}`;
  const servers = isDistributedRun() ? await readServers(url) : [url];
  await createDatabase(servers, template, 'template0');
  if (isDistributedRun()) await prepareCluster(servers, template);
  else await migrateDatabase(databaseUrl(url, template));
  project.provide('postgres', { servers, template, isOwn: own !== undefined });
  return () => own?.remove() ?? dropDatabase(servers, template);
}

async function migrateDatabase(url: string): Promise<void> {
  const database = openPostgres({ url, purpose: 'bulk' });
  await migrate(database);
  await database.close();
}
