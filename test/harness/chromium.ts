/** Where Chromium is on this machine: tests of pages run in it, or not at all. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The program, or `undefined` where there is none. */
export const CHROMIUM = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((program) => {
    try {
      accessSync(program, constants.X_OK);
      return true;
    } catch {
      return false; // Most folders have none.
    }
  });
