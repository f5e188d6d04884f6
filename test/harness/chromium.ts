/** Finds Chromium on this machine. The tests of pages are skipped without it. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The path of the program; `undefined` if it is not installed. */
export const CHROMIUM = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((program) => {
    try {
      accessSync(program, constants.X_OK);
      return true;
    } catch {
      return false; // Most folders do not have it.
    }
  });
