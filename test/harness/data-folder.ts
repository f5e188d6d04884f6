/** A migrated embedded database in a folder, for tests of real processes other than those of the first start. */
import { mkdirSync, mkdtempSync, openAsBlob } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { inject } from 'vitest';

/**
 * Unpacks the image of this test run, which is much faster than a first start.
 *
 * @param folder the data folder (`DATA_DIR`); a new temporary one by default.
 */
export async function makeDataFolder(folder = mkdtempSync(join(tmpdir(), 'pda-data-'))): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pglite = await PGlite.create({ dataDir: join(folder, 'pg'), loadDataDir: await openAsBlob(inject('image')) });
  await pglite.close();
  return folder;
}
