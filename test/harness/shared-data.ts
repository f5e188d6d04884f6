/** Tests with data from outside the repository. */
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { sharedFile } from './shared-file.ts';

/**
 * Declares tests that read files of `../shared/data`. Without that folder they are not even declared, so none can read it, and one skipped
 * test takes their place.
 * @param declare gets a function that makes the path of a file or folder there.
 */
export function describeShared(name: string, declare: (pathOf: (file: string) => string) => void): void {
  const folder = sharedFile('');
  if (folder === undefined) test.skip(`${name}: these tests need ../shared/data`, () => {});
  else describe(name, () => declare((file) => join(folder, file)));
}
