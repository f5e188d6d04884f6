/** The order of those who write the catalogue of the embedded database. */
import type { Writers } from './database.ts';

export function openWriters(): Writers {
  let last: Promise<void> | undefined;
  return {
    async hold(isPatient) {
      if (last && !isPatient) return undefined;
      const before = last;
      let end = () => {};
      const turn = new Promise<void>((resolve) => {
        end = resolve;
      });
      last = turn;
      await before;
      return () => {
        if (last === turn) last = undefined;
        end();
      };
    },
  };
}
