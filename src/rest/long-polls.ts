/** Long polls: requests that wait for the next change instead of being answered with an empty page. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Access } from '../access/access.ts';
import { openKeyCounts } from '../access/key-counts.ts';
import { followSignal } from '../follow-signal.ts';
import { decodeChangesCursor } from '../ledger/changes/changes-cursor.ts';
import type { StreamHead } from '../ledger/changes/stream-head.ts';
import { Problem } from '../problem.ts';
import type { Result } from './forms.ts';
import type { ParameterValues } from './route.ts';

/** The longest time that a request may wait. Proxies usually wait for 60 seconds. */
export const LONGEST_WAIT_SECONDS = 30;
/** The most requests of a key that wait on an instance (with workers: in each of its processes) at a time. */
export const MOST_POLLS = 5;

// After changes that the filter does not match. So many polls with rare matches cost the database little under constant imports.
const PAUSE_MS = 1_000;

export type LongPolls = ReturnType<typeof openLongPolls>;

/** A request that may wait. */
export interface Poll {
  access: Access;
  /** Aborted when the client leaves. */
  gone: AbortSignal;
}

/** @param onCount called with the number of open polls when it changes. */
export function openLongPolls(head: StreamHead, onCount: (count: number) => void = () => {}) {
  const counts = openKeyCounts(onCount);
  const open = new Set<AbortController>();
  let hasEnded = false;

  return {
    /**
     * Reads pages until one is not empty, the time is over, the client leaves or the server stops. Returns the last page.
     * @param read reads the page at a cursor; without one, at that of the request.
     * @throws {Problem} `too_many_polls`; as {@link Access.admit} does, if the request was not granted.
     */
    async poll(
      { access, gone }: Poll,
      { wait }: ParameterValues,
      read: (cursor?: string) => Promise<Result>,
    ): Promise<Result> {
      const key = await access.recognise();
      if (!key) throw new Error('A request waits without a key.');
      const over = new AbortController();
      const end = () => over.abort();
      if (counts.of(key.id) >= MOST_POLLS) throw tooMany();
      counts.add(key.id, 1);
      const timer = setTimeout(end, Number(wait) * 1_000);
      const unfollow = followSignal(gone, end);
      open.add(over);
      try {
        if (hasEnded) end();
        let result = await read();
        await access.granted(); // Nobody waits whom the quota refuses.
        for (let isFirst = true; isEmpty(result); isFirst = false) {
          if (!isFirst) await pause(PAUSE_MS, undefined, { signal: over.signal }).catch(() => {});
          const { nextCursor } = pageOf(result);
          const grown = await head.waitBeyond(decodeChangesCursor(nextCursor) ?? 0n, over.signal);
          if (grown === undefined) break;
          result = await read(nextCursor);
        }
        return result;
      } finally {
        clearTimeout(timer);
        unfollow();
        open.delete(over);
        counts.add(key.id, -1);
      }
    },
    /** Ends all polls with the page that they have, and from now on each new one. */
    end(): void {
      hasEnded = true;
      for (const over of open) over.abort();
    },
  };
}

const pageOf = ({ body }: Result) => (body as { page: { nextCursor: string; hasMore: boolean } }).page;

/** Whether a page is empty because the client has read everything. */
const isEmpty = (result: Result): boolean =>
  (result.body as { data: unknown[] }).data.length === 0 && !pageOf(result).hasMore;

const tooMany = () =>
  new Problem(
    'too_many_polls',
    `The key has ${MOST_POLLS} requests that wait for changes on this instance: end one, or ask without \`wait\`.`,
    { headers: { 'Retry-After': '5' } },
  );
