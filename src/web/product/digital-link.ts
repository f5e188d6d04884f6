/**
 * `/01/<gtin>`: resolves GS1 Digital Links, which tills and phones read from packages (GS1 Digital Link Standard: Resolution). Redirects to
 * the product's page, or lists its links for clients that ask for a linkset (RFC 9264).
 */
import type { Context } from '../../catalogue/builder.ts';
import { productUrl } from '../../catalogue/market.ts';
import type { Answer, Exchange, Handler } from '../../http/exchange.ts';
import { headerOf } from '../../http/exchange.ts';
import { Problem } from '../../problem.ts';
import { respond } from '../../rest/kept-answers.ts';
import { chooseRepresentation } from '../../rest/representation.ts';
import { readCode } from '../../values/codes/read-code.ts';
import { encodeId } from '../../values/id.ts';
import { writePage } from '../answer-page.tsx';
import type { Site } from '../layout.tsx';
import { prefersHtml } from '../prefers-html.ts';
import { noSuchProduct } from './page.tsx';

const LINKSET = 'application/linkset+json';
const CACHE = { 'Cache-Control': 'public, max-age=60', Vary: 'Accept' };

/** Serves `/01/{gtin}`. The number has 8, 12, 13 or 14 digits; qualifiers such as a batch do not change the product. */
export function serveDigitalLinks(shared: Pick<Context, 'loaders' | 'market'>, site: Site): Handler {
  return async (exchange, { gtin: path = '' }) => {
    const [gtin = ''] = path.split('/', 1);
    const reading = /^(?:\d{8}|\d{12,14})$/.test(gtin) ? readCode(`(01)${gtin}`) : undefined;
    if (!reading?.ok) {
      return refuse(
        exchange,
        'invalid_parameter',
        'A Digital Link has a GTIN of 8, 12, 13 or 14 digits after `/01/`: check the link.',
      );
    }
    const {
      readings: [found],
      suggestion,
    } = reading;
    if (!found) return refuse(exchange, 'not_found', suggestion?.detail ?? '');
    const whole = await shared.loaders.productByIdentifier.load({ kind: 'gtin', value: found.normalized }, exchange);
    if (!whole)
      return refuse(exchange, 'not_found', `No product has the GTIN ${gtin}: check the number, or search by name.`);
    const { market } = shared;
    const { product } = whole;
    const anchor = `${market.publicUrl}/01/${found.normalized}`;
    const location = productUrl(market, product);
    const wantsLinks =
      /[?&]linkType=(?:linkset|all)(?:&|$)/.test(exchange.search) ||
      chooseRepresentation(headerOf(exchange, 'accept'), ['text/html', LINKSET]) === LINKSET;
    if (wantsLinks) {
      const page = { href: location, title: product.name, type: 'text/html' };
      const data = {
        href: `${market.publicUrl}/api/v1/products/${encodeId('product', product.id)}`,
        title: product.name,
        type: 'application/json',
      };
      const body = JSON.stringify({
        linkset: [{ anchor, [`${VOCABULARY}defaultLink`]: [page], [`${VOCABULARY}pip`]: [page], item: [data] }],
      });
      return {
        status: 200,
        headers: { ...CACHE, 'Content-Type': LINKSET, 'Content-Length': String(Buffer.byteLength(body)) },
        body,
      };
    }
    const link = `<${anchor}?linkType=linkset>; rel="linkset"; type="${LINKSET}"`;
    return { status: 307, headers: { ...CACHE, Location: location, Link: link }, body: null };
  };

  function refuse(exchange: Exchange, code: 'not_found' | 'invalid_parameter', detail: string): Answer {
    const problem = new Problem(code, detail, code === 'not_found' ? {} : { parameter: 'gtin' });
    if (!prefersHtml(exchange, ['application/json'])) throw problem;
    return respond(exchange, writePage(noSuchProduct(detail), site, { status: problem.status, headers: CACHE }));
  }
}

const VOCABULARY = 'https://gs1.org/voc/';
