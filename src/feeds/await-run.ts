/** Waits until a gateway has run a feed. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { FeedInvalid } from './feed-invalid.ts';
import type { FeedRunRecord } from './feed-record.ts';
import { readFeed } from './feeds.ts';

const LOOK_MS = 250;
const START_MS = 60_000;

/**
 * Makes a feed due with `start`, and waits for the end of the next run.
 * @throws {FeedInvalid} when no gateway starts it within a minute, or the feed is paused meanwhile.
 */
export async function awaitRun(database: Database, id: string, start: () => Promise<unknown>): Promise<FeedRunRecord> {
  const known = new Set((await readFeed(database, id, 1)).runs.map((run) => run.id));
  await start();
  const deadline = Date.now() + START_MS;
  for (;;) {
    const feed = await readFeed(database, id, 1);
    const [newest] = feed.runs;
    const isNew = newest !== undefined && !known.has(newest.id);
    // A run that was taken over has a successor.
    if (isNew && newest.finishedAt && newest.outcome !== 'superseded') return newest;
    if (feed.state !== 'running' && Date.now() > deadline) {
      throw new FeedInvalid(`No server has pulled feed ${id} within a minute: check that one runs, with FEEDS=on.`);
    }
    await pause(LOOK_MS);
  }
}
