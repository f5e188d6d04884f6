/**
 * Takes the pictures of the README: `npm run screenshots`. It needs the Chromium of the system (set
 * `CHROMIUM` to its path if it is not found).
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { readConfig } from '../src/config.ts';
import { makeLink } from '../src/console/sessions.ts';
import { importDemo } from '../src/demo/demo.ts';
import { startGateway } from '../src/gateway.ts';
import { digestAll } from '../src/ledger/digest/digest-step.ts';
import { CHROMIUM } from '../test/harness/chromium.ts';
import { openTemporary } from './open-temporary.ts';

const FOLDER = 'demo/screenshots';
const MOST_BYTES = 100_000;
// With few offers, so that the chart is near the top.
const PRODUCT = 'zephalo-air-14-laptop-32-gb-1-tb';
const SIZE = { width: 860, height: 620 };

const database = await openTemporary();
const { keys } = await importDemo(database);
await digestAll(database);
const gateway = await startGateway(readConfig({ PORT: '0', LOG_LEVEL: 'error', CONSOLE: 'on' }), database);
const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
// The pictures of the demo's shops do not exist, and no other server is asked.
await page.route(
  (url) => url.origin !== gateway.address,
  (route) => route.abort(),
);

mkdirSync(FOLDER, { recursive: true });

await page.goto(gateway.address);
await page.getByRole('combobox').pressSequentially('headph');
await page.getByRole('option').first().waitFor();
await take('front-page', page, { width: SIZE.width, height: 700 });

await page.goto(`${gateway.address}/products/${PRODUCT}`);
await take('product-page', page, { width: SIZE.width, height: 1_060 });

await makeTraffic();
const { token } = await makeLink(database);
await page.goto(`${gateway.address}/console/sign-in?token=${token}`);
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByRole('heading', { name: 'Overview' }).waitFor();
await imaginePast();
await page.reload();
await take('console', page);

await browser.close();
await gateway.stop();

/** Saves what the window shows. @throws if the picture is too large for the README. */
async function take(name: string, shown: Page, size = SIZE): Promise<void> {
  await shown.setViewportSize(size);
  const path = join(FOLDER, `${name}.png`);
  await shown.screenshot({ path, animations: 'disabled', caret: 'hide' });
  const { size: bytes } = statSync(path);
  if (bytes > MOST_BYTES)
    throw new Error(`${path} has ${bytes} bytes, more than ${MOST_BYTES}: make the window smaller.`);
  process.stdout.write(`${path}: ${Math.round(bytes / 1_000)} kB\n`);
}

/** Requests of several kinds, so that the console has something to show. */
async function makeTraffic(): Promise<void> {
  const key = keys.find(({ plan }) => plan === 'enterprise')?.key ?? '';
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const paths = [
    '/api/v1/products?q=headphones',
    '/api/v1/deals',
    '/api/v1/lookup?ean=4006381333931',
    '/api/v1/search?q=mark',
    `/products/${PRODUCT}`,
  ];
  const body = JSON.stringify({ query: '{ brands(first: 5) { nodes { name } } }' });
  for (let round = 0; round < 40; round += 1) {
    for (const path of paths) await (await fetch(gateway.address + path, { headers })).text();
    await (await fetch(`${gateway.address}/graphql`, { method: 'POST', headers, body })).text();
  }
}

/** Past days like today, more and less busy: the charts of the console would otherwise show one day. */
async function imaginePast(): Promise<void> {
  await database.query(
    `INSERT INTO traffic_day (day, face, outcome, bucket, count)
     SELECT day - ago, face, outcome, bucket, ceil(count * (0.55 + 0.2 * sin(ago * 0.9) + 0.01 * (30 - ago)))
     FROM traffic_day, generate_series(1, 29) AS ago
     ON CONFLICT DO NOTHING`,
  );
}
