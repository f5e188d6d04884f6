/** The rows that are imports: a feed into an empty database, and the same feed again. */
import { join } from 'node:path';
import { temporaryDatabase } from '../databases.ts';
import { writeFeed } from '../feeds.ts';
import { pda } from '../pda.ts';
import { type Sample, sumOf } from './verdict.ts';
import type { Order, Take, Version } from './versions.ts';

// An import of the same feed takes about a second, too short for a single sample.
const REPETITIONS = 3;

/** The names of the rows. */
export const IMPORTS = ['import, new products', 'import, the same again'] as const;

/** A file with a feed of so many items. */
export interface Feed {
  path: string;
  items: number;
}

/** Writes the feed that all runs import. */
export async function makeFeed(folder: string, items: number): Promise<Feed> {
  const path = join(folder, 'feed.tsv');
  await writeFeed(path, items, 1);
  return { path, items };
}

/** Measures imports once. */
export async function measureImports(server: string, order: Order, feed: Feed, take: Take): Promise<void> {
  for (const version of order) {
    const { url, drop } = await temporaryDatabase(server);
    try {
      await pda(['migrate'], { DATABASE_URL: url }, version.folder);
      await importRepeatedly(version, url, feed, take);
    } finally {
      await drop();
    }
  }
}

async function importRepeatedly(version: Version, url: string, { path, items }: Feed, take: Take): Promise<void> {
  const [first, again] = IMPORTS;
  const importOnce = async (): Promise<Sample> => {
    const words = ['import', path, '--merchant', 'One'];
    const { seconds } = await pda(words, { DATABASE_URL: url }, version.folder);
    // Much of the work is the database's, and its session ends with the command: without its CPU time, speed decides.
    return { count: items, seconds, cpuSeconds: undefined };
  };
  take({ name: first, unit: 'offers/s' }, version, await importOnce());
  const repeated: Sample[] = [];
  for (let n = 0; n < REPETITIONS; n += 1) repeated.push(await importOnce());
  take({ name: again, unit: 'offers/s' }, version, sumOf(repeated));
}
