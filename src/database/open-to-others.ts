/** What other users of the machine may do with the data folder of the embedded database. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Whether other users may write to a data folder. They cannot enter the database's own folder, but could replace it. */
export function isOpenToOthers(home: string): boolean {
  const { mode } = statSync(home);
  const isSticky = (mode & 0o1000) !== 0; // Others can neither rename nor delete what is ours.
  return (mode & 0o022) !== 0 && !isSticky;
}

/** The file in a data folder that has the key of its database. */
export const keyFileIn = (home: string): string => join(home, 'secret-key');

/** Whether other users may use the key file of a data folder. */
export function isKeyOpenToOthers(home: string): boolean {
  const file = keyFileIn(home);
  return existsSync(file) && (statSync(file).mode & 0o077) !== 0;
}
