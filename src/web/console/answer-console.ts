/** Renders pages of the console. Nothing of them may be stored. */
import type { Answer } from '../../http/exchange.ts';
import { renderPage } from '../answer-page.tsx';
import type { Site } from '../layout.tsx';
import { securityHeaders } from '../security-headers.ts';
import { inFrame } from './layout.tsx';
import type { ConsolePage } from './visit.ts';

const HEADERS = {
  ...securityHeaders(),
  // Browsers name the page to this site, which checks the origin of forms, and to no other site.
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
  'Content-Type': 'text/html; charset=utf-8',
};

/** The answer with a page. @param token of the session's forms; `undefined` for visitors who are not signed in. */
export function answerConsole(
  page: ConsolePage,
  site: Site,
  token?: string,
  headers: Record<string, string> = {},
): Answer {
  const html = renderPage(inFrame(page, token), site);
  return {
    status: page.status ?? 200,
    headers: { ...HEADERS, ...headers, 'Content-Length': String(Buffer.byteLength(html)) },
    body: html,
  };
}
