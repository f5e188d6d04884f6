/**
 * Imports the past of the demo catalogue in the background, a feed at a time, the oldest first. What was imported is known from the runs that
 * each import records, so a process that was killed leaves nothing behind, and the next one continues.
 */
import type { Database } from '../database/database.ts';
import { ImportGivenUp } from '../import/import-request.ts';
import { demoFeeds, importDemoFeed, missingFeeds } from './feeds.ts';
import type { OnFeed } from './log-progress.ts';

const PAUSES = {
  /** The pause before the first feed. */
  firstMs: 500,
  /** The pause after another process has imported the feed: that one goes on, and this one continues only if it ends. */
  standbyMs: 5_000,
  failedMs: 10_000,
};

/** Receives what happens, for the log. */
export interface PastObserver {
  onFeed: OnFeed;
  /** An import failed and is retried. */
  onFailure(error: unknown): void;
}

/** Starts importing; ends when the database lacks nothing, or lacks a feed of the present, because then it has no demo. */
export function startPast(database: Database, { onFeed, onFailure }: PastObserver, pauses = PAUSES) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const all = demoFeeds(new Date()).past.length;
  let running: Promise<void> = Promise.resolve();
  let timer = startTimer(pauses.firstMs);

  function startTimer(pauseMs: number) {
    return setTimeout(() => {
      running = step();
    }, pauseMs).unref();
  }

  async function step(): Promise<void> {
    let pauseMs: number | undefined = pauses.failedMs;
    try {
      pauseMs = await importNext();
    } catch (error) {
      if (!signal.aborted) onFailure(error);
    }
    if (pauseMs !== undefined && !signal.aborted) timer = startTimer(pauseMs);
  }

  /** @returns the pause before the next feed; `undefined` after the last one. */
  async function importNext(): Promise<number | undefined> {
    const { present, past } = await missingFeeds(database, new Date());
    const [feed] = past;
    if (!feed || present.length > 0) return undefined;
    if (!(await importDemoFeed(database, feed, { isInBackground: true, signal }))) return pauses.standbyMs;
    onFeed(all - past.length + 1, all);
    return 0;
  }

  return {
    /** Imports no more feeds, and waits for the one that is being written. */
    async stop(): Promise<void> {
      clearTimeout(timer);
      stopping.abort(new ImportGivenUp('The server stops.'));
      await running;
    },
  };
}
