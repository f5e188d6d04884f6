/** `/go/<offer_id>`: on to the offer in its shop, the click counted. */
import type { Plugin } from 'graphql-yoga';
import { decodeId } from '../catalogue/id.ts';
import type { Loaders } from '../catalogue/loaders.ts';
import { Problem } from '../problem.ts';
import type { ClickCounter } from './clicks.ts';

const PREFIX = '/go/';

export function useRedirect(loaders: Loaders, clicks: ClickCounter): Plugin {
  return {
    async onRequest({ request, url, endResponse }) {
      if (!url.pathname.startsWith(PREFIX)) return;
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw new Problem('method_not_allowed', `${request.method} is not for this address: use GET.`, {
          headers: { Allow: 'GET, HEAD, OPTIONS' },
        });
      }
      const id = decodeId('offer', url.pathname.slice(PREFIX.length));
      const offer = id === undefined ? undefined : await loaders.offer.load(id);
      if (!offer) throw new Problem('not_found', 'There is no such offer: look the product up again for current ones.');
      if (offer.withdrawnAt) {
        throw new Problem('gone', 'The shop has withdrawn this offer: look the product up again for current ones.');
      }
      if (request.method === 'GET') clicks.count(offer.id);
      endResponse(
        new Response(null, {
          status: 302,
          headers: { Location: offer.link, 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' },
        }),
      );
    },
  };
}
