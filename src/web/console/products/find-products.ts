/** Finds products for an operator: by an identifier of any kind, or by words. */
import { graphql, type ResultOf } from '../../../graphql/document.ts';
import { IdentifierMalformed, IdentifierNotFound, requireProduct } from '../../../import/identifier-name.ts';
import { encodeId } from '../../../values/id.ts';
import type { Visit } from '../visit.ts';
import { openVisitQuery } from '../visit-query.ts';

/** The longest text to search for. */
export const LONGEST_PRODUCT_QUERY = 100;
const PAGE = 25;

const LIST = graphql(`
  query ConsoleProducts($query: String, $first: Int!, $after: String) {
    products(filter: { query: $query }, first: $first, after: $after) {
      nodes { id name brandName identifiers { ean asin mpn } priceStats { currency min offerCount } }
      pageInfo { hasNextPage endCursor }
    }
  }`);

const ONE = graphql(`
  query ConsoleProductById($id: ID!) {
    product(id: $id) { id name brandName identifiers { ean asin mpn } priceStats { currency min offerCount } }
  }`);

const readList = openVisitQuery(LIST);
const readOne = openVisitQuery(ONE);

type Listed = ResultOf<typeof LIST>['products'];
export type ListedProduct = Listed['nodes'][number];

export interface ProductPage {
  products: readonly ListedProduct[];
  /** Whether the text is an identifier, a slug or an id, which only this product has. */
  isExact: boolean;
  next?: string;
}

/** @throws {Problem} `invalid_parameter` for a cursor of another list. */
export async function findProducts(visit: Visit, text: string, after: string | undefined): Promise<ProductPage> {
  const named = after === undefined ? await nameProduct(visit, text) : undefined;
  if (named !== undefined) {
    const { product } = await readOne(visit, { id: named });
    if (product) return { products: [product], isExact: true };
  }
  const { products } = await readList(visit, { query: text || null, first: PAGE, after: after ?? null });
  const { hasNextPage, endCursor } = products.pageInfo;
  return {
    products: products.nodes,
    isExact: false,
    ...(hasNextPage && endCursor !== null && { next: endCursor }),
  };
}

/** The id of the product with this GTIN, ASIN, slug or id. */
async function nameProduct({ services: { database } }: Visit, text: string): Promise<string | undefined> {
  if (text === '') return undefined;
  try {
    return encodeId('product', (await requireProduct(database, text)).id);
  } catch (error) {
    // Then the text is words.
    if (error instanceof IdentifierNotFound || error instanceof IdentifierMalformed) return undefined;
    throw error;
  }
}
