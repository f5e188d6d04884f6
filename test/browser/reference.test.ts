/** The API reference in a real browser, on large and small screens: trying a route with a key, and accessibility. */
import type { Locator } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { expectUsable, openBrowser, WINDOWS } from '../harness/browser.ts';
import { feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { signal } from '../harness/signal.ts';

// Clients use another host name than the browser does.
const gateway = await forFile(startTestGateway({ PUBLIC_URL: 'https://api.example.com' }));
await gateway.importRows('Shop', [feedRow({ id: 'a', title: 'Marker', gtin: '4006381333931' })]);
const { key } = await gateway.makeKey('pro');
const browser = await forFile(openBrowser(gateway.address));

/** Sends the request of a route. Until Swagger UI has resolved the route's parameters, it sends none of them, so retry. */
const execute = (route: Locator, expected: string) =>
  vi.waitFor(
    async () => {
      await route.getByRole('button', { name: 'Execute' }).click();
      await route.locator('.live-responses-table').filter({ hasText: expected }).waitFor({ timeout: 5_000 });
    },
    { timeout: 120_000 },
  );

describe.each(WINDOWS)('the API reference on %s', (_where, window) => {
  test('tries a route with a key', async () => {
    const page = await browser.visit('/docs', window);
    const route = page.locator('#operations-Lookup-lookUp');
    await page.getByLabel('Your key').fill(key);
    await route.locator('.opblock-summary-control').click();
    // The fields contain an example that can be sent unchanged.
    await execute(route, 'Marker');
    expect(await route.locator('.request-url').innerText()).toContain(
      `${gateway.address}/api/v1/lookup?ean=4006381333931`,
    );
    expect(new URL(page.url()).hash).toBe('#/Lookup/lookUp');
    expect(page.url()).not.toContain(key);
    await expectUsable(page);
  });
});

describe('the API reference', () => {
  test('shows every operation and every webhook message of the OpenAPI description', async () => {
    const page = await browser.visit('/docs');
    await page.locator('.opblock').first().waitFor();
    const { body } = await gateway.get('/api/v1/openapi.json');
    const shown = await page.locator('.opblock-summary-path').allTextContents();
    const described = Object.entries({ ...body.paths, ...body.webhooks }).flatMap(([path, operations]) =>
      Object.keys(operations as object).map(() => path),
    );
    expect(shown.map((path) => path.replaceAll('\u200b', '')).sort()).toEqual(described.sort());
  });

  test('uses a key that was typed before the description had loaded', async () => {
    const page = await browser.visit('/');
    const { raise: load, raised: typed } = signal();
    await page.route('**/openapi.json*', async (request) => {
      await typed;
      await request.continue();
    });
    await page.goto(`${gateway.address}/docs#/Lookup/lookUp`);
    await page.getByLabel('Your key').fill(key);
    load();
    await execute(page.locator('#operations-Lookup-lookUp'), 'Marker');
    expect(await page.getByLabel('Your key').inputValue()).toBe(key);
  });

  test('uses the key of the front page, and shows an error if it is missing', async () => {
    const page = await browser.visit('/', { expects: /status of 401/ });
    await page.getByLabel('Your key').fill(key);
    await page.goto(`${gateway.address}/docs#/Lookup/lookUp`);
    const route = page.locator('#operations-Lookup-lookUp');
    await execute(route, 'Marker');

    await page.getByLabel('Your key').fill('');
    await execute(route, 'missing_api_key');
  });
});
