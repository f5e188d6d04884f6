/** The rows that are imports: a feed into an empty database, and the same feed again. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDatabase } from '../databases.ts';
import { writeFeed } from '../feeds.ts';
import { pda } from '../pda.ts';
import { type Sample, sumOf } from './verdict.ts';
import type { Order, Take, Version } from './versions.ts';

// On PostgreSQL an import of the same feed takes about a second, too short for a single sample.
const REPETITIONS = { postgres: 3, embedded: 1 };

/** The names of the rows, by the home of the data. */
export const IMPORTS = {
  postgres: ['import, new products', 'import, the same again'],
  embedded: ['embedded import, new products', 'embedded import, the same again'],
} as const;

/** Feeds of so many items in files of a folder. */
export interface Feeds {
  folder: string;
  feed: string;
  items: number;
}

/** Writes the feed that all runs import. @param folder for it, and for embedded databases. */
export async function makeFeed(folder: string, items: number): Promise<Feeds> {
  const feed = join(folder, `feed-${items}.tsv`);
  await writeFeed(feed, items, 1);
  return { folder, feed, items };
}

/** Measures imports into PostgreSQL once. */
export async function measureImports(server: string, order: Order, feeds: Feeds, take: Take): Promise<void> {
  for (const version of order) {
    const { url, drop } = await temporaryDatabase(server);
    try {
      await pda(['migrate'], { DATABASE_URL: url }, version.folder);
      // Much of the work is the database's, and its session ends with the command: without its CPU time, speed decides.
      await importRepeatedly('postgres', version, { DATABASE_URL: url }, feeds, (row, of, sample) =>
        take(row, of, { ...sample, cpuSeconds: undefined }),
      );
    } finally {
      await drop();
    }
  }
}

/** Migrates an empty embedded database of each version, which every run copies. */
export async function makeEmbedded(order: Order, { folder }: Feeds): Promise<void> {
  for (const { name, folder: built } of order)
    await pda(['migrate'], { DATA_DIR: join(folder, `empty-${name}`) }, built);
}

/** Measures imports into the embedded database once. */
export async function measureEmbeddedImports(order: Order, feeds: Feeds, take: Take): Promise<void> {
  const data = join(feeds.folder, 'data');
  for (const version of order) {
    cpSync(join(feeds.folder, `empty-${version.name}`), data, { recursive: true });
    await importRepeatedly('embedded', version, { DATA_DIR: data }, feeds, take);
    rmSync(data, { recursive: true });
  }
}

async function importRepeatedly(
  home: keyof typeof IMPORTS,
  version: Version,
  environment: Record<string, string>,
  { feed, items }: Feeds,
  take: Take,
): Promise<void> {
  const [first, again] = IMPORTS[home];
  const importOnce = async () => {
    const { seconds, cpuSeconds } = await pda(['import', feed, '--merchant', 'One'], environment, version.folder);
    return { count: items, seconds, cpuSeconds };
  };
  take({ name: first, unit: 'offers/s' }, version, await importOnce());
  const repeated: Sample[] = [];
  for (let n = 0; n < REPETITIONS[home]; n += 1) repeated.push(await importOnce());
  take({ name: again, unit: 'offers/s' }, version, sumOf(repeated));
}
