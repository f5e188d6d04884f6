/** Locates the package, for its sources and for the bundle alike, to find the files that it ships besides code. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let found: string | undefined;

/** The folder that holds `package.json`, as an absolute path. */
export function packageRoot(): string {
  if (found) return found;
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  found = folder;
  return folder;
}

/** The version in `package.json`. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string };
  return version;
}
