/** `/docs` and the pages below it: the Markdown files of the package's docs folder, as they are. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, type Handler, headerOf, isRead } from '../http/exchange.ts';
import { packageRoot } from '../package-root.ts';
import { methodNotAllowed } from './method-not-allowed.ts';

/** The pages that are served, by path. */
export const DOC_PAGES: Readonly<Record<string, string>> = {
  '/docs': 'api.md',
  '/docs/agents': 'agents.md',
  '/docs/errors': 'errors.md',
};

export function serveDocs(): Handler {
  return (exchange) => {
    const { pathname, method } = exchange;
    if (pathname === '/' && isRead(exchange) && headerOf(exchange, 'accept')?.includes('text/html')) {
      // A person with a browser is shown what to read; programs get the service index here.
      return { status: 302, headers: { Location: '/docs', Vary: 'Accept' }, body: null };
    }
    const file = DOC_PAGES[pathname];
    if (file === undefined) return undefined;
    if (!isRead(exchange)) throw methodNotAllowed(method);
    return answerFile(file);
  };
}

async function answerFile(file: string): Promise<Answer> {
  const text = await readFile(join(packageRoot(), 'docs', file));
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': String(text.length),
      'Cache-Control': 'public, max-age=3600',
    },
    body: text,
  };
}
