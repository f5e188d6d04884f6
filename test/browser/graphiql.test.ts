/** GraphiQL in a real browser, on large and small screens: its examples run with a key, and the key survives a reload. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { barriers, openBrowser, overhang, type TestBrowser, WINDOWS } from '../harness/browser.ts';
import { feedRow, startTestGateway, type TestGateway } from '../harness/gateway.ts';

describe('GraphiQL', () => {
  let browser: TestBrowser;
  let gateway: TestGateway;
  let key: string;
  beforeAll(async () => {
    gateway = await startTestGateway();
    await gateway.importRows('Shop', [feedRow({ id: 'a', title: 'Marker', gtin: '4006381333931', price: '2.50 EUR' })]);
    ({ key } = await gateway.makeKey('pro'));
    browser = await openBrowser(gateway.address);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  const answer = (page: Page) => page.locator('.graphiql-response .view-lines');
  const run = (page: Page) => page.getByRole('button', { name: /^Execute query/ }).click();

  test.each(WINDOWS)('runs its examples with a key that is entered once, on %s', async (_where, window) => {
    const page = await browser.visit('/graphql', window);
    await page.locator('.graphiql-query-editor', { hasText: 'Welcome' }).waitFor();
    expect(await page.getByRole('tab').allInnerTexts()).toEqual([
      'Lookup',
      'SearchWithFacets',
      'PriceHistoryOfTheCheapest',
      'PriceStatistics',
      'PriceIndex',
      'MerchantComparison',
      'ManyLookups',
      'LivePrices',
    ]);

    const headers = page.locator('.graphiql-editor-tool .view-lines').filter({ hasText: 'x-api-key' });
    await headers.click();
    // Moves the cursor between the quotes on the second line.
    for (const pressed of ['Control+Home', 'ArrowDown', 'End', 'ArrowLeft']) await page.keyboard.press(pressed);
    await page.keyboard.insertText(key);
    await run(page);
    await answer(page).filter({ hasText: 'Marker' }).waitFor();

    await page.reload();
    await page.locator('.graphiql-editor-tool .view-lines').filter({ hasText: key }).waitFor();
    expect(await page.getByRole('tab').count()).toBe(8);
    expect(new URL(page.url()).search).toBe('');

    await page.getByRole('tab', { name: 'ManyLookups' }).click();
    await page.locator('.graphiql-query-editor', { hasText: 'ManyLookups' }).waitFor();
    // GraphiQL refuses to run a query before it has read the new tab, so retry.
    await vi.waitFor(
      async () => {
        await run(page);
        await answer(page).filter({ hasText: 'lookups' }).waitFor({ timeout: 2_000 });
      },
      { timeout: 60_000 },
    );
  });

  test('uses the key of the front page, and keeps it no longer than the front page does', async () => {
    const page = await browser.visit('/');
    await page.getByLabel('Your key').fill(key);
    await page.goto(`${gateway.address}/graphql`);
    await page.locator('.graphiql-query-editor', { hasText: 'Welcome' }).waitFor();
    await run(page);
    await answer(page).filter({ hasText: 'Marker' }).waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(key);
  });

  test.each(WINDOWS)('passes the accessibility checks on %s', async (_where, window) => {
    const page = await browser.visit('/graphql', window);
    await page.locator('.graphiql-query-editor', { hasText: 'Welcome' }).waitFor();
    const found = await barriers(page);
    // The tabs of GraphiQL contain a close button. All buttons can be reached and pressed with the keyboard.
    expect(found.filter((each) => !/^nested-interactive.*(graphiql-tab|li:nth-child)/.test(each))).toEqual([]);
  });

  test('shows prices as they change', async () => {
    const page = await browser.visit('/graphql');
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
  });

  test.each(WINDOWS)('fits below the menu without horizontal scrolling, on %s', async (_where, window) => {
    const page = await browser.visit('/graphql', window);
    await page.locator('.graphiql-response').waitFor();
    const box = await page.locator('.graphiql-response').boundingBox();
    expect(box?.width).toBeGreaterThan(300);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(window.viewport.height);
    expect(await overhang(page)).toBe(0);
  });
});
