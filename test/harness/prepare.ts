/** Runs once per test run: makes a migrated database that each test copies, so that no test waits for another or sees its data. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openInMemory } from '../../src/database/embedded.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { CHROMIUM } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** An image of a migrated embedded database. */
    image: string;
    /** On PostgreSQL: its URL, and the database that tests copy. */
    postgres: { url: string; template: string } | undefined;
  }
}

export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  if (CHROMIUM === undefined) {
    process.stdout.write('The tests of the pages (test/browser) are skipped: there is no Chromium here.\n');
  }
  const folder = mkdtempSync(join(tmpdir(), 'pda-test-'));
  const image = join(folder, 'image.tar');
  await makeImage(image);
  project.provide('image', image);
  const url = process.env.TEST_DATABASE_URL;
  if (url === undefined) {
    project.provide('postgres', undefined);
    return async () => rmSync(folder, { recursive: true, force: true });
  }

  const template = `pda_test_template_${process.pid}`;
  const server = openPostgres({ url, purpose: 'bulk' });
  await server.script(`CREATE DATABASE ${template} TEMPLATE template0 ENCODING 'UTF8'`);
  const database = openPostgres({ url: databaseUrl(url, template) });
  await migrate(database);
  await database.close();
  project.provide('postgres', { url, template });
  return async () => {
    await server.script(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Writes the image of a migrated embedded database, as a tar file. */
async function makeImage(file: string): Promise<void> {
  const database = await openInMemory();
  await migrate(database);
  writeFileSync(file, Buffer.from(await (await database.image()).arrayBuffer()));
  await database.close();
}

/** The URL of another database on the same server. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
