/** The demo catalogue as one imports archived feeds that one has in order: a reference for imports in another order. */
import type { Database } from '../../src/database/database.ts';
import { demoFeeds, demoFile } from '../../src/demo/feeds.ts';
import { DEMO_MARKET } from '../../src/demo/may-have-demo.ts';
import { importArticles } from '../../src/import/articles.ts';
import { importFeed } from '../../src/import/import-feed.ts';
import { importTaxonomy } from '../../src/import/taxonomy.ts';

/** Imports all feeds of the demo in the order of time. @param now the time of the newest ones. */
export async function importDemoInOrder(database: Database, now: Date): Promise<void> {
  await importTaxonomy(database, demoFile('taxonomy.txt'));
  const { past, present } = demoFeeds(now);
  for (const feed of [...past, ...present]) await importFeed(database, DEMO_MARKET, feed);
  await importArticles(database, demoFile('articles'));
}
