/** The console's pages of keys and products in a real browser: two widths, light and dark, keyboard only, without JavaScript. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createKey, createKeys, listKeys, revokeKey } from '../../src/access/key-admin.ts';
import { makeLink } from '../../src/console/sessions.ts';
import { dayOf, monthOfDay } from '../../src/values/day.ts';
import { decodeId } from '../../src/values/id.ts';
import {
  barriers,
  focusByTab,
  openBrowser,
  overhang,
  type Target,
  type VisitOptions,
  WINDOWS,
} from '../harness/browser.ts';
import { feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const EAN = '4006381333931';
const ASIN = 'B0DEMO0001';
const LONG = `Haus & Garten <b>${'Versandhandelsgesellschaft'.repeat(2)}</b> \u202eGmbH`;

const gateway = await forFile(startTestGateway({ CONSOLE: 'on' }));
const { database } = gateway;
const { id } = await createKey(database, { name: LONG, plan: 'pro', rateLimit: 120 });
const keyPath = `/console/keys/${id}`;
await createKeys(
  database,
  Array.from({ length: 55 }, (_, index) => ({ name: `Client ${index}`, plan: 'free' })),
);
const revoked = await createKey(database, { name: 'Revoked', plan: 'starter' });
await revokeKey(database, revoked.id);
await database.query(
  `INSERT INTO usage_counter (key_id, month, quota, used, granted, day_starts)
     VALUES ($1, $2, 100000, 9300, 1, ARRAY(SELECT day * day * 10 FROM generate_series(0, 30) AS day))`,
  [decodeId('key', id), monthOfDay(dayOf(Date.now()))],
);
const daysAgo = (days: number) => ({ observedAt: new Date(Date.now() - days * 86_400_000) });
const dryer = (price: string) => feedRow({ id: 'd', title: 'Hair dryer', brand: 'Ventosa', gtin: EAN, price });
await gateway.importRows('Founder', [dryer('20.00 EUR')], daysAgo(40));
await gateway.importRows('Founder', [dryer('15.00 EUR')], daysAgo(10));
await gateway.importRows('Wrong', [feedRow({ id: 'c', title: LONG, gtin: '4006381333948', asin: ASIN })]);
await gateway.importRows('Misled', [feedRow({ id: 'm', asin: ASIN, price: '7.00 EUR' })]);
await gateway.importRows('Correct', [{ ...dryer('16.00 EUR'), asin: ASIN }]);
const browser = await forFile(openBrowser(gateway.address));

/** Opens the console with a link, and then a path. */
async function signIn(path: string, options: VisitOptions) {
  const { token } = await makeLink(gateway.database);
  const page = await browser.visit(`/console/sign-in?token=${token}`, options);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.goto(gateway.address + path);
  return page;
}

/** Saves what the page looks like, for people who want to see it. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/console-${name}.png`, fullPage: true });
}

async function productPath(gtin: string): Promise<string> {
  const [row] = await gateway.database.query<{ id: bigint }>(
    "SELECT product_id AS id FROM product_identifier WHERE kind = 'gtin' AND value = $1",
    [`0${gtin}`],
  );
  return `/console/products/prd_${row?.id.toString(36)}`;
}

describe.each(WINDOWS)('on %s', (where, window) => {
  test('no page has a barrier or is wider than the window', async () => {
    const cable = await productPath('4006381333948');
    const page = await signIn('/console/keys', window);
    for (const [name, path, heading] of [
      ['keys', '/console/keys', 'Keys'],
      ['new-key', '/console/keys/new', 'New key'],
      ['key', keyPath, /^Key key_/],
      ['products', '/console/products', 'Products'],
      ['product', cable, 'Product'],
      ['offers', `${cable}/offers`, 'Offers'],
      ['ledger', `${cable}/ledger`, 'Raw ledger'],
      ['detach', `${cable}/detach?identifier=${ASIN}`, 'Detach an identifier'],
    ] as const) {
      await page.goto(gateway.address + path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await keepPicture(page, `${name}-${where.replace(/\W+/g, '-')}`);
      expect([path, await barriers(page), await overhang(page)]).toEqual([path, [], 0]);
    }
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('heading', { name: 'What will change' }).waitFor();
    await keepPicture(page, `preview-${where.replace(/\W+/g, '-')}`);
    expect([await barriers(page), await overhang(page)]).toEqual([[], 0]);
  });
});

test('without JavaScript, the keyboard alone creates a key, corrects its form, rotates and revokes it', async () => {
  const page = await signIn('/console/keys', {
    javaScriptEnabled: false,
    expects: /status of (400|409)/,
  });
  await activate(page, page.getByRole('link', { name: 'New key' }));
  await focusByTab(page, page.getByLabel('Name'));
  await page.keyboard.type('Typed');
  await focusByTab(page, page.getByLabel('Requests a minute'));
  await page.keyboard.type('many');
  await activate(page, page.getByRole('button', { name: 'Create key' }));
  const limit = page.getByRole('textbox', { name: 'Requests a minute' });
  await page.getByRole('alert').waitFor();
  expect(await limit.getAttribute('aria-invalid')).toBe('true');
  expect(await limit.inputValue()).toBe('many');
  expect(await page.getByText('The rate limit must be a whole number').isVisible()).toBe(true);
  await focusByTab(page, limit);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('5');
  await activate(page, page.getByRole('button', { name: 'Create key' }));
  const shown = await page.locator('.new-key').innerText();
  expect(shown).toMatch(/^pda_\w{38}$/);
  expect((await gateway.get('/api/v1/products', { key: shown })).status).toBe(200);
  await page.reload();
  await page.getByText('This form has been sent before').waitFor();
  expect(await listKeys(gateway.database, { where: `key.name = 'Typed'` })).toHaveLength(1);

  await activate(page, page.getByRole('link', { name: /^Open the key/ }));
  await activate(page, page.getByRole('button', { name: 'Rotate key' }));
  expect(await page.locator('.new-key').innerText()).not.toBe(shown);
  await activate(page, page.getByRole('link', { name: /^Open the key/ }));
  const sure = page.getByRole('checkbox', { name: 'End this key for good' });
  await focusByTab(page, sure);
  await page.keyboard.press('Space');
  await activate(page, page.getByRole('button', { name: 'Revoke key' }));
  await page.getByText(/^revoked \d{4}/).waitFor();
});

test('without JavaScript, the keyboard alone finds a product and detaches its identifier', async () => {
  const page = await signIn('/console/products', { javaScriptEnabled: false });
  await focusByTab(page, page.getByRole('searchbox'));
  await page.keyboard.type(ASIN);
  await page.keyboard.press('Enter');
  await page.getByText('Only this product has this identifier').waitFor();
  await activate(page, page.getByRole('rowheader').getByRole('link'));
  await activate(page, page.getByRole('link', { name: `Detach ASIN ${ASIN}` }));
  await activate(page, page.getByRole('button', { name: 'Preview' }));
  await page.getByText('Nothing has been changed yet').waitFor();
  await activate(page, page.getByRole('button', { name: 'Detach' }));
  await page.getByText('It is done.').waitFor();
  await activate(page, page.getByRole('link', { name: 'hair-dryer' }).first());
  await activate(page, page.getByRole('rowheader').getByRole('link'));
  expect(await page.getByRole('region', { name: 'Identifiers' }).innerText()).toContain(ASIN);
});

/** Presses Enter on a link or a button, and waits for the page that it opens. */
async function activate(page: Page, target: Target): Promise<void> {
  await focusByTab(page, target);
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
}
