/**
 * Pulls due feeds in the background. Several are downloaded at once, and imports take turns, so that a slow server holds up no other feed.
 * A run renews its lease for as long as it takes; a process that dies leaves it to the next one.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, isUnavailable } from '../database/database.ts';
import { followSignal } from '../follow-signal.ts';
import { encodeId } from '../values/id.ts';
import { type ClaimedFeed, claimFeed, hasWork, RunLost, renewLease } from './claim.ts';
import { shownStored } from './feed-url.ts';
import { type Pulled, type PullOptions, pullFeed } from './pull-feed.ts';
import { releaseRun } from './record-run.ts';
import { deleteOldRuns } from './tidy-runs.ts';

/** The most feeds that a process downloads, or imports, at once. */
export const MOST_UNDER_WAY = 8;
/** The most of one host, so that a slow one leaves room for others. */
const MOST_OF_HOST = 2;

const IDLE_MS = 1_000;
const FAILED_MS = 5_000;
const TIDY_MS = 600_000;
/** How long a stop waits for runs to end. */
const GRACE_MS = 3_000;
// A lease is renewed often enough that two renewals may fail.
const RENEWALS_A_LEASE = 4;

/** Receives what happens, for the log. */
export interface PullObserver {
  onPulled(feed: { id: string; merchant: string; url: string; seconds: number }, pulled: Pulled): void;
  /** A step failed and is retried. */
  onFailure(error: unknown): void;
}

export interface PullerOptions extends Omit<PullOptions, 'inTurn'> {
  /** How long a run that is not heard of keeps its feed. */
  leaseSeconds: number;
  observer: PullObserver;
}

class Stopped extends Error {
  override name = 'Stopped';
}

/** Starts to pull. */
export function startPuller(database: Database, options: PullerOptions) {
  const { leaseSeconds, observer } = options;
  const stopped = new AbortController();
  const underWay = new Map<bigint, { feed: ClaimedFeed; end: Promise<void> }>();
  const inTurn = openTurns();
  let wake = () => {};
  let nextTidyAt = 0;
  let activeAt = performance.now();
  const looking = look();

  /** Looks for due feeds until the stop. */
  async function look(): Promise<void> {
    while (!stopped.signal.aborted) {
      const waitMs = await takeStep().catch((error: unknown) => {
        if (!stopped.signal.aborted) observer.onFailure(error);
        return FAILED_MS;
      });
      if (waitMs > 0) await rest(waitMs);
    }
  }

  /** @returns how long to wait before the next step. */
  async function takeStep(): Promise<number> {
    if (performance.now() >= nextTidyAt) {
      nextTidyAt = performance.now() + ((await deleteOldRuns(database)) ? 1_000 : TIDY_MS);
    }
    if (underWay.size >= MOST_UNDER_WAY) return IDLE_MS;
    if (!(await hasWork(database))) return IDLE_MS;
    const feeds = [...underWay.values()].map(({ feed: { id } }) => id);
    const feed = await claimFeed(database, leaseSeconds, { feeds, hosts: busyHosts() });
    if (!feed) return IDLE_MS;
    activeAt = performance.now();
    const end = pull(feed).finally(() => {
      underWay.delete(feed.runId);
      activeAt = performance.now();
      wake();
    });
    underWay.set(feed.runId, { feed, end });
    return 0;
  }

  function busyHosts(): string[] {
    const counts = new Map<string, number>();
    for (const { feed } of underWay.values()) counts.set(feed.host, (counts.get(feed.host) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= MOST_OF_HOST).map(([host]) => host);
  }

  /** Pulls a claimed feed. Never rejects. */
  async function pull(feed: ClaimedFeed): Promise<void> {
    const ending = new AbortController();
    const unfollow = followSignal(stopped.signal, (reason) => ending.abort(reason));
    const renewing = keepLease(feed, ending);
    const startedAt = performance.now();
    try {
      const pulled = await pullFeed(database, feed, { ...options, inTurn }, ending.signal);
      note(feed, startedAt, pulled);
    } catch (error) {
      if (error instanceof RunLost) note(feed, startedAt, { outcome: 'superseded', message: error.message });
      else if (error instanceof Stopped) await releaseRun(database, feed).catch(observer.onFailure);
      else observer.onFailure(error); // The outcome could not be recorded: the lease ends, and the feed is pulled again.
    } finally {
      unfollow();
      ending.abort();
      await renewing;
    }
  }

  function note(feed: ClaimedFeed, startedAt: number, pulled: Pulled): void {
    const seconds = Math.round(performance.now() - startedAt) / 1_000;
    const { merchant, url } = feed;
    observer.onPulled({ id: encodeId('feed', feed.id), merchant, url: shownStored(url), seconds }, pulled);
  }

  /** Renews the lease until the run ends, and ends the run if it is lost. */
  async function keepLease(feed: ClaimedFeed, ending: AbortController): Promise<void> {
    const { signal } = ending;
    for (;;) {
      await pause((leaseSeconds * 1_000) / RENEWALS_A_LEASE, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      await renewLease(database, feed, leaseSeconds).catch((error: unknown) => {
        if (error instanceof RunLost) ending.abort(error);
        else if (!isUnavailable(error)) observer.onFailure(error);
      });
    }
  }

  /** Waits, unless something happens. */
  async function rest(waitMs: number): Promise<void> {
    const awake = new AbortController();
    wake = () => awake.abort();
    const unfollow = followSignal(stopped.signal, wake);
    await pause(waitMs, undefined, { signal: awake.signal, ref: false }).catch(() => {});
    unfollow();
  }

  return {
    /** How long nothing has been due, in milliseconds; 0 while feeds are pulled. */
    idleMs: () => (underWay.size > 0 ? 0 : performance.now() - activeAt),
    /** Claims no more feeds, ends the runs and gives them back. Waits a moment for that. */
    async stop(): Promise<void> {
      stopped.abort(new Stopped());
      const ended = Promise.all([looking, ...[...underWay.values()].map(({ end }) => end)]);
      await Promise.race([ended, pause(GRACE_MS, undefined, { ref: false })]);
    },
  };
}

/** Lets works run one after the other, in the order of their calls. */
function openTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}
