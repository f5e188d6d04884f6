/** The documentation in a real browser, on a large screen in light colours and a small one in dark colours. */
import { describe, expect, test } from 'vitest';
import { expectUsable, openBrowser, WINDOWS } from '../harness/browser.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const gateway = await forFile(startTestGateway());
const browser = await forFile(openBrowser(gateway.address));

describe.each(WINDOWS)('on %s', (_where, window) => {
  test('the type of an error links to its entry on the errors page', async () => {
    const { body } = await gateway.get('/api/v1/lookup?ean=4006381333931');
    const address = new URL(body.type);
    const page = await browser.visit(address.pathname + address.hash, window);
    const row = page.locator('tr', { has: page.locator('#missing_api_key') });
    expect(await row.innerText()).toContain('Send your key.');
    const box = await row.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(window.viewport.height);
  });

  test.each([
    'errors',
    'api',
    'operations',
    'performance',
  ])('the page %s passes the accessibility checks', async (name) => {
    await expectUsable(await browser.visit(`/docs/${name}`, window));
  });
});
