/** Who may change the data folder of the embedded database. */
import { statSync } from 'node:fs';

/** Whether other users may write to a data folder. They cannot enter the database's own folder, but could replace it. */
export function isOpenToOthers(home: string): boolean {
  const { mode } = statSync(home);
  const isSticky = (mode & 0o1000) !== 0; // Others can neither rename nor delete what is ours.
  return (mode & 0o022) !== 0 && !isSticky;
}
