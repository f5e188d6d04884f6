/** The documentation in a real browser, on large and small screens, in light and dark colours. */
import { describe, expect, test } from 'vitest';
import { expectUsable, openBrowser, SIZES } from '../harness/browser.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const gateway = await forFile(startTestGateway());
const browser = await forFile(openBrowser(gateway.address));

describe.each(SIZES)('on %s', (_where, viewport) => {
  test('the type of an error links to its entry on the errors page', async () => {
    const { body } = await gateway.get('/api/v1/lookup?ean=4006381333931');
    const address = new URL(body.type);
    const page = await browser.visit(address.pathname + address.hash, { viewport });
    const row = page.locator('tr', { has: page.locator('#missing_api_key') });
    expect(await row.innerText()).toContain('Send your key.');
    const box = await row.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
  });

  test.each([
    'errors',
    'api',
    'operations',
    'performance',
  ])('the page %s passes the accessibility checks', async (name) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.visit(`/docs/${name}`, { viewport, colorScheme });
      await expectUsable(page);
    }
  });
});
