/** `/docs` and the pages below it: the Markdown files of the package's docs folder, as they are. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'graphql-yoga';
import { packageRoot } from '../package-root.ts';
import { Problem } from '../problem.ts';

/** The pages that are served, by path. */
export const DOC_PAGES: Readonly<Record<string, string>> = {
  '/docs': 'api.md',
  '/docs/errors': 'errors.md',
};

export function useDocs(): Plugin {
  return {
    async onRequest({ request, url, endResponse }) {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const wantsHtml = request.headers.get('accept')?.includes('text/html') ?? false;
      if (url.pathname === '/' && isRead && wantsHtml) {
        // A person with a browser is shown what to read; programs get the service index here.
        endResponse(new Response(null, { status: 302, headers: { Location: '/docs', Vary: 'Accept' } }));
        return;
      }
      const file = DOC_PAGES[url.pathname];
      if (file === undefined) return;
      if (!isRead) {
        throw new Problem('method_not_allowed', `${request.method} is not for this address: use GET.`, {
          headers: { Allow: 'GET, HEAD, OPTIONS' },
        });
      }
      const text = await readFile(join(packageRoot(), 'docs', file));
      endResponse(
        new Response(request.method === 'HEAD' ? null : text, {
          headers: {
            'Content-Type': 'text/plain; charset=utf-8',
            'Content-Length': String(text.length),
            'Cache-Control': 'public, max-age=3600',
          },
        }),
      );
    },
  };
}
