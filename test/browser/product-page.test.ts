/** The page of a product in a real browser: the chart fits the window and its colours, and nothing is loaded from elsewhere. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { barriers, openBrowser, overhang, SIZES, type TestBrowser } from '../harness/browser.ts';
import { feedRow, startTestGateway, type TestGateway } from '../harness/gateway.ts';

const MEASURES = { 'a desk': 'wide', 'a phone': 'narrow' } as const;

let gateway: TestGateway;
let browser: TestBrowser;
beforeAll(async () => {
  gateway = await startTestGateway();
  const row = (price: string) => feedRow({ id: 'a', title: 'Marker', brand: 'Markina', gtin: '4006381333931', price });
  const daysAgo = (days: number) => ({ observedAt: new Date(Date.now() - days * 86_400_000) });
  await gateway.importRows('Near', [row('2.50 EUR')], daysAgo(30));
  await gateway.importRows('Far', [row('1.75 EUR')], daysAgo(20));
  await gateway.importRows('Near', [row('2.10 EUR')], daysAgo(10));
  browser = await openBrowser(gateway.address);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

describe.each(SIZES)('the page of a product on %s', (where, viewport) => {
  test.each(['light', 'dark'] as const)('shows offers and the chart, in %s colours', async (colorScheme) => {
    const { page, faults, leave } = await browser.visit('/products/marker', { viewport, colorScheme });
    expect(await page.getByRole('region', { name: 'Offers' }).locator('tbody th').allInnerTexts()).toEqual([
      'Far',
      'Near',
    ]);
    const chart = page.getByRole('img', { name: /^Price history: .*Lowest ever €1\.75/ });
    await chart.scrollIntoViewIfNeeded();
    // No picture has a width of its own before it is loaded, nor one that is broken.
    await expect
      .poll(() => chart.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0);
    expect(await chart.evaluate((image) => (image as unknown as { currentSrc: string }).currentSrc)).toBe(
      `${gateway.address}/products/marker/price-history-${MEASURES[where]}-${colorScheme}.svg`,
    );
    expect((await chart.boundingBox())?.width).toBeGreaterThan(300);

    await page.getByText('The price history as a table').click();
    expect(await page.getByRole('region', { name: 'Price history' }).isVisible()).toBe(true);
    expect(await barriers(page)).toEqual([]);
    expect(await overhang(page)).toBe(0);
    await leave();
    expect(faults).toEqual([]);
  });

  test('leads on from an address that no product has', async () => {
    const { page, faults, leave } = await browser.visit('/products/nothing', { viewport, expects: /status of 404/ });
    await page.getByRole('heading', { name: 'There is no such product' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'Look a product up' }).click();
    await page.waitForURL(`${gateway.address}/`);
    await leave();
    expect(faults).toEqual([]);
  });
});
