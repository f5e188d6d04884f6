/** The key of the embedded database's own, in a private file of its folder: made on first use, but not to read, and never copied anywhere. */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { EmbeddedUnusable } from '../database.ts';
import { keyFileIn } from '../open-to-others.ts';
import { LEAST_SECRET, type VaultKeys } from '../vault.ts';
import { syncFolder } from './cluster.ts';

/**
 * The keys of the database in a folder: the operator's, or that of the folder. Its own one is also read after the operator has set another.
 * @throws {EmbeddedUnusable} if the file has no key.
 */
export function keysIn(
  home: string,
  { present, former = [] }: VaultKeys = { present: undefined },
  isReading = false,
): VaultKeys {
  const file = keyFileIn(home);
  if (!existsSync(file)) {
    if (present !== undefined || isReading) return { present, former };
    make(file);
  }
  const own = readFileSync(file, 'utf8').trim();
  if (own.length < LEAST_SECRET) {
    throw new EmbeddedUnusable(
      `The key file ${file} is empty or incomplete. Put it back from a copy; without one, delete it, and the next start makes a new key.`,
    );
  }
  return present === undefined ? { present: own, former } : { present, former: [own, ...former] };
}

/** Of several processes that make it at the same time, one succeeds. Whenever a process or the machine ends, the file is complete or missing. */
function make(file: string): void {
  const temporary = `${file}.creating-${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(temporary, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(temporary, file); // Unlike a renaming, it leaves a file that is there already.
    syncFolder(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}
