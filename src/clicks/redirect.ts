/** `/go/<offer_id>`: on to the offer in its shop, the click counted. */
import type { Loaders } from '../catalogue/loaders.ts';
import type { Answer, Handler } from '../http/exchange.ts';
import { Problem } from '../problem.ts';
import { decodeId } from '../values/id.ts';
import type { ClickCounter } from './clicks.ts';

export function serveRedirects(loaders: Loaders, clicks: ClickCounter): Handler {
  return ({ method }, { offer = '' }) => lead(decodeId('offer', offer), method);

  async function lead(id: bigint | undefined, method: string): Promise<Answer> {
    const offer = id === undefined ? undefined : await loaders.offer.load(id);
    if (!offer) throw new Problem('not_found', 'There is no such offer: look the product up again for current ones.');
    if (offer.withdrawnAt) {
      throw new Problem('gone', 'The shop has withdrawn this offer: look the product up again for current ones.');
    }
    const location = webAddress(offer.link);
    if (!location) throw new Problem('not_found', 'The link of this offer leads to no shop: take another offer.');
    if (method === 'GET') clicks.count(offer.id);
    return {
      status: 302,
      headers: { Location: location, 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' },
      body: null,
    };
  }
}

/**
 * A link as a header may hold it: shops write letters that none may, and the URL standard writes them as browsers do (RFC 9110
 * §10.2.2). Nothing for what the importer would refuse: whatever else writes to the database, nobody is led to it.
 */
function webAddress(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const { protocol, username, password, href } = new URL(link);
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href : undefined;
}
