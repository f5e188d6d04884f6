/** `/go/<offer_id>`: on to the offer in its shop, the click counted. */
import { decodeId } from '../catalogue/id.ts';
import type { Loaders } from '../catalogue/loaders.ts';
import { type Answer, type Handler, isRead } from '../http/exchange.ts';
import { Problem } from '../problem.ts';
import type { ClickCounter } from './clicks.ts';
import { methodNotAllowed } from './method-not-allowed.ts';

const PREFIX = '/go/';

export function serveRedirects(loaders: Loaders, clicks: ClickCounter): Handler {
  return (exchange) => {
    const { pathname, method } = exchange;
    if (!pathname.startsWith(PREFIX)) return undefined;
    if (!isRead(exchange)) throw methodNotAllowed(method);
    return lead(decodeId('offer', pathname.slice(PREFIX.length)), method);
  };

  async function lead(id: bigint | undefined, method: string): Promise<Answer> {
    const offer = id === undefined ? undefined : await loaders.offer.load(id);
    if (!offer) throw new Problem('not_found', 'There is no such offer: look the product up again for current ones.');
    if (offer.withdrawnAt) {
      throw new Problem('gone', 'The shop has withdrawn this offer: look the product up again for current ones.');
    }
    if (method === 'GET') clicks.count(offer.id);
    return {
      status: 302,
      // Shops write letters that no header may hold; the URL standard writes them as browsers do (RFC 9110 §10.2.2).
      headers: { Location: new URL(offer.link).href, 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' },
      body: null,
    };
  }
}
