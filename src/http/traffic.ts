/** Tells long work in this process, such as exports, whether other requests arrive right now, for which it should make way. */
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises';

export interface Traffic {
  /** Notes the arrival of a request. @param at a time as of `performance.now()`. */
  note(at: number): void;
  /** Whether several requests have arrived within the last moment. */
  isBusy(): boolean;
  /** A pause for long work between two of its short parts: as short as possible while no requests arrive. */
  breathe(): Promise<void>;
}

// A request that comes alone may wait for a few milliseconds. A service with a dozen requests a second has clients who would notice.
const FEW = 3;
const MOMENT_MS = 250;
// Parts of half a millisecond with this pause take a tenth of the processor.
const BREATH_MS = 4;

export function openTraffic(): Traffic {
  // The times of the last arrivals, the oldest first.
  const arrivals: number[] = Array.from({ length: FEW }, () => Number.NEGATIVE_INFINITY);
  const isBusy = () => performance.now() - (arrivals[0] as number) < MOMENT_MS;
  return {
    note(at) {
      arrivals.shift();
      arrivals.push(at);
    },
    isBusy,
    breathe: () => (isBusy() ? setTimeout(BREATH_MS) : nextTurn()),
  };
}
