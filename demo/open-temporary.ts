/** An embedded database with the schema for one run of a script, which is removed once it is closed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../src/database/database.ts';
import { migrate } from '../src/database/migrate.ts';
import { openDatabase } from '../src/database/open.ts';

/** Opens the database. */
export async function openTemporary(): Promise<Database> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pda-demo-'));
  const database = await openDatabase({ dataDir }, { purpose: 'bulk' });
  await migrate(database);
  return {
    ...database,
    async close() {
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
