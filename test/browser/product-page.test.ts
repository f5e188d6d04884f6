/** The product page in a real browser: the chart fits the window and the colours, and nothing is loaded from other sites. */
import { describe, expect, test } from 'vitest';
import { barriers, expectUsable, openBrowser, overhang, WINDOWS } from '../harness/browser.ts';
import { feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const MEASURES = { 'a desk, in light colours': 'wide', 'a phone, in dark colours': 'narrow' } as const;

const gateway = await forFile(startTestGateway());
const row = (price: string) => feedRow({ id: 'a', title: 'Marker', brand: 'Markina', gtin: '4006381333931', price });
const daysAgo = (days: number) => ({ observedAt: new Date(Date.now() - days * 86_400_000) });
await gateway.importRows('Near', [row('2.50 EUR')], daysAgo(30));
await gateway.importRows('Far', [row('1.75 EUR')], daysAgo(20));
await gateway.importRows('Near', [row('2.10 EUR')], daysAgo(10));
const kettle = { id: 'k', title: 'Kettle', gtin: '4006381333948' };
await gateway.importRows('Haus & Garten Versandhandel GmbH', [
  feedRow({
    ...kettle,
    price: '1040.00 EUR',
    shipping: 'DE:::4.99 EUR',
    availability: 'out_of_stock',
    condition: 'refurbished',
  }),
]);
await gateway.importRows('Anders', [feedRow({ ...kettle, price: '1099.00 EUR' })]);
const shirt = (color: string, size: string, fields = {}) =>
  feedRow({
    id: `${color}-${size}`,
    title: `Shirt ${color} ${size}`,
    link: 'https://shop.example/shirt',
    brand: 'Acme',
    mpn: `${color}-${size}`,
    item_group_id: 's',
    color,
    size,
    ...fields,
  });
const long = 'Extraordinarily dark anthracite with a hint of ultramarine-and-forget-me-not-melange';
const shirts = [
  shirt('Red', 'S'),
  shirt('Red', 'M', { price: '12.00 EUR' }),
  shirt('Blue', 'M', { availability: 'out_of_stock' }),
  shirt(long, 'XL'),
  ...Array.from({ length: 20 }, (_, n) => shirt('Green', String(34 + n))),
];
for (const shop of ['Shirts', 'Hemden']) await gateway.importRows(shop, shirts);
const browser = await forFile(openBrowser(gateway.address));

test('on a small phone every offer is fully visible without horizontal scrolling', async () => {
  const page = await browser.visit('/products/kettle', { viewport: { width: 360, height: 740 } });
  const offers = page.getByRole('region', { name: 'Offers' });
  const seen = await offers.evaluate((region) => {
    // biome-ignore lint/suspicious/noExplicitAny: this runs in the browser, whose types are not loaded here.
    const { scrollWidth, clientWidth, querySelectorAll } = region as any;
    const rows = [...querySelectorAll.call(region, 'tbody tr')];
    return {
      overhang: scrollWidth - clientWidth,
      rows: rows.map((row) =>
        [...row.children].map((cell) => {
          const { left, right, height } = cell.getBoundingClientRect();
          return { text: cell.innerText, isInside: left >= 0 && right <= 360 && height > 0 };
        }),
      ),
    };
  });
  expect(seen.overhang).toBe(0);
  expect(seen.rows.map((cells) => cells.map((cell: { text: string }) => cell.text))).toEqual([
    ['Anders', '€1,099.00', '€1,099.00', 'not stated', 'In stock', 'New'],
    ['Haus & Garten Versandhandel GmbH', '€1,044.99', '€1,040.00', '€4.99', 'Out of stock', 'Refurbished'],
  ]);
  expect(seen.rows.flat().filter((cell: { isInside: boolean }) => !cell.isInside)).toEqual([]);
  expect(await overhang(page)).toBe(0);
  expect(await barriers(page)).toEqual([]);
  // It is still a table for screen readers.
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send('Accessibility.getFullAXTree');
  const count = (role: string) => nodes.filter((node) => !node.ignored && node.role?.value === role).length;
  expect([count('table'), count('row'), count('columnheader'), count('rowheader')]).toEqual([1, 3, 6, 2]);
});

describe.each(WINDOWS)('the product page on %s', (where, window) => {
  test('shows the offers and the chart', async () => {
    const page = await browser.visit('/products/marker', window);
    expect(await page.getByRole('region', { name: 'Offers' }).locator('tbody th').allInnerTexts()).toEqual([
      'Far',
      'Near',
    ]);
    const chart = page.getByRole('img', { name: /^Price history: .*Lowest ever €1\.75/ });
    await chart.scrollIntoViewIfNeeded();
    // An image has no natural width before it is loaded, or if it is broken.
    await expect
      .poll(() => chart.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0);
    expect(await chart.evaluate((image) => (image as unknown as { currentSrc: string }).currentSrc)).toBe(
      `${gateway.address}/products/marker/price-history-${MEASURES[where]}-${window.colorScheme}.svg`,
    );
    expect((await chart.boundingBox())?.width).toBeGreaterThan(300);

    await page.getByText('Price history as a table').click();
    expect(await page.getByRole('region', { name: 'Price history' }).isVisible()).toBe(true);
    await expectUsable(page);
  });

  test('links to the variants without JavaScript', async () => {
    const visiting = { ...window, javaScriptEnabled: false };
    const page = await browser.visit('/products/shirt-red-s', visiting);
    const variants = page.locator('.variants');
    expect(await variants.getByRole('listitem').first().innerText()).toMatch(/^Red, S\s+€10\.00, shipping not stated$/);
    expect(await page.getByRole('link', { name: 'Green, 53' }).isVisible()).toBe(false);
    await page.getByText('3 more variants').click();
    expect(await page.getByRole('link', { name: 'Green, 53' }).isVisible()).toBe(true);
    expect(await overhang(page)).toBe(0);
    await variants.getByRole('link', { name: 'Blue, M' }).click();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Shirt Blue M');
    expect(await variants.getByRole('link').first().innerText()).toMatch(/^Red, S\s+€10\.00, shipping not stated$/);
  });

  test('shows the variants without barriers', async () => {
    const page = await browser.visit('/products/shirt-red-s', window);
    expect(await barriers(page)).toEqual([]);
  });

  test('links to the lookup if no product has the address', async () => {
    const page = await browser.visit('/products/nothing', { ...window, expects: /status of 404/ });
    await page.getByRole('heading', { name: 'Product not found' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'look up a product' }).click();
    await page.waitForURL(`${gateway.address}/`);
  });
});
