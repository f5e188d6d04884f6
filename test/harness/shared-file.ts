/**
 * The one place that names files outside the repository: feeds of real shops and other data that may lie beside it, in `../shared/data`.
 * A clone that stands alone lacks them, so tests read them only with `describeShared`.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

// From the folder of the repository, where npm starts tests and benchmarks; these are bundled, so they have no place of their own.
const FOLDER = resolve('..', 'shared', 'data');

/** The path of a file or folder in `../shared/data`; `undefined` where there is none. */
export function sharedFile(name: string): string | undefined {
  const path = join(FOLDER, name);
  return existsSync(path) ? path : undefined;
}
