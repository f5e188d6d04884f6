/** A database for real processes, with one product and one key. */
import { createKey } from '../../src/access/key-admin.ts';
import type { Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { makePostgresDatabase } from './database.ts';
import { feedRow, importRows } from './gateway.ts';

export const EAN = '4006381333931';
/** A path that is answered 200 in every filled home. */
export const LOOKUP = `/api/v1/lookup?ean=${EAN}`;

export interface Home {
  /** The environment of a process that uses this home. */
  environment: Record<string, string>;
  open(): Database;
  /** Opens the home while `work` runs. */
  within<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  remove(): Promise<void>;
}

/** Creates a home. */
export async function makeHome(): Promise<Home> {
  const { url, drop } = await makePostgresDatabase();
  const open = () => openPostgres({ url, purpose: 'bulk' });
  return {
    environment: { DATABASE_URL: url },
    open,
    async within(work) {
      const database = open();
      try {
        return await work(database);
      } finally {
        await database.close();
      }
    },
    remove: drop,
  };
}

/** Migrates a home and puts the product {@link EAN} into it. @returns a key without a limit. */
export async function fillHome(home: Pick<Home, 'within'>): Promise<string> {
  return home.within(async (database) => {
    await migrate(database);
    await importRows(database, 'Shop', [feedRow({ id: 'a', gtin: EAN })]);
    return (await createKey(database, { name: 'load', plan: 'enterprise', rateLimit: 1_000_000 })).key;
  });
}
