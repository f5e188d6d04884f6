/** The account of a key holder in a real browser: by keyboard, in both colour schemes, and without JavaScript. */
import { describe, expect, test } from 'vitest';
import { expectUsable, openBrowser, type VisitOptions, WINDOWS } from '../harness/browser.ts';
import { feedRow, posting, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { confirmAll } from '../harness/receiver.ts';

const EAN = '4006381333931';

const gateway = await forFile(startTestGateway());
await gateway.importRows('Shop', [feedRow({ id: 'a', title: 'Marker', gtin: EAN })]);
const { key } = await gateway.makeKey('starter');
for (let count = 0; count < 3; count += 1) await gateway.get(`/api/v1/lookup?ean=${EAN}`, { key });
const { body } = await gateway.get('/api/v1/webhooks', {
  key,
  ...posting({ url: 'https://[2d00::1]/hooks/of/a/long/path', kinds: ['product_found'], filter: { codes: [EAN] } }),
});
await confirmAll(gateway.database);
await gateway.get(`/api/v1/webhooks/${body.data.id}/test`, { method: 'POST', key });
const browser = await forFile(openBrowser(gateway.address));

/** Opens the account, signed in by keyboard. */
async function signIn(options: VisitOptions) {
  const page = await browser.visit('/account', options);
  await page.getByLabel('Your key').focus();
  await page.keyboard.type(key);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return page;
}

describe.each(WINDOWS)('the account on %s', (_where, window) => {
  test('has no barriers with and without a session', async () => {
    const out = await browser.visit('/account', window);
    await expectUsable(out);

    const page = await signIn(window);
    expect(page.url()).toBe(`${gateway.address}/account`);
    await expectUsable(page);
    await page.getByRole('link', { name: /^Deliveries/ }).click();
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    expect(await page.getByRole('cell', { name: 'product_found' }).count()).toBe(1);
    await expectUsable(page);
  });
});

describe('the account', () => {
  test('shows plan, remaining quota and a chart whose figures are also a table', async () => {
    const page = await signIn({});
    expect(await page.locator('.account-figures').innerText()).toMatch(/Left this month\s+9,997 of 10,000/);
    expect(await page.getByRole('img', { name: /Requests per day.*at most 3/ }).count()).toBe(1);
    await page.getByText('Requests per day (UTC) as a table').click();
    expect(await page.locator('.day-chart tbody tr').count()).toBe(30);
  });

  test('works without JavaScript: rotates the key, shows the new one once, and signs out', async () => {
    const { key: own } = await gateway.makeKey('starter');
    const page = await browser.visit('/account', {
      javaScriptEnabled: false,
      expects: /status of 401/,
    });
    await page.getByLabel('Your key').fill('pda_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('check it for typos');
    await page.getByLabel('Your key').fill(own);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('The present key').selectOption({ label: 'still reads for a week' });
    await page.getByRole('button', { name: 'Rotate the key' }).click();
    const newKey = await page.locator('#new-key').innerText();
    expect((await gateway.get('/api/v1/usage', { key: newKey })).status).toBe(200);
    expect(page.url()).not.toContain('pda_');
    await page.getByRole('link', { name: 'Back to your account' }).click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    expect(await page.content()).not.toContain(newKey);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('is reached and used with the keyboard only', async () => {
    const { key: own } = await gateway.makeKey('starter');
    const page = await browser.visit('/');
    await page.getByRole('link', { name: 'Account' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account');
    await page.getByLabel('Your key').focus();
    await page.keyboard.type(own);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Rotate the key' }).waitFor();
    await page.getByLabel('The present key').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.locator('#new-key').waitFor();
  });
});
