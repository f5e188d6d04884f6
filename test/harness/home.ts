/** A database for real processes, with one product and one key: embedded, or on PostgreSQL if the run uses it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../../src/access/key-admin.ts';
import type { Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openForCommand } from '../../src/database/open.ts';
import { makeDataFolder } from './data-folder.ts';
import { isOnPostgres, makePostgresDatabase } from './database.ts';
import { feedRow, importRows } from './gateway.ts';

export const EAN = '4006381333931';
/** A path that is answered 200 in every filled home. */
export const LOOKUP = `/api/v1/lookup?ean=${EAN}`;

export interface Home {
  /** The environment of a process that uses this home. */
  environment: Record<string, string>;
  /** Opens the home as a command does: through the server's door if a server holds the embedded folder. */
  open(): Promise<Database>;
  /** Keeps the home open until it is removed. Commands then use the door, which takes a third of the time of opening the folder. */
  hold(): Promise<void>;
  /** Ends {@link Home.hold}, so that another process may hold the folder. */
  release(): Promise<void>;
  /** Opens the home while `work` runs. */
  within<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  remove(): Promise<void>;
}

/** Creates a home. @param folder the folder of the embedded database; a new temporary one by default. */
export async function makeHome(folder = mkdtempSync(join(tmpdir(), 'pda-home-'))): Promise<Home> {
  const postgres = isOnPostgres() ? await makePostgresDatabase() : undefined;
  if (!postgres) await makeDataFolder(folder);
  const open = () => openForCommand({ dataDir: folder, databaseUrl: postgres?.url }, { purpose: 'bulk' });
  let held: Database | undefined;
  return {
    environment: postgres ? { DATABASE_URL: postgres.url } : { DATA_DIR: folder },
    open,
    async hold() {
      held = await open();
    },
    async release() {
      await held?.close();
      held = undefined;
    },
    async within(work) {
      if (held) return work(held);
      const database = await open();
      try {
        return await work(database);
      } finally {
        await database.close();
      }
    },
    async remove() {
      await held?.close();
      await postgres?.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Migrates a home and puts the product {@link EAN} into it. @returns a key without a limit. */
export async function fillHome(home: Home): Promise<string> {
  return home.within(async (database) => {
    await migrate(database);
    await importRows(database, 'Shop', [feedRow({ id: 'a', gtin: EAN })]);
    return (await createKey(database, { name: 'load', plan: 'enterprise', rateLimit: 1_000_000 })).key;
  });
}
