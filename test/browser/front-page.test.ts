/** The front page in a real browser: looking up a product, and the messages after a refusal. */
import { describe, expect, test } from 'vitest';
import { createDemoKey, readDemoKey } from '../../src/access/demo-key.ts';
import { barriers, expectUsable, openBrowser, WINDOWS } from '../harness/browser.ts';
import { feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const EAN = '4006381333931';

const gateway = await forFile(startTestGateway());
const kettle = { id: 'k', title: 'Kettle', gtin: '4006381333948' };
const marker = (id: string, price: string) => feedRow({ id, title: 'Marker', brand: 'Markina', gtin: EAN, price });
await gateway.importRows('Near', [
  marker('Near', '2.50 EUR'),
  feedRow({ ...kettle, price: '20 EUR', availability: 'out_of_stock' }),
]);
await gateway.importRows('Far', [marker('Far', '1.75 EUR'), feedRow({ ...kettle, price: '30 EUR' })]);
const { key } = await gateway.makeKey('starter');
const browser = await forFile(openBrowser(gateway.address));

describe.each(WINDOWS)('the front page on %s', (_where, window) => {
  test('shows a product with its shops, cheapest first, and the answer as JSON', async () => {
    const page = await browser.visit('/', window);
    await page.getByLabel('EAN, GTIN or ASIN').fill(EAN);
    await page.getByLabel('Your key').fill(key);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.locator('#result').getByRole('link', { name: 'Marker' }).waitFor();
    expect(await page.locator('#result tbody th').allInnerTexts()).toEqual(['Far', 'Near']);
    expect(await page.locator('#result tbody .number').allInnerTexts()).toEqual(['€1.75', '€2.50']);
    expect(await page.locator('#result').innerText()).toMatch(/9,99\d requests left this month\./);

    await page.getByText('Response as JSON').click();
    const { data } = JSON.parse(await page.locator('#result details pre').innerText());
    expect(data.priceStats).toMatchObject({ currency: 'EUR', min: 1.75, max: 2.5 });
    await expectUsable(page);
    expect(page.url()).toBe(`${gateway.address}/`);
  });

  test('passes the accessibility checks', async () => {
    const page = await browser.visit('/', window);
    await expectUsable(page);
  });
});

describe('a lookup on the front page', () => {
  test('shows the lowest price in stock, and sold-out offers last', async () => {
    const page = await browser.visit('/');
    await page.getByLabel('EAN, GTIN or ASIN').fill('4006381333948');
    await page.getByLabel('Your key').fill(key);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.locator('#result').getByRole('link', { name: 'Kettle' }).waitFor();
    expect(await page.locator('#result tbody th').allInnerTexts()).toEqual(['Far', 'Near']);
    const figures = await page.locator('#result dl').innerText();
    expect(figures).toMatch(/Lowest in stock\s+€30\.00/);
    expect(figures).not.toContain('now');
    expect(await barriers(page)).toEqual([]);
  });

  test('explains what is wrong with a key and links to the documentation', async () => {
    const page = await browser.visit('/', { expects: /status of 401/ });
    await page.getByLabel('Your key').fill('pda_wrong');
    await page.getByRole('button', { name: 'Look up' }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    const refused = await gateway.get(`/api/v1/lookup?ean=${EAN}`, { key: 'pda_wrong' });
    expect(await alert.innerText()).toContain(refused.body.detail);
    expect(await barriers(page)).toEqual([]);
    await alert.getByRole('link').click();
    expect(page.url()).toBe(`${gateway.address}/docs/errors#invalid_api_key`);
  });

  test('explains what is wrong with a number', async () => {
    const page = await browser.visit('/', { expects: /status of 400/ });
    await page.getByLabel('Your key').fill(key);
    await page.getByLabel('EAN, GTIN or ASIN').fill('400638133393');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByRole('alert').filter({ hasText: '13 or 14 digits' }).waitFor();
  });

  test('says that the service cannot be reached', async () => {
    const page = await browser.visit('/', { expects: /ERR_FAILED/ });
    await page.route('**/api/v1/lookup*', (route) => route.abort());
    await page.getByLabel('Your key').fill(key);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByRole('alert').filter({ hasText: 'Check your connection' }).waitFor();
  });

  test('remembers the key in the same tab, and in a new tab only if asked to keep it', async () => {
    const page = await browser.visit('/');
    await page.getByLabel('Your key').fill(key);
    await page.reload();
    expect(await page.getByLabel('Your key').inputValue()).toBe(key);
    const second = await page.context().newPage();
    await second.goto(gateway.address);
    expect(await second.getByLabel('Your key').inputValue()).toBe('');
    await page.getByLabel('Keep it in this browser').check();
    await second.reload();
    expect(await second.getByLabel('Your key').inputValue()).toBe(key);
  });

  test('shows the same request as a terminal command, without the key', async () => {
    const page = await browser.visit('/');
    await page.getByLabel('Your key').fill(key);
    await page.getByLabel('EAN, GTIN or ASIN').fill('b0demo0001');
    const command = await page.locator('#command').innerText();
    expect(command).toBe(`curl -H "x-api-key: $KEY" '${gateway.address}/api/v1/lookup?asin=b0demo0001'`);
  });
});

describe.each(WINDOWS)('the search on %s', (_where, window) => {
  test('suggests products with prices while typing, by keyboard', async () => {
    const page = await browser.visit('/', window);
    const field = page.getByRole('combobox', { name: /Find a product/ });
    await field.focus();
    await page.keyboard.type('mark');
    const product = page.getByRole('option', { name: /Marker/ });
    await product.waitFor();
    expect(await product.innerText()).toMatch(/Marker\s+Markina\s+€1\.75/);
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    expect(await page.locator('#search-state').innerText()).toMatch(/^\d+ suggestions?\.$/);
    await expectUsable(page);

    // Down to the product; the field keeps the focus and names the active option.
    for (let presses = 0; presses < 5 && (await product.getAttribute('aria-selected')) !== 'true'; presses += 1) {
      await page.keyboard.press('ArrowDown');
    }
    expect(await product.getAttribute('aria-selected')).toBe('true');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await product.getAttribute('id'));
    await page.keyboard.press('Escape');
    expect(await field.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.type('e');
    await product.waitFor();
    await page.keyboard.press('ArrowUp');
    while ((await product.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/products/marker');
  });

  test('shows all matching products on a page', async () => {
    const page = await browser.visit('/search?q=k', window);
    expect(await page.locator('.tile-name').allInnerTexts()).toEqual(['Kettle']);
    expect(await page.locator('.tile-price').innerText()).toContain('€20.00');
    await expectUsable(page);
  });
});

describe('the front page', () => {
  test('searches without JavaScript, by name and by EAN', async () => {
    const page = await browser.visit('/', { javaScriptEnabled: false });
    await page.getByLabel(/Find a product/).fill('marker');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/search?q=marker');
    expect(await page.locator('.tile-name').allInnerTexts()).toEqual(['Marker']);
    await page.getByLabel(/Find a product/).fill(EAN);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/search?q=${EAN}`);
    await page.getByRole('link', { name: 'Marker' }).click();
    await page.waitForURL('**/products/marker');
  });

  test('shows current deals with their former price', async () => {
    const page = await browser.visit('/');
    await expect
      .poll(
        async () => {
          await page.reload();
          return (await page.getByRole('region', { name: 'Current deals' }).allInnerTexts()).join();
        },
        { timeout: 60_000 },
      )
      .toMatch(/Marker\s+€1\.75\s+−30 %\s+before €2\.50, shipping not stated, at\s+Far/);
  });

  test('looks up with the public key of a demo, and with the visitor’s own once there is one', async () => {
    await createDemoKey(gateway.database);
    const demoKey = await readDemoKey(gateway.database);
    const page = await browser.visit('/');
    await expect
      .poll(
        async () => {
          await page.reload();
          return page.getByLabel('Your key').inputValue();
        },
        { timeout: 60_000 },
      )
      .toBe(demoKey);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.locator('#result').getByRole('link', { name: 'Marker' }).waitFor();
    await page.getByLabel('Your key').fill(key);
    await page.reload();
    expect(await page.getByLabel('Your key').inputValue()).toBe(key);
    await page.getByLabel('Your key').fill('');
    await page.reload();
    expect(await page.getByLabel('Your key').inputValue()).toBe(demoKey);
  });
});
