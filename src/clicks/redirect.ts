/** `/go/<offer_id>`: redirects to the offer in its shop and counts the click. */
import type { Loaders } from '../catalogue/loaders.ts';
import type { Answer, Handler } from '../http/exchange.ts';
import { Problem } from '../problem.ts';
import { decodeId } from '../values/id.ts';
import type { ClickCounter } from './clicks.ts';

export function serveRedirects(loaders: Loaders, clicks: ClickCounter): Handler {
  return async ({ method }, { offer: asked = '' }): Promise<Answer> => {
    const id = decodeId('offer', asked);
    const offer = id === undefined ? undefined : await loaders.offer.load(id);
    if (!offer) {
      throw new Problem('not_found', 'No offer has this id. Look up the product again for its current offers.');
    }
    if (offer.withdrawnAt) {
      throw new Problem('gone', 'The shop has withdrawn this offer. Look up the product again for its current offers.');
    }
    const location = webAddress(offer.link);
    if (!location) {
      throw new Problem('not_found', 'The link of this offer is not a valid web address. Choose another offer.');
    }
    if (method === 'GET') clicks.count(offer);
    return {
      status: 302,
      headers: { Location: location, 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' },
      body: null,
    };
  };
}

/** A link as a valid `Location` header (RFC 9110 §10.2.2), encoded as browsers do; `undefined` for links that the importer would reject. */
function webAddress(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const { protocol, username, password, href } = new URL(link);
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href : undefined;
}
