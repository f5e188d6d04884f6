/** The primary process's side of the counts: serves the requests of one worker. */
import type { Entry, openAddressLedger } from '../access/address-ledger.ts';
import type { openKeyWindows } from '../access/rate-limit.ts';
import type { Ask, Results, Told } from './messages.ts';

/** The counts of all workers. */
export interface Counts {
  windows: ReturnType<typeof openKeyWindows>;
  ledger: ReturnType<typeof openAddressLedger>;
}

/** @param send sends results to the worker. */
export function serveCounts({ windows, ledger }: Counts, send: (told: Told[]) => void) {
  /** The lookups that the worker has in progress, by their numbers. */
  const entries = new Map<number, Entry>();
  let hasLeft = false;

  const enter = async (place: number, number: number, address: string, digest: string): Promise<void> => {
    const entry = await ledger.enter(address, digest);
    if (hasLeft) {
      void entry.leave('unread');
      return;
    }
    // A refused lookup does not begin, so the worker never ends it.
    if (entry.verdict === 'known' || entry.verdict === 'room') entries.set(number, entry);
    send([[place, [entry.verdict, entry.resetAt]]]);
  };

  const resultOf = (ask: Ask): Results['take' | 'count'] | boolean | undefined => {
    switch (ask[1]) {
      case 'take': {
        const { isAllowed, remaining, resetAt } = windows.take(ask[2], ask[3], ask[4]);
        return [isAllowed, remaining, resetAt];
      }
      case 'giveBack':
        windows.giveBack(ask[2], ask[3], ask[4]);
        return undefined;
      case 'count': {
        const { count, resetAt } = ledger.count(ask[2], ask[3]);
        return [count, resetAt];
      }
      case 'enter':
        void enter(ask[0], ask[2], ask[3], ask[4]);
        return undefined;
      case 'leave': {
        const entry = entries.get(ask[2]);
        entries.delete(ask[2]);
        return entry?.leave(ask[3]) === true;
      }
      case 'adopt':
        ledger.adopt(ask[2], ask[3], ask[4]);
        return undefined;
      case 'note':
        ledger.note(ask[2], ask[3]);
        return undefined;
    }
  };

  return {
    /** Serves the requests of one message. */
    hear(asks: readonly Ask[]): void {
      const told: Told[] = [];
      for (const ask of asks) {
        const result = resultOf(ask);
        if (result !== undefined) told.push([ask[0], result]);
      }
      if (told.length > 0) send(told);
    },
    /** Ends the lookups of a worker that has died. */
    leave(): void {
      hasLeft = true;
      for (const entry of entries.values()) void entry.leave('unread');
      entries.clear();
    },
  };
}
