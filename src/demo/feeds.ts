/** The feeds of the demo catalogue. Those of today are all that lookups need; those of its past only add the history of prices. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Database, Queryable } from '../database/database.ts';
import { importFeed } from '../import/import-feed.ts';
import { ImportGivenUp, type ImportRequest } from '../import/import-request.ts';
import { packageRoot } from '../package-root.ts';
import { DAY_MS } from '../values/day.ts';
import { DEMO_MARKET } from './may-have-demo.ts';

const Manifest = z.object({
  taxonomy: z.string(),
  shops: z.array(
    z.object({
      merchant: z.string(),
      url: z.string(),
      feeds: z.array(z.object({ file: z.string(), daysAgo: z.number().int().min(0), delta: z.boolean() })),
    }),
  ),
});

/** A feed of the demo, as it is imported. */
export type DemoFeed = Pick<ImportRequest, 'feed' | 'merchant' | 'merchantUrl' | 'mode' | 'observedAt'>;

/** Feeds in the order in which they are imported. */
export interface DemoFeeds {
  present: DemoFeed[];
  /** The oldest feed first. */
  past: DemoFeed[];
}

/** The address of a file of the demo. */
export const demoFile = (name: string): string => join(packageRoot(), 'demo', name);

/** The list of the demo's shops, their feeds, and the file of the categories. */
export const readManifest = () => Manifest.parse(JSON.parse(readFileSync(demoFile('manifest.json'), 'utf8')));

/** All feeds of the demo. @param now the time of the newest ones. */
export function demoFeeds(now: Date): DemoFeeds {
  const feeds = readManifest().shops.flatMap(({ merchant, url, feeds: each }) =>
    each.map(({ file, daysAgo, delta }) => ({
      feed: demoFile(file),
      merchant,
      merchantUrl: url,
      mode: delta ? ('delta' as const) : ('full' as const),
      observedAt: new Date(now.getTime() - daysAgo * DAY_MS),
    })),
  );
  const isPresent = ({ observedAt }: DemoFeed) => observedAt.getTime() === now.getTime();
  return {
    present: feeds.filter(isPresent),
    past: feeds
      .filter((feed) => !isPresent(feed))
      .sort((one, other) => one.observedAt.getTime() - other.observedAt.getTime()),
  };
}

/**
 * The feeds of the demo that a database lacks. The first one that was imported is one of the present, so its time is that of the newest feeds.
 * @param now the time of the newest feeds if none was imported.
 */
export async function missingFeeds(database: Queryable, now: Date): Promise<DemoFeeds> {
  const shops = readManifest().shops.map(({ merchant }) => merchant);
  const imported = await database.query<{ merchant: string; observedAt: Date }>(IMPORTED, [shops], { isCurrent: true });
  const known = new Set(imported.map(nameOf));
  const isMissing = (feed: DemoFeed) => !known.has(nameOf(feed));
  const { present, past } = demoFeeds(imported[0]?.observedAt ?? now);
  return { present: present.filter(isMissing), past: past.filter(isMissing) };
}

const nameOf = ({ merchant, observedAt }: Pick<DemoFeed, 'merchant' | 'observedAt'>) =>
  `${observedAt.getTime()} ${merchant}`;

// By the unique index on merchant (name) and the index on import_run (merchant_id, mode, observed_at).
const IMPORTED = `
  SELECT merchant.name AS merchant, import_run.observed_at AS "observedAt"
  FROM import_run
  JOIN merchant ON merchant.id = import_run.merchant_id
  WHERE merchant.name = ANY ($1::text[])
  ORDER BY import_run.id`;

/** Imports a feed of the demo, once in a database. @returns false if another process has imported it meanwhile. */
export async function importDemoFeed(
  database: Database,
  feed: DemoFeed,
  options: Pick<ImportRequest, 'isInBackground' | 'signal'> = {},
): Promise<boolean> {
  let isOurs = true;
  const request: ImportRequest = {
    ...feed,
    ...options,
    async onRecorded(transaction, { merchantId, runId }) {
      const [other] = await transaction.query(OTHER_RUN, [merchantId, feed.mode, feed.observedAt, runId]);
      if (!other) return;
      isOurs = false;
      throw new ImportGivenUp('Another process has imported the feed.');
    },
  };
  await importFeed(database, DEMO_MARKET, request).catch((error: unknown) => {
    if (isOurs) throw error;
  });
  return isOurs;
}

// By the index on import_run (merchant_id, mode, observed_at).
const OTHER_RUN = `
  SELECT id
  FROM import_run
  WHERE merchant_id = $1 AND mode = $2::text::import_mode AND observed_at = $3::timestamptz AND id <> $4::bigint`;
