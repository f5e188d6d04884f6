/**
 * Tells those who wait that the stream of changes has grown. One poller in the process reads the number of the last change, and only
 * while somebody waits. PostgreSQL's LISTEN would save the reads, but connection poolers do not support it.
 */
import type { Queryable } from '../../database/database.ts';
import { followSignal } from '../../follow-signal.ts';
import { readHead } from './read-changes.ts';

export type StreamHead = ReturnType<typeof openStreamHead>;

const LOOK_EVERY_MS = 250;

interface Waiting {
  seq: bigint;
  tell(head: bigint): void;
}

/** Opens the head of the stream in a database. Nothing is read until somebody waits. */
export function openStreamHead(database: Queryable, lookEveryMs = LOOK_EVERY_MS) {
  const waiting = new Set<Waiting>();
  let isLooking = false;

  const look = async (): Promise<void> => {
    const head = await readHead(database);
    for (const each of waiting) if (head > each.seq) each.tell(head);
  };

  const lookOn = async (): Promise<void> => {
    // Those who wait do so for a limited time, so an unavailable database is only tried again.
    await look().catch(() => {});
    if (waiting.size > 0) setTimeout(lookOn, lookEveryMs).unref();
    else isLooking = false;
  };

  return {
    /** Settles with the number of the last change once it is above `seq`, or with `undefined` once the signal is aborted. Never rejects. */
    waitBeyond(seq: bigint, signal: AbortSignal): Promise<bigint | undefined> {
      if (signal.aborted) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const leave = (head?: bigint) => {
          waiting.delete(each);
          unfollow();
          resolve(head);
        };
        const each: Waiting = { seq, tell: leave };
        waiting.add(each);
        const unfollow = followSignal(signal, () => leave());
        if (isLooking) return;
        isLooking = true;
        void lookOn();
      });
    },
    /** The number of those who wait. */
    get waiting(): number {
      return waiting.size;
    },
  };
}
