/** The report to a shop in a real browser: at two widths, light and dark, with the keyboard, and without JavaScript. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectUsable, focusByTab, isFocused, openBrowser, WINDOWS } from '../harness/browser.ts';
import { feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { addReportedFeed } from '../harness/reported-feed.ts';

const EANS = ['4006381333931', '4006381333948'] as const;

const bad = (rows: number) => Array.from({ length: rows }, (_, index) => feedRow({ id: `b${index}`, price: 'free' }));

/** Saves what the page looks like, for people who want to see it. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/report-${name}.png`, fullPage: true });
}

const gateway = await forFile(startTestGateway());
const { database } = gateway;
await gateway.importRows('Rival', [
  feedRow({ id: '1', title: 'A rather long name of a product', gtin: EANS[0], asin: 'B0DEMO0001', price: '9 EUR' }),
  feedRow({ id: '2', gtin: EANS[1], asin: 'B0DEMO0002', price: '20 EUR' }),
]);
const feed = await addReportedFeed(database, 'Haus & Garten <Versand> \u202eGmbH', { failures: 1 });
const good = Array.from({ length: 60 }, (_, index) => feedRow({ id: `g${index}`, brand: 'Ada', price: '12 EUR' }));
await feed.run([
  ...good,
  feedRow({ id: 'torn', gtin: EANS[0], asin: 'B0DEMO0002' }),
  feedRow({ id: 'x'.repeat(120), availability: 'y'.repeat(200) }),
  ...Array.from({ length: 21 }, (_, index) => feedRow({ id: `free-${index}`, price: 'free' })),
]);
for (const outcome of ['unchanged', 'unchanged', 'unchanged']) await feed.addRun(outcome);
await feed.run([...good, feedRow({ id: 'torn', gtin: EANS[0], asin: 'B0DEMO0002' }), ...bad(25)]);
await feed.addRun('broken', `line 249: the feed ends within <item>${'z'.repeat(150)}`);
await database.query(
  `INSERT INTO merchant_click (merchant_id, day, count)
     SELECT feed.merchant_id, current_date - days, 3 + days FROM feed, generate_series(0, 28) AS days WHERE id = $1`,
  [feed.id],
);
const browser = await forFile(openBrowser(gateway.address));

describe.each(WINDOWS)('on %s', (where, window) => {
  test('all of it can be read', async () => {
    const page = await browser.visit(feed.path, window);
    await page.getByRole('heading', { level: 1, name: 'Haus & Garten <Versand> \\u202eGmbH' }).waitFor();
    const runs = page.getByRole('img', { name: /^The rows of the last 6 runs, 1 of which failed\./ });
    // Of the two sizes of each chart, one is shown.
    expect(await runs.count()).toBe(1);
    expect(await page.getByRole('img', { name: /^Clicks by day/ }).count()).toBe(1);
    expect((await runs.boundingBox())?.width).toBeGreaterThan(300);
    for (const summary of await page.locator('summary').all()) await summary.click();
    await keepPicture(page, `${where.replace(/\W+/g, '-')}`);
    expect(await page.getByRole('region', { name: 'Rows rejected for invalid_price' }).isVisible()).toBe(true);
    expect(await page.getByRole('row', { name: /^GTIN .*0 of 60/ }).isVisible()).toBe(true);
    await expectUsable(page);
  });

  test('without JavaScript, the keyboard alone opens the tables and follows the links', async () => {
    const page = await browser.visit(feed.path, { ...window, javaScriptEnabled: false });
    const table = page.getByRole('region', { name: 'Runs' });
    expect(await table.isVisible()).toBe(false);
    await focusByTab(page, page.getByText('Runs as a table'));
    await page.keyboard.press('Enter');
    await table.waitFor();
    expect(await table.getByRole('row').count()).toBe(7);
    // What scrolls sideways can be reached, too.
    await page.keyboard.press('Tab');
    expect(await isFocused(table)).toBe(true);
    const product = page.getByRole('link', { name: 'a-rather-long-name-of-a-product' });
    await focusByTab(page, product);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'A rather long name of a product' }).waitFor();
  });

  test('an address without a report says so', async () => {
    const path = `/feeds/${'x'.repeat(43)}`;
    const page = await browser.visit(path, { ...window, expects: /status of 404/ });
    await page.getByRole('heading', { name: 'Report not found' }).waitFor();
    await expectUsable(page);
  });
});
