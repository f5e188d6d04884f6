/** A real browser whose visitors must not see errors, requests to other servers or accessibility barriers. */
import axe from 'axe-core';
import { chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { CHROMIUM } from './chromium.ts';

/** The windows in which every page is tested: each size, and each of the colours. What depends on one does not depend on the other. */
export const WINDOWS = [
  ['a desk, in light colours', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
  ['a phone, in dark colours', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const;

export interface VisitOptions {
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  /** False for visitors who have switched scripts off. */
  javaScriptEnabled?: boolean;
  /** Console errors that are not faults: browsers log every unsuccessful response, and a test may want one. */
  expects?: RegExp;
}

export interface TestBrowser {
  /**
   * Opens a path of the gateway as a new visitor, for the present test. The test fails at its end if there were errors on the console or
   * requests to other servers.
   */
  visit(path: string, options?: VisitOptions): Promise<Page>;
  close(): Promise<void>;
}

// On a machine that runs other tests too, a large page may need a minute.
const PATIENCE_MS = 120_000;

/** Starts the browser. @param address the address of the gateway, without a trailing slash. */
export async function openBrowser(address: string): Promise<TestBrowser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
  return {
    async visit(
      path,
      { viewport = WINDOWS[0][1].viewport, colorScheme = 'light', javaScriptEnabled = true, expects } = {},
    ) {
      const context = await browser.newContext({ viewport, colorScheme, javaScriptEnabled });
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' && !expects?.test(message.text())) faults.push(message.text());
      });
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('request', (request) => {
        const isOwn = request.url().startsWith(`${address}/`) || /^(data|blob):/.test(request.url());
        if (!isOwn) faults.push(`A request left for ${request.url()}`);
      });
      onTestFinished(async () => {
        await context.close();
        expect(faults).toEqual([]);
      });
      await page.goto(address + path);
      return page;
    },
    close: () => browser.close(),
  };
}

/** Expects a page that everybody can use: without barriers, and without scrolling sideways. */
export async function expectUsable(page: Page): Promise<void> {
  expect(await barriers(page)).toEqual([]);
  expect(await overhang(page)).toBe(0);
}

/** The accessibility barriers of the page as it is now: the serious and critical findings of axe, one per line. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`));
}

/** How much wider the page is than its window. Users should not have to scroll sideways. */
export function overhang(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

export type Target = ReturnType<Page['getByText']>;

/** Whether the keyboard's input goes to an element. */
export const isFocused = (target: Target) =>
  target.evaluate((element) => {
    // This runs in the browser, whose types are not loaded here.
    const { ownerDocument } = element as unknown as { ownerDocument: { activeElement: unknown } };
    return ownerDocument.activeElement === element;
  });

/** Presses Tab until an element has the focus. */
export async function focusByTab(page: Page, target: Target): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 200; presses += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The keyboard does not reach the element.');
}
