/** Finds products for an operator: by an identifier of any kind, or by words. Also reads what the page of one shows. */
import { compileDocument } from '../../../graphql/compile.ts';
import { type Document, graphql } from '../../../graphql/document.ts';
import { IdentifierMalformed, IdentifierNotFound, requireProduct } from '../../../import/identifier-name.ts';
import { encodeId } from '../../../values/id.ts';
import type { Visit } from '../visit.ts';

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

/** What a product's page shows besides its contributions. */
export const PRODUCT_DOCUMENT = graphql(`
  query ConsoleProductPage($id: ID!, $days: Int!) {
    product(id: $id) {
      brandName
      categoryPath { name }
      identifiers { mpn }
      priceHistory(days: $days) {
        currency
        interval
        from
        to
        lowestEver { price date }
        points { date min max avg inStock minInStock }
      }
    }
  }`);

type ResultOf<Of> = Of extends Document<infer Result, infer _Variables> ? Result : never;
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
    const { product } = await run(ONE, visit, { id: named });
    if (product) return { products: [product], isExact: true };
  }
  const { products } = await run(LIST, visit, { query: text || null, first: PAGE, after: after ?? null });
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

const compiled = new Map<string, ReturnType<typeof compileDocument>>();

/** Runs one of the service's own documents. It is compiled once, when it is first needed. */
export async function run<Result, Variables extends object>(
  document: Document<Result, Variables>,
  { exchange, services: { shared } }: Visit,
  variables: Variables,
): Promise<Result> {
  const query = compiled.get(document) ?? compileDocument(document);
  compiled.set(document, query);
  const { data, errors } = await query({}, { ...shared, access: exchange.access }, variables);
  if (errors?.[0]) throw errors[0];
  return data as Result;
}
