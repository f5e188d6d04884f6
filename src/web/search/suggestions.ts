/** `/suggest?q=`: what a visitor may be typing, with pictures and prices, for the search field of pages. Free, limited by address, and cached. */
import type { Context } from '../../catalogue/builder.ts';
import { LONGEST_QUERY } from '../../catalogue/search/text-search.ts';
import { TAG, type Tag, tagOf } from '../../catalogue/tags.ts';
import { present } from '../../database/batch.ts';
import { graphql, type ResultOf } from '../../graphql/document.ts';
import { openQuery } from '../../graphql/open-query.ts';
import type { Exchange, Handler } from '../../http/exchange.ts';
import { type FreeWork, PRICE_OF_PAGE } from '../../http/free-work.ts';
import { Problem } from '../../problem.ts';
import { type Keeping, openKeeping, respond, writeAnswer } from '../../rest/kept-answers.ts';
import { decodeId } from '../../values/id.ts';
import { priceFormat } from '../../values/price-format.ts';
import { shippingRemark } from '../product/words.ts';
import { SEARCH_PATH } from './search-form.tsx';

const DOCUMENT = graphql(`
  query Suggestions($query: String!, $limit: Int!) {
    search(query: $query, limit: $limit) {
      type
      name
      slug
      url
      product { id brandName image priceStats { currency min minShippingKnown } }
    }
  }`);

export const SUGGEST_PATH = '/suggest';
const MOST = 8;

/** A suggestion as the script of the search field reads it. */
export interface ShownSuggestion {
  type: 'product' | 'brand' | 'category';
  name: string;
  /** Where it leads. */
  url: string;
  /** Of a product: its brand, its picture, and its lowest price as text, if known, with what is to be said of its shipping. */
  brand?: string;
  image?: string;
  price?: string;
}

/** The text that a visitor searches for, as `q` of a query. @throws {Problem} `invalid_parameter` */
export function searchedText({ search }: Pick<Exchange, 'search'>): string {
  const text = (new URLSearchParams(search).get('q') ?? '').trim().replaceAll(/\s+/g, ' ');
  if (text.length <= LONGEST_QUERY && !text.includes('\0')) return text;
  throw new Problem('invalid_parameter', `\`q\` must be up to ${LONGEST_QUERY} characters: shorten it.`, {
    parameter: 'q',
  });
}

/** Serves suggestions. */
export function serveSuggestions(shared: Omit<Context, 'access'>, keeping: Keeping, freeWork: FreeWork): Handler {
  const query = openQuery(DOCUMENT);
  const keepWork = openKeeping(keeping);

  return async (exchange) => {
    const text = searchedText(exchange);
    const work = async () => {
      const context = { ...shared, access: exchange.access };
      const found = text === '' ? [] : (await query(context, { query: text, limit: MOST })).search;
      const answer = writeAnswer(JSON.stringify({ data: found.map(shown) }), {
        'Content-Type': 'application/json',
        'Cache-Control': 'public, max-age=30',
        'X-Robots-Tag': 'noindex',
      });
      return { answer, tags: () => [TAG.search, ...found.flatMap(tagsOf)] };
    };
    const queued = freeWork.queued(exchange, PRICE_OF_PAGE);
    return respond(exchange, await keepWork(`${SUGGEST_PATH} ${text}`, work, queued));
  };
}

type Found = ResultOf<typeof DOCUMENT>['search'][number];

const tagsOf = ({ product }: Found): Tag[] =>
  product ? [tagOf('product', present(decodeId('product', product.id)))] : [];

function shown({ type, name, slug, url, product }: Found): ShownSuggestion {
  if (!product) return { type, name, url: `${SEARCH_PATH}?${type}=${encodeURIComponent(slug)}` };
  const { brandName, image, priceStats } = product;
  return {
    type,
    name,
    url,
    ...(brandName && { brand: brandName }),
    ...(image?.startsWith('https://') && { image }),
    ...(priceStats.min !== null && {
      price: priceFormat(priceStats.currency)(priceStats.min) + shippingRemark(priceStats.minShippingKnown),
    }),
  };
}
