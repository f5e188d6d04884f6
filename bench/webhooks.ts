/**
 * Delivery of webhook messages: an import changes the lowest prices of many products, and one receiver is told of each. How long until
 * it has all messages, and how much longer lookups take that arrive meanwhile at a fixed rate.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { importFeed } from '../src/import/import-feed.ts';
import type { BenchCatalogue } from './catalogue.ts';
import { note } from './figures.ts';
import { lookupsOf } from './lookup-requests.ts';
import { driveOpen } from './open-load.ts';
import { pda } from './pda.ts';
import { median, quantile } from './quantile.ts';
import { startOurs } from './servers.ts';

const MESSAGES = 10_000;
const RATE = 300;
const CONNECTIONS = 32;
const SECONDS = 10;
const CALM_SECONDS = 20;
const SETTLE_SECONDS = 5;
const ROUNDS = 5;
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
  const { database, keys, gtins } = catalogue;
  const receiver = await startReceiver();
  const server = await startOurs('ours', catalogue.url, { WEBHOOKS_ALLOW_PRIVATE: 'true' });
  const requests = lookupsOf(catalogue, gtins);
  const drive = async (seconds = SECONDS) => {
    const load = { address: server.address, rate: RATE, seconds, connections: CONNECTIONS };
    return quantile((await driveOpen(load, requests)).times, 0.99);
  };
  const createWebhook = async (slug: string) => {
    const response = await fetch(`${server.address}/api/v1/webhooks`, {
      method: 'POST',
      headers: { 'x-api-key': keys[0] ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ url: receiver.url, kinds: ['price_changed'], filter: { merchant: slug } }),
    });
    if (!response.ok) throw new Error(`The webhook was refused: ${await response.text()}`);
    const { data } = (await response.json()) as { data: { id: string } };
    await pda(['webhooks', 'confirm', data.id], { DATABASE_URL: catalogue.url });
    return data;
  };
  const offers = await database.query<ListedOffer>(OFFERS, [MESSAGES]);
  const [{ merchant, slug } = { merchant: '', slug: '' }] = offers;
  const [run] = await database.query<{ id: bigint }>('SELECT max(id) AS id FROM import_run');
  const feed = join(folder, 'lower.jsonl');
  const importPrices = async (cents: number) => {
    writeFileSync(feed, offers.map((offer) => `${JSON.stringify(rowOf(offer, cents))}\n`).join(''));
    await importFeed(database, MARKET, { feed, merchant, mode: 'delta', observedAt: new Date() });
    return Date.now();
  };

  await drive();
  // The same import without a webhook, after which the lookups read their products anew, and the digest its prices.
  await importPrices(2);
  const withoutWebhook = await drive();
  await drive(CALM_SECONDS);

  const webhook = await createWebhook(slug);
  const committedAt = await importPrices(1);
  const withWebhook = await drive();
  await receiver.expect((seen) => seen.count >= offers.length);
  const { firstAt, lastAt } = receiver.seen();
  await drive(CALM_SECONDS);

  // The same messages again, without an import.
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await drive(SETTLE_SECONDS);
    const quiet = await drive();
    const before = receiver.seen().attempts;
    const from = new Date(committedAt - 60_000).toISOString();
    await pda(['webhooks', 'replay', webhook.id, '--from', from], { DATABASE_URL: catalogue.url });
    // The statements that make 10,000 messages due again are over, and only deliveries are measured.
    await drive(SETTLE_SECONDS);
    ratios.push((await drive()) / quiet);
    await receiver.expect((seen) => seen.attempts >= before + offers.length);
  }
  await server.stop();
  receiver.stop();
  await database.query('DELETE FROM webhook WHERE url = $1', [receiver.url]);
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
  note('p99 of lookups during deliveries relative to quiet', median(ratios), '×', 1.2, true);
  note('p99 of lookups after an import, with messages relative to without', withWebhook / withoutWebhook, '×');
}

interface Seen {
  count: number;
  attempts: number;
  /** Milliseconds of the epoch. */
  firstAt: number;
  lastAt: number;
}

/** Starts the receiver, in a process of its own. */
async function startReceiver() {
  const child = spawn(process.execPath, [join('bench', 'clients', 'webhook-receiver.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const [url] = (await once(lines, 'line')) as [string];
  let seen: Seen = { count: 0, attempts: 0, firstAt: 0, lastAt: 0 };
  lines.on('line', (line) => {
    seen = JSON.parse(line);
  });
  return {
    url,
    seen: () => seen,
    /** Waits until it has seen enough. */
    async expect(isEnough: (seen: Seen) => boolean): Promise<void> {
      const giveUpAt = performance.now() + LONGEST_MS;
      while (!isEnough(seen)) {
        if (performance.now() > giveUpAt) throw new Error(`Only ${seen.count} messages arrived.`);
        await setTimeout(50);
      }
    },
    stop: () => child.kill(),
  };
}

const rowOf = ({ sku, title, gtin }: ListedOffer, cents: number) => ({
  id: sku,
  title,
  gtin,
  link: `https://shop.example/${sku}`,
  price: `0.0${cents} EUR`,
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
