/** Reads the deals of the front page: the largest falls, at most every ten seconds. */
import { LRUCache } from 'lru-cache';
import type { Context } from '../catalogue/builder.ts';
import { graphql, type ResultOf } from '../graphql/document.ts';
import { openQuery } from '../graphql/open-query.ts';
import { remembered } from '../remember.ts';

const DOCUMENT = graphql(`
  query FrontDeals($limit: Int) {
    deals(first: $limit) {
      nodes {
        price
        previous
        percent
        product { name brandName url image }
        offer { id merchantName shippingKnown url }
      }
    }
  }`);

export type FrontDeal = ResultOf<typeof DOCUMENT>['deals']['nodes'][number];

const MOST = 8;
// Deals change without the version of the catalogue, so their age bounds the cache.
const LIFE_MS = 10_000;

/** Opens the reader of deals. If the database is unavailable there are none, and the rest of the page is still of use. */
export function openFrontDeals(): (context: Context) => Promise<readonly FrontDeal[]> {
  const query = openQuery(DOCUMENT);
  const memory = new LRUCache<'deals', Promise<readonly FrontDeal[]>>({ max: 1, ttl: LIFE_MS });
  const read = async (context: Context) => (await query(context, { limit: MOST })).deals.nodes;
  return (context) => remembered(memory, 'deals', () => read(context)).catch(() => []);
}
