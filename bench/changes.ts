/**
 * Hot lookups while the catalogue changes: rounds without imports and rounds with four delta feeds of ten offers a second take turns, so that
 * other work on the machine affects both equally.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '../src/database/database.ts';
import { importFeed } from '../src/import/import-feed.ts';
import type { BenchCatalogue } from './catalogue.ts';
import { note } from './figures.ts';
import { drive, makeTraffic } from './load.ts';
import { lookupsOf, pickHot } from './lookup-requests.ts';
import type { Effort } from './lookups.ts';
import { median } from './quantile.ts';
import { installPeers, startOurs } from './servers.ts';

// All connections at once would meet a server whose pool is not open yet.
const SETTLE_MS = 3_000;
const WARM_SECONDS = 8;
const EVERY_MS = 250;
const OFFERS = 10;
const CONNECTIONS = 64;
export const MARKET = { currency: 'EUR', country: 'DE' };

export interface ListedOffer {
  merchant: string;
  sku: string;
  title: string;
  gtin: string;
}

/** Measures the rate of hot lookups during imports, relative to the rate without. */
export async function measureChanges(
  catalogue: BenchCatalogue,
  folder: string,
  { rounds, seconds }: Omit<Effort, 'connections'>,
): Promise<void> {
  installPeers(); // For the load generator.
  const offers = await readOffers(catalogue.database);
  const lastRun = await readLastRun(catalogue);
  const traffic = makeTraffic(folder, 'changes', lookupsOf(catalogue, pickHot(catalogue.gtins)));
  const { address, stop } = await startOurs('ours', catalogue.url);
  const round = async (length: number) =>
    (await drive({ address, connections: CONNECTIONS, seconds: length }, traffic)).rate;
  await setTimeout(SETTLE_MS);
  await round(WARM_SECONDS);
  const ratios: number[] = [];
  let imports = 0;
  for (let n = 0; n < rounds; n += 1) {
    const quiet = await round(seconds);
    const importing = startImports(catalogue, folder, offers);
    const changing = await round(seconds);
    imports += await importing.stop();
    ratios.push(changing / quiet);
  }
  await stop();
  // The next run takes the catalogue for complete if it has only its first imports.
  await catalogue.database.query('DELETE FROM import_run WHERE id > $1::bigint', [lastRun]);
  note('lookup, hot, during imports: delta feeds of ten offers', imports / (rounds * seconds), 'per second');
  note('lookup, hot, during imports: relative to the rate without', median(ratios), '×', 0.9);
}

/** Imports delta feeds with new prices of random offers, one shop at a time. `stop` returns how many. */
function startImports({ database }: BenchCatalogue, folder: string, offers: readonly ListedOffer[]) {
  let isStopped = false;
  let imports = 0;
  const work = async () => {
    for (let at = performance.now(); !isStopped; at += EVERY_MS) {
      const { feed, merchant } = deltaOf(offers, folder);
      await importFeed(database, MARKET, { feed, merchant, mode: 'delta', observedAt: new Date() });
      imports += 1;
      await setTimeout(Math.max(0, at + EVERY_MS - performance.now()));
    }
  };
  const working = work();
  return {
    async stop() {
      isStopped = true;
      await working;
      return imports;
    },
  };
}

/** Writes a delta feed with new prices of ten random offers of one shop. */
export function deltaOf(offers: readonly ListedOffer[], folder: string): { feed: string; merchant: string } {
  const feed = join(folder, 'delta.jsonl');
  const { merchant } = anyOf(offers);
  const ofShop = offers.filter((offer) => offer.merchant === merchant);
  const chosen = new Map(Array.from({ length: OFFERS }, () => anyOf(ofShop)).map((offer) => [offer.sku, offer]));
  writeFileSync(feed, [...chosen.values()].map((offer) => `${JSON.stringify(rowOf(offer))}\n`).join(''));
  return { feed, merchant };
}

const rowOf = ({ sku, title, gtin }: ListedOffer) => ({
  id: sku,
  title,
  gtin,
  link: `https://shop.example/${sku}`,
  price: `${(1 + Math.random() * 999).toFixed(2)} EUR`,
  availability: 'in stock',
});

const anyOf = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

async function readLastRun({ database }: BenchCatalogue): Promise<bigint> {
  const [row] = await database.query<{ id: bigint }>('SELECT max(id) AS id FROM import_run');
  return row?.id ?? 0n;
}

/** Reads some thousand listed offers. */
export const readOffers = (database: Database) =>
  database.query<ListedOffer>(
    `SELECT merchant.name AS merchant, offer.sku, product.name AS title, identifier.value AS gtin
     FROM (SELECT * FROM offer WHERE withdrawn_at IS NULL ORDER BY md5(sku) LIMIT 5000) AS offer
     JOIN merchant ON merchant.id = offer.merchant_id
     JOIN product ON product.id = offer.product_id
     JOIN product_identifier AS identifier ON identifier.product_id = product.id AND identifier.kind = 'gtin'`,
  );
