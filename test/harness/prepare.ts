/** Runs once per test run: makes a migrated database that each test copies, so that no test waits for another or sees its data. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openInMemory } from '../../src/database/embedded.ts';
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

declare module 'vitest' {
  interface ProvidedContext {
    /** An image of a migrated embedded database. */
    image: string;
    /** On PostgreSQL: its URL and, on a Citus cluster, those of its workers; and the database that tests copy. */
    postgres: { servers: string[]; template: string } | undefined;
  }
}

export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  if (CHROMIUM === undefined) {
    process.stdout.write('The tests of the pages (test/browser) are skipped: there is no Chromium here.\n');
  }
  if (!isDistributedRun()) process.stdout.write(WHY_NOT_DISTRIBUTED);
  const folder = mkdtempSync(join(tmpdir(), 'pda-test-'));
  const image = join(folder, 'image.tar');
  await makeImage(image);
  project.provide('image', image);
  const url = process.env.TEST_DATABASE_URL;
  if (url === undefined) {
    if (isDistributedRun()) throw new Error('TEST_DISTRIBUTED=1 needs TEST_DATABASE_URL.');
    project.provide('postgres', undefined);
    return async () => rmSync(folder, { recursive: true, force: true });
  }

  const template = `pda_test_template_${process.pid}`;
  const servers = isDistributedRun() ? await readServers(url) : [url];
  await createDatabase(servers, template, 'template0');
  if (isDistributedRun()) await prepareCluster(servers, template);
  else await migrateDatabase(databaseUrl(url, template));
  project.provide('postgres', { servers, template });
  return async () => {
    await dropDatabase(servers, template);
    rmSync(folder, { recursive: true, force: true });
  };
}

async function migrateDatabase(url: string): Promise<void> {
  const database = openPostgres({ url, purpose: 'bulk' });
  await migrate(database);
  await database.close();
}

/** Writes the image of a migrated embedded database, as a tar file, without the databases that nothing reads: hundreds of tests unpack it. */
async function makeImage(file: string): Promise<void> {
  const database = await openInMemory();
  await migrate(database);
  for (const name of ['template0', 'template1']) {
    await database.script(`ALTER DATABASE ${name} IS_TEMPLATE false`);
    await database.script(`DROP DATABASE ${name}`);
  }
  await database.script('CHECKPOINT');
  writeFileSync(file, Buffer.from(await (await database.image()).arrayBuffer()));
  await database.close();
}
