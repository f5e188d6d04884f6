/** A version of the catalogue whose changes a test announces itself. */
import { openChanges } from '../../src/catalogue/changes.ts';
import type { CatalogueVersion } from '../../src/catalogue/version.ts';

export const versionAt = (known: () => bigint | undefined): CatalogueVersion => ({
  known,
  look: async () => known(),
  changes: openChanges(),
});
