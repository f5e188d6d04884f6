/** Checks the embedded database's folder: its permissions and its disk. Creates and changes nothing. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isKeyOpenToOthers, isOpenToOthers, keyFileIn } from '../../database/open-to-others.ts';
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts';
import { examineDisk } from './machine.ts';

const NAME = 'data folder';

/** Examines `DATA_DIR`. */
export async function examineFolder(folder: string): Promise<Finding[]> {
  const home = resolve(folder);
  if (!existsSync(home)) {
    const parent = nearest(home);
    return [
      isWritable(parent)
        ? ok(NAME, `${folder} does not exist yet; the first start creates it`)
        : problem(NAME, `${folder} does not exist, and ${parent} is not writable`, REMEDY),
      await examineDisk('data disk', parent),
    ];
  }
  try {
    if (!statSync(home).isDirectory()) return [problem(NAME, `${folder} is not a folder`, REMEDY)];
    if (!isWritable(home)) return [problem(NAME, `this user cannot write to ${folder}`, REMEDY)];
    return [
      isOpenToOthers(home)
        ? warning(NAME, `other users can replace the database in ${folder}`, `Run \`chmod go-w ${folder}\`.`)
        : ok(NAME, folder),
      ...examineKeyFile(home),
      await examineDisk('data disk', home),
    ];
  } catch (error) {
    return [problem(NAME, reasonOf(error), REMEDY)];
  }
}

/** None if the file is missing or private. */
function examineKeyFile(home: string): Finding[] {
  if (!isKeyOpenToOthers(home)) return [];
  const file = keyFileIn(home);
  return [warning('key file', `other users can read or change ${file}`, `Run \`chmod go-rwx ${file}\`.`)];
}

const REMEDY = 'Set DATA_DIR to a folder that this user can write to.';

function nearest(folder: string): string {
  let parent = dirname(folder);
  while (!existsSync(parent)) parent = dirname(parent);
  return parent;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
