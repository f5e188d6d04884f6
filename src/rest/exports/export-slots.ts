/** Limits the exports that are open at the same time in this process. */
import { openKeyCounts } from '../../access/key-counts.ts';
import { Problem } from '../../problem.ts';

/** The most open exports of a key. */
export const MOST_OF_KEY = 2;
// Each holds two pages in memory and has at most one statement in progress.
const MOST_IN_PROCESS = 16;

export type ExportSlots = ReturnType<typeof openExportSlots>;

/** @param onCount called with the number of open exports when it changes. */
export function openExportSlots(onCount: (count: number) => void = () => {}) {
  const open = openKeyCounts(onCount);

  return {
    /** Takes a slot. @returns the function that frees it. @throws {Problem} `too_many_exports`, or `unavailable` if the process is full. */
    enter(keyId: bigint): () => void {
      if (open.of(keyId) >= MOST_OF_KEY) throw tooMany();
      if (open.all() >= MOST_IN_PROCESS) throw full();
      open.add(keyId, 1);
      let isFree = false;
      return () => {
        if (!isFree) open.add(keyId, -1);
        isFree = true;
      };
    },
  };
}

const tooMany = () =>
  new Problem(
    'too_many_exports',
    `The key has ${MOST_OF_KEY} open exports on this instance: wait until one ends, then try again.`,
    { headers: { 'Retry-After': '60' } },
  );

const full = () =>
  new Problem('unavailable', 'This instance has no room for more exports: try again in a minute.', {
    headers: { 'Retry-After': '60' },
  });
