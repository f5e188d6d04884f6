/** The key of the embedded database's own, in a private file of its folder: made on first use, but not to read, and never copied anywhere. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VaultKeys } from '../vault.ts';

const FILE = 'secret-key';

/** The keys of the database in a folder: the operator's, or that of the folder. Its own one is also read after the operator has set another. */
export function keysIn(
  home: string,
  { present, former = [] }: VaultKeys = { present: undefined },
  isReading = false,
): VaultKeys {
  const file = join(home, FILE);
  if ((present !== undefined || isReading) && !existsSync(file)) return { present, former };
  const own = readOrMake(file);
  return present === undefined ? { present: own, former } : { present, former: [own, ...former] };
}

function readOrMake(file: string): string {
  try {
    // Of several processes that make it at the same time, one succeeds; a file that is there already stays.
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}
