/** The counts that the primary process keeps for a worker: lookups in progress end with the worker, and refused ones never began. */
import { expect, test } from 'vitest';
import { type Found, openAddressLedger } from '../src/access/address-ledger.ts';
import { openKeyWindows } from '../src/access/rate-limit.ts';
import { serveCounts } from '../src/workers/counts-server.ts';
import type { Told } from '../src/workers/messages.ts';

const ADDRESS = '203.0.113.7';

/** Serves one worker, and notes how each lookup that had an entry ended. */
function serve(mostGuesses: number) {
  const ledger = openAddressLedger(mostGuesses);
  const ended: [string, Found][] = [];
  const told: Told[] = [];
  const watched = {
    ...ledger,
    async enter(address: string, digest: string) {
      const entry = await ledger.enter(address, digest);
      return {
        ...entry,
        leave(found: Found) {
          ended.push([digest, found]);
          return entry.leave(found);
        },
      };
    },
  };
  const served = serveCounts({ windows: openKeyWindows(), ledger: watched as typeof ledger }, (all) =>
    told.push(...all),
  );
  return { served, ended, told };
}

const settle = () => new Promise(setImmediate);

test('a worker that dies ends its permitted lookups, and keeps nothing of those that were refused', async () => {
  const { served, ended, told } = serve(1);
  served.hear([[1, 'enter', 1, ADDRESS, 'guess']]);
  await settle();
  served.hear([[2, 'leave', 1, 'unknown']]);
  served.hear([
    [3, 'enter', 2, ADDRESS, 'guess'],
    [4, 'enter', 3, ADDRESS, 'another'],
    [5, 'enter', 4, '203.0.113.8', 'third'],
  ]);
  await settle();
  expect(told.map(([place, result]) => [place, Array.isArray(result) ? result[0] : result])).toEqual([
    [1, 'room'],
    [2, true],
    [3, 'counted'],
    [4, 'full'],
    [5, 'room'],
  ]);
  served.leave();
  expect(ended).toEqual([
    ['guess', 'unknown'],
    ['third', 'unread'],
  ]);
});
