/** Renders a page. Its content is always escaped, because JSX consists of text and elements, never of HTML fragments. */
import { renderToString } from 'preact-render-to-string';
import type { Answer } from '../http/exchange.ts';
import { type WrittenAnswer, writeAnswer } from '../rest/kept-answers.ts';
import { Layout, type Page, type Site } from './layout.tsx';
import { type Policy, securityHeaders } from './security-headers.ts';

interface PageOptions {
  status?: number;
  /** The page's exceptions from the strict policy. */
  policy?: Policy;
  /** Additional headers, such as `Vary` if the URL also has forms for programs. */
  headers?: Record<string, string>;
}

/** The HTML document of a page. */
function renderPage(page: Page, site: Site): string {
  return `<!doctype html>${renderToString(<Layout page={page} site={site} />)}`;
}

/** The response with a page for one visitor only, which has no entity tag. @param headers must say that nobody may store it. */
export function answerPrivate(
  page: Page,
  site: Site,
  { status = 200, headers }: { status?: number | undefined; headers: Record<string, string> },
): Answer {
  const html = renderPage(page, site);
  const common = { ...securityHeaders(), 'Content-Type': 'text/html; charset=utf-8' };
  return { status, headers: { ...common, ...headers, 'Content-Length': String(Buffer.byteLength(html)) }, body: html };
}

/** The response with a page, for all visitors. Browsers revalidate it each time and get a 304, because a new release may replace its assets. */
export function writePage(page: Page, site: Site, { status, policy, headers }: PageOptions = {}): WrittenAnswer {
  const common = {
    ...securityHeaders(policy),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
  };
  return { ...writeAnswer(renderPage(page, site), { ...common, ...headers }), ...(status !== undefined && { status }) };
}
