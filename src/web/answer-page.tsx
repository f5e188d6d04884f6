/** Writes a page down. What stands in it is escaped by the way it is made: JSX knows text and elements, never pieces of HTML. */
import { renderToString } from 'preact-render-to-string';
import { etagOf, isNotModified } from '../http/etag.ts';
import { type Answer, type Exchange, headerOf } from '../http/exchange.ts';
import { Layout, type Page, type Site } from './layout.tsx';
import { type Policy, securityHeaders } from './security-headers.ts';

export interface PageOptions {
  status?: number;
  /** What the page must be allowed beyond the strict policy. */
  policy?: Policy;
  /** Headers beside those of every page, such as `Vary` where the address also has forms for programs. */
  headers?: Record<string, string>;
}

/** The answer that shows a page. Browsers ask again each time and get a 304: a page names assets that a new release has not. */
export function answerPage(exchange: Exchange, page: Page, site: Site, options: PageOptions = {}): Answer {
  return answerHtml(exchange, renderPage(page, site), options);
}

/** The document of a page. */
export function renderPage(page: Page, site: Site): string {
  return `<!doctype html>${renderToString(<Layout page={page} site={site} />)}`;
}

/** The answer with a document that somebody else has made safe and whole. */
export function answerHtml(
  exchange: Exchange,
  html: string,
  { status = 200, policy, headers: more }: PageOptions = {},
): Answer {
  const etag = etagOf(html);
  const headers: Record<string, string> = {
    ...securityHeaders(policy),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    ETag: etag,
    ...more,
  };
  if (status === 200 && isNotModified(headerOf(exchange, 'if-none-match'), etag)) {
    return { status: 304, headers, body: null };
  }
  return { status, headers: { ...headers, 'Content-Length': String(Buffer.byteLength(html)) }, body: html };
}
