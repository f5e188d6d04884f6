/** GraphiQL in a real browser: an example is run with a key, which is not lost; at the width of a desk and of a phone. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { feedRow, startTestGateway, type TestGateway } from '../harness/gateway.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

const SIZES = [
  ['a desk', { width: 1280, height: 800 }],
  ['a phone', { width: 390, height: 844 }],
] as const;

describe.skipIf(CHROMIUM === undefined)('GraphiQL (install Chromium to run these)', () => {
  let browser: Browser;
  let gateway: TestGateway;
  let key: string;
  beforeAll(async () => {
    gateway = await startTestGateway();
    await gateway.importRows('Shop', [feedRow({ id: 'a', title: 'Marker', gtin: '4006381333931', price: '2.50 EUR' })]);
    ({ key } = await gateway.makeKey('pro'));
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  /** A page of a new visitor, and what went wrong on it. */
  async function visit(viewport: { width: number; height: number }): Promise<{ page: Page; faults: string[] }> {
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      const isOwn = request.url().startsWith(`${gateway.address}/`) || /^(data|blob):/.test(request.url());
      if (!isOwn) faults.push(`A request left for ${request.url()}`);
    });
    await page.goto(`${gateway.address}/graphql`);
    return { page, faults };
  }

  const answer = (page: Page) => page.locator('.graphiql-response .view-lines');
  const run = (page: Page) => page.getByRole('button', { name: /^Execute query/ }).click();

  test.each(SIZES)('runs its examples with a key that is typed once, on %s', async (_where, viewport) => {
    const { page, faults } = await visit(viewport);
    await page.locator('.graphiql-query-editor', { hasText: 'Welcome' }).waitFor();
    expect(await page.getByRole('tab').allInnerTexts()).toEqual([
      'Lookup',
      'SearchWithFacets',
      'PriceHistoryOfTheCheapest',
      'ManyLookups',
      'LivePrices',
    ]);

    const headers = page.locator('.graphiql-editor-tool .view-lines').filter({ hasText: 'x-api-key' });
    await headers.click();
    // Between the quotes of the second line.
    for (const pressed of ['Control+Home', 'ArrowDown', 'End', 'ArrowLeft']) await page.keyboard.press(pressed);
    await page.keyboard.insertText(key);
    await run(page);
    await answer(page).filter({ hasText: 'Marker' }).waitFor();

    await page.reload();
    await page.locator('.graphiql-editor-tool .view-lines').filter({ hasText: key }).waitFor();
    expect(await page.getByRole('tab').count()).toBe(5);
    expect(new URL(page.url()).search).toBe('');

    await page.getByRole('tab', { name: 'ManyLookups' }).click();
    await page.locator('.graphiql-query-editor', { hasText: 'ManyLookups' }).waitFor();
    await run(page);
    await answer(page).filter({ hasText: 'lookups' }).waitFor();
    await page.context().close();
    expect(faults).toEqual([]);
  });

  test('shows prices as they change', async () => {
    const { page, faults } = await visit(SIZES[0][1]);
    const query = 'subscription { priceChanged(productIds: ["marker"]) { previousMin min } }';
    await page.goto(`${gateway.address}/graphql?query=${encodeURIComponent(query)}`);
    await page.evaluate((typed) => localStorage.setItem('product-data-api:key', typed), key);
    const opened = page.waitForResponse(
      (response) => response.headers()['content-type']?.startsWith('text/event-stream') ?? false,
    );
    await page.locator('.graphiql-query-editor', { hasText: 'priceChanged' }).waitFor();
    await run(page);
    await opened;
    await gateway.importRows('Shop', [feedRow({ id: 'a', title: 'Marker', gtin: '4006381333931', price: '1.75 EUR' })]);
    await answer(page).filter({ hasText: '1.75' }).waitFor();
    await page.context().close();
    expect(faults).toEqual([]);
  });

  test.each(
    SIZES,
  )('has its whole height below the menu, and nothing to be moved sideways, on %s', async (_where, viewport) => {
    const { page } = await visit(viewport);
    await page.locator('.graphiql-response').waitFor();
    const box = await page.locator('.graphiql-response').boundingBox();
    expect(box?.width).toBeGreaterThan(300);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
    await page.context().close();
  });
});
