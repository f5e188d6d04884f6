/** The console in a real browser: at two widths, light and dark, with the keyboard, and without JavaScript. */
import type { BrowserContext, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { makeLink } from '../../src/console/sessions.ts';
import { encodeId } from '../../src/values/id.ts';
import { barriers, overhang, WINDOWS } from '../harness/browser.ts';
import { CHROMIUM } from '../harness/chromium.ts';
import { feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { addReportedFeed } from '../harness/reported-feed.ts';

const SHOP = 'مرحبا بالعالم <b>Haus & Garten</b> \u202eGmbH';

let state: Awaited<ReturnType<BrowserContext['storageState']>>;
const pages: string[] = ['/console', '/console?days=90', '/console/feeds', '/console/shops', '/console/audit'];
const gateway = await forFile(startTestGateway({ CONSOLE: 'on', RATE_LIMIT_PUBLIC: '100000' }));
const { database } = gateway;
const feed = await addReportedFeed(database, SHOP, { failures: 3, needs_confirmation_at: new Date() });
const rows = Array.from({ length: 30 }, (_, index) => feedRow({ id: `a${index}`, brand: 'Ada' }));
await feed.run([...rows, feedRow({ id: 'x'.repeat(120), price: 'free' })]);
await feed.addRun('refused', `The feed would withdraw 30 offers: ${'long '.repeat(40)}${'w'.repeat(120)}`);
await addReportedFeed(database, 'Paused shop', { paused_at: new Date() });
await gateway.importRows('Old shop', rows, { observedAt: new Date(Date.now() - 6 * 86_400_000) });
await database.query(
  `INSERT INTO traffic_day
     SELECT current_date - day, face, outcome, bucket, (1 + (day * 7 + bucket) % 5) * size
     FROM generate_series(0, 40) AS day, generate_series(0, 6) AS bucket,
          (VALUES ('rest', 'served', 2000), ('graphql', 'served', 700), ('mcp', 'served', 90), ('page', 'served', 300),
                  ('rest', 'rate', 40), ('rest', 'unauthorized', 9), ('graphql', 'error', 1)) AS kind (face, outcome, size)
     WHERE day <> 5`,
);
const path = `/console/feeds/${encodeId('feed', feed.id)}`;
pages.push(path);
const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
afterAll(() => browser?.close());

/** The parts of an element that these tests read in the browser, whose types are not loaded here. */
interface Measured {
  scrollWidth: number;
  clientWidth: number;
  getBoundingClientRect(): { height: number };
}

/** Saves what the page looks like, for people who want to see it. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/console-${name}.png`, fullPage: true });
}

const linkOf = async () => `${gateway.address}/console/sign-in?token=${(await makeLink(gateway.database)).token}`;
const focused = (page: Page) =>
  page.evaluate(
    'document.activeElement.innerText?.trim() || document.activeElement.getAttribute("aria-label") || document.activeElement.name',
  );
/** Moves the focus forward to an element. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await focused(page)) === name) return;
  }
  throw new Error(`The keyboard does not reach ${name}.`);
}

test('the keyboard alone signs in, finds a feed, pauses it and signs out, on pages without scripts', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const scripts: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
  await page.goto(await linkOf());
  expect(await barriers(page)).toEqual([]);
  await tabTo(page, 'Sign in');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${gateway.address}/console`);
  await tabTo(page, 'Feeds and shops');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${gateway.address}/console/feeds`);
  await tabTo(page, 'Paused shop');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Paused shop' }).waitFor();
  await tabTo(page, 'Resume');
  await page.keyboard.press('Enter');
  await page.getByRole('status').waitFor();
  expect(await page.getByRole('status').innerText()).toBe('The feed is pulled again.');
  await tabTo(page, 'Pause');
  await page.keyboard.press('Enter');
  await page.getByText('The feed is paused.').waitFor();
  // The cookie is out of reach of scripts.
  expect(await page.evaluate('document.cookie')).toBe('');
  await tabTo(page, 'Sign out');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${gateway.address}/console/sign-in`);
  expect(await barriers(page)).toEqual([]);
  await page.goto(`${gateway.address}/console`);
  await page.getByText('You are not signed in').waitFor();
  // No page has a script that could have helped.
  expect(scripts).toEqual([]);
  await context.close();
});

test('a link signs in with JavaScript disabled, and a form of another site does nothing', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(await linkOf());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  state = await context.storageState();
  // A page of another site that knows the path, but neither the cookie nor the token.
  const foreign = await context.newPage();
  await foreign.route('http://foreign.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" action="${gateway.address}/console/sign-out"><button>Win</button></form>`,
    }),
  );
  await foreign.goto('http://foreign.example/');
  await foreign.getByRole('button').click();
  await foreign.waitForURL(/console\/sign-in$/);
  await page.reload();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Overview');
  await context.close();
});

describe.each(WINDOWS)('on %s', (where, window) => {
  test('every page can be read', async () => {
    const context = await browser.newContext({ ...window, storageState: state });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => request.url().startsWith(`${gateway.address}/`) || faults.push(request.url()));
    for (const path of pages) {
      await page.goto(gateway.address + path);
      expect([path, await page.getByRole('button', { name: 'Sign out' }).isVisible()]).toEqual([path, true]);
      expect([path, await barriers(page)]).toEqual([path, []]);
      expect([path, await overhang(page)]).toEqual([path, 0]);
      await keepPicture(page, `${path.replace(/\W+/g, '-')}-${where.replace(/\W+/g, '-')}`);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test('no figure of the overview is cut, and its charts have bars', async () => {
    const context = await browser.newContext({ ...window, storageState: state });
    const page = await context.newPage();
    await page.goto(`${gateway.address}/console`);
    for (const name of ['All 30 days by interface', 'Shops by their last feed']) {
      const table = page.getByRole('region', { name });
      expect(await table.evaluate(({ scrollWidth, clientWidth }: Measured) => scrollWidth - clientWidth)).toBe(0);
    }
    const chart = page.getByRole('img', { name: /^Requests by interface, / });
    const bars = await chart
      .locator('rect.first')
      .evaluateAll((each: Measured[]) => each.map((bar) => bar.getBoundingClientRect().height));
    expect(bars.filter((height) => height > 3)).toHaveLength(29); // A day had no requests.
    expect((await chart.boundingBox())?.width).toBeGreaterThan(window.viewport.width * 0.7);
    await context.close();
  });
});
