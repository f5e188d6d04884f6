/**
 * Delivery of webhook messages: an import changes the lowest prices of many products, and one receiver is told of each. How long until
 * it has all messages, and how much longer lookups take that arrive meanwhile at a fixed rate.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { importFeed } from '../src/import/import-feed.ts';
import type { BenchCatalogue } from './catalogue.ts';
import { note } from './figures.ts';
import { lookupsOf } from './lookup-requests.ts';
import { driveOpen } from './open-load.ts';
import { quantile } from './quantile.ts';
import { startOurs } from './servers.ts';

const MESSAGES = 10_000;
const RATE = 300;
const CONNECTIONS = 32;
const SECONDS = 10;
const LONGEST_MS = 300_000;
const MARKET = { currency: 'EUR', country: 'DE' };

interface ListedOffer {
  merchant: string;
  slug: string;
  sku: string;
  title: string;
  gtin: string;
}

/** Measures deliveries, after an import of at most 10,000 new lowest prices of one shop. @param folder for the feed. */
export async function measureWebhooks(catalogue: BenchCatalogue, folder: string): Promise<void> {
  const received = new Set<string>();
  let firstAt = 0;
  let lastAt = 0;
  const receiver = createServer((incoming, outgoing) => {
    received.add(String(incoming.headers['webhook-id']));
    lastAt = performance.now();
    if (received.size === 1) firstAt = lastAt;
    incoming.resume().on('end', () => outgoing.writeHead(204).end());
  }).listen(0, '127.0.0.1');
  const { database, keys, gtins } = catalogue;
  const server = await startOurs('ours', catalogue.url, { WEBHOOKS_ALLOW_PRIVATE: 'true' });
  const requests = lookupsOf(catalogue, gtins);
  const drive = async () => {
    const load = { address: server.address, rate: RATE, seconds: SECONDS, connections: CONNECTIONS };
    return quantile((await driveOpen(load, requests)).times, 0.99);
  };
  const offers = await database.query<ListedOffer>(OFFERS, [MESSAGES]);
  const [{ merchant, slug } = { merchant: '', slug: '' }] = offers;
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const made = await fetch(`${server.address}/api/v1/webhooks`, {
    method: 'POST',
    headers: { 'x-api-key': keys[0] ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ url, kinds: ['price_changed'], filter: { merchant: slug } }),
  });
  if (made.status !== 201) throw new Error(`The webhook was refused: ${await made.text()}`);
  const [run] = await database.query<{ id: bigint }>('SELECT max(id) AS id FROM import_run');
  await drive();
  const quiet = await drive();

  const feed = join(folder, 'lower.jsonl');
  writeFileSync(feed, offers.map((offer) => `${JSON.stringify(rowOf(offer))}\n`).join(''));
  await importFeed(database, MARKET, { feed, merchant, mode: 'delta', observedAt: new Date() });
  const committedAt = performance.now();
  const busy = await drive();
  const giveUpAt = performance.now() + LONGEST_MS;
  while (received.size < offers.length && performance.now() < giveUpAt) await setTimeout(50);
  if (received.size < offers.length) throw new Error(`${received.size} of ${offers.length} messages arrived.`);
  await server.stop();
  receiver.close();
  await database.query('DELETE FROM webhook WHERE url = $1', [url]);
  // The next run takes the catalogue for complete if it has only its first imports.
  await database.query('DELETE FROM import_run WHERE id > $1::bigint', [run?.id ?? 0n]);

  // The first one may arrive before the import has returned.
  note('webhooks: first message after the commit', Math.max(0, firstAt - committedAt) / 1_000, 's', 2, true);
  note('webhooks: messages delivered', offers.length, 'messages');
  note(
    `webhooks: time for ${MESSAGES} messages`,
    ((lastAt - committedAt) / 1_000 / offers.length) * MESSAGES,
    's',
    60,
    true,
  );
  note('p99 of lookups during deliveries relative to quiet', busy / quiet, '×', 1.2, true);
}

const rowOf = ({ sku, title, gtin }: ListedOffer) => ({
  id: sku,
  title,
  gtin,
  link: `https://shop.example/${sku}`,
  price: `${(0.01 + Math.random() * 0.5).toFixed(2)} EUR`,
  availability: 'in stock',
});

// One offer each of the products of the shop with the most offers.
const OFFERS = `
  SELECT merchant.name AS merchant, merchant.slug, offer.sku, product.name AS title, identifier.value AS gtin
  FROM (SELECT id, name, slug FROM merchant ORDER BY offer_count DESC, id LIMIT 1) AS merchant
  JOIN LATERAL (
    SELECT DISTINCT ON (product_id) product_id, sku
    FROM offer
    WHERE offer.merchant_id = merchant.id AND withdrawn_at IS NULL
    ORDER BY product_id, id
  ) AS offer ON TRUE
  JOIN product ON product.id = offer.product_id
  JOIN product_identifier AS identifier ON identifier.product_id = product.id AND identifier.kind = 'gtin'
  LIMIT $1::int`;
