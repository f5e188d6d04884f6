/** Reads the products of a page of search results, like REST with a GraphQL document that runs in process. */
import type { Context } from '../../catalogue/builder.ts';
import { graphql, type ResultOf } from '../../graphql/document.ts';
import { openQuery } from '../../graphql/open-query.ts';

const DOCUMENT = graphql(`
  query SearchResults($filter: ProductFilter, $limit: Int, $cursor: String) {
    products(filter: $filter, first: $limit, after: $cursor) {
      nodes { id name brandName url image priceStats { currency min minShippingKnown offerCount } }
      pageInfo { hasNextPage endCursor }
      totalCount
      totalIsExact
    }
  }`);

export type Results = ResultOf<typeof DOCUMENT>['products'];

/** What a visitor searches for: at least one of these. */
export interface Searched {
  query?: string;
  brand?: string;
  category?: string;
}

const ON_A_PAGE = 24;

/** Opens the reader of results. */
export function openResults(): (filter: Searched, cursor: string | undefined, context: Context) => Promise<Results> {
  const query = openQuery(DOCUMENT);
  return async (filter, cursor, context) => (await query(context, { filter, limit: ON_A_PAGE, cursor })).products;
}
