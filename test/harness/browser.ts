/** A real browser, new visitors in it, and what must not happen to them: errors, requests to others, barriers. */
import axe from 'axe-core';
import { chromium, type Page } from 'playwright-core';
import { CHROMIUM } from './chromium.ts';

/** The sizes that every page is looked at in. */
export const SIZES = [
  ['a desk', { width: 1280, height: 800 }],
  ['a phone', { width: 390, height: 844 }],
] as const;

export interface Visit {
  page: Page;
  /** What went wrong so far: errors on the console, and requests that left for elsewhere. */
  faults: string[];
  /** Ends the visit. */
  leave(): Promise<void>;
}

export interface VisitOptions {
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  /** Answers that are no success write a line on the console, which is no fault where a test asks for one. */
  expects?: RegExp;
}

export interface TestBrowser {
  /** Opens an address of the gateway for somebody who was never there. */
  visit(path: string, options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}

/** Starts the browser. @param address where the gateway is, without a slash at the end. */
export async function openBrowser(address: string): Promise<TestBrowser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
  return {
    async visit(path, { viewport = SIZES[0][1], colorScheme = 'light', expects } = {}) {
      const context = await browser.newContext({ viewport, colorScheme });
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
      await page.goto(address + path);
      return { page, faults, leave: () => context.close() };
    },
    close: () => browser.close(),
  };
}

/** What bars people from the page as it is now: axe's findings that are serious or worse, each in a line. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`));
}

/** How much wider the page is than its window: nobody should have to move it sideways. */
export function overhang(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
