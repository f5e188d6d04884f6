/** Typeahead search: products, brands and categories that match the text typed so far, best first. */
import { encodeId } from '../../values/id.ts';
import { foldName } from '../../values/words.ts';
import { requireUpTo } from '../arguments.ts';
import { Brand } from '../brand/brand.ts';
import { builder, type Context } from '../builder.ts';
import { Category } from '../category/category.ts';
import { cost, wholeArgument } from '../field-cost.ts';
import { productUrl } from '../market.ts';
import { findByIdentifier } from '../product/find-by-identifier.ts';
import { Product } from '../product/product.ts';
import {
  distinctWords,
  LONGEST_QUERY,
  type Match,
  matchExactly,
  matchPrefixes,
  matchWidely,
  readQuery,
} from './text-search.ts';

export const DEFAULT_SUGGESTIONS = 10;
export const MOST_SUGGESTIONS = 25;

const KINDS = ['brand', 'category', 'product'] as const;

interface SuggestionRow {
  type: (typeof KINDS)[number];
  id: bigint;
  slug: string;
  name: string;
}

// The most products outside the most popular ones to compare. If more match, they hardly differ.
const MOST_RARE = 1_000;

// Of a million products, one in fifty is popular: the sieve then finds about 7,500, which take as long to read as the fine sieve.
const MOST_SIEVED = 150;

// Finds what one way to match ($1) finds and the previous one ($2) does not, products by rank. It searches the list of the most
// popular products first. Only if these are too few, so that matches are rare, it searches the index of all products with the sieve
// ($5), or with the fine sieve ($6), if any, if the sieve finds too many of the popular products to read all that it finds. `strip` keeps
// the rest of the query from that index. A brand or category with exactly the typed name ($4) comes first.
const SUGGESTIONS = `
  WITH popular AS MATERIALIZED (
    SELECT product_id AS id, rank
    FROM popular_product
    WHERE search @@ $1::tsquery AND (search @@ $2::tsquery) IS NOT TRUE
    ORDER BY rank DESC, product_id DESC
    LIMIT $3
  ), sieved AS MATERIALIZED (
    SELECT $6::text IS NOT NULL AND count(*) > ${MOST_SIEVED} AS are_many
    FROM popular_product
    WHERE $6::text IS NOT NULL AND search @@ $5::tsquery
  ), rare AS MATERIALIZED (
    SELECT product_id
    FROM product_search
    WHERE (SELECT count(*) FROM popular) < $3
      AND NOT (SELECT are_many FROM sieved)
      AND search @@ $5::tsquery
      AND strip(search) @@ $1::tsquery
      AND (strip(search) @@ $2::tsquery) IS NOT TRUE
    UNION ALL
    SELECT product_id
    FROM product_search
    WHERE (SELECT count(*) FROM popular) < $3
      AND (SELECT are_many FROM sieved)
      AND search @@ $6::tsquery
      AND strip(search) @@ $1::tsquery
      AND (strip(search) @@ $2::tsquery) IS NOT TRUE
    LIMIT ${MOST_RARE}
  ), best AS (
    SELECT id, rank FROM popular WHERE (SELECT count(*) FROM popular) = $3
    UNION ALL
    SELECT id, product.rank FROM rare JOIN product ON product.id = rare.product_id
    ORDER BY rank DESC, id DESC
    LIMIT $3
  )
  (
    SELECT 'product' AS type, product.id, product.slug, product.name
    FROM best
    JOIN product ON product.id = best.id
    ORDER BY best.rank DESC, best.id DESC
  )
  UNION ALL (
    SELECT 'brand', id, slug, name
    FROM brand
    WHERE search @@ $1::tsquery AND (search @@ $2::tsquery) IS NOT TRUE AND product_count > 0
    ORDER BY sort_name = $4 DESC, product_count DESC, id DESC
    LIMIT $3
  )
  UNION ALL (
    SELECT 'category', id, slug, name
    FROM category
    WHERE search @@ $1::tsquery AND (search @@ $2::tsquery) IS NOT TRUE AND total_count > 0
    ORDER BY sort_name = $4 DESC, total_count DESC, id DESC
    LIMIT $3
  )`;

/**
 * Finds suggestions. A GTIN or an ASIN gives its product. Otherwise exact names come first, then the ways that words can match
 * (exact, prefix, other reading, typing error), each with brands, categories and products in turn: products by rank, the others by their number of products.
 */
async function suggest(query: string, limit: number, context: Context): Promise<SuggestionRow[]> {
  const { catalogue, loaders } = context;
  const productId = await findByIdentifier(query, context);
  const named = productId === undefined ? undefined : await loaders.product.load(productId);
  if (named) return [{ type: 'product', id: named.id, slug: named.slug, name: named.name }];
  const words = distinctWords(query);
  if (words.length === 0) return [];
  const folded = foldName(query);
  const found: SuggestionRow[] = [];
  const read = async ({ query, sieve, fineSieve }: Match, before?: Match) => {
    if (found.length >= limit) return;
    // Null excludes nothing. PostgreSQL would answer an empty query with a notice.
    const parameters = [query, before?.query ?? null, limit, folded, sieve, fineSieve ?? null];
    found.push(
      ...inTurn(await catalogue.query<SuggestionRow>(SUGGESTIONS, parameters, { name: 'suggestions' }), folded),
    );
  };
  const [exact, prefixes] = [matchExactly(words), matchPrefixes(words)];
  await read(exact);
  await read(prefixes, exact);
  let before = prefixes;
  for (const wider of found.length < limit ? await matchWidely(catalogue, query, 'typed') : []) {
    await read(wider, before);
    before = wider;
  }
  return found.slice(0, limit);
}

/** The best of each kind, then the second of each, because the popularities of different kinds are not comparable. */
function inTurn(rows: readonly SuggestionRow[], folded: string): SuggestionRow[] {
  const ofKind = KINDS.map((kind) => rows.filter(({ type }) => type === kind));
  const turns = Math.max(...ofKind.map((each) => each.length));
  const present = Array.from({ length: turns }, (_, turn) => ofKind.flatMap((each) => each[turn] ?? [])).flat();
  const isNamed = (row: SuggestionRow) => foldName(row.name) === folded;
  return [...present.filter(isNamed), ...present.filter((row) => !isNamed(row))];
}

const SuggestionType = builder.enumType('SuggestionType', {
  description: 'The kind of a suggestion.',
  values: {
    product: { description: 'A product.' },
    brand: { description: 'A brand: leads to the list of its products.' },
    category: { description: 'A category: leads to the list of its products.' },
  },
});

const Suggestion = builder.objectRef<SuggestionRow>('Suggestion').implement({
  description: 'A typeahead suggestion.',
  fields: (t) => ({
    type: t.expose('type', { type: SuggestionType, description: 'Its kind.' }),
    id: t.id({
      description: 'The opaque id of the product, brand or category.',
      resolve: ({ type, id }) => encodeId(type, id),
    }),
    slug: t.exposeString('slug', { description: 'The name in addresses.' }),
    name: t.exposeString('name', { description: 'The name to show.' }),
    url: t.string({
      description: 'The URL of the page of a product, or of the product list of a brand or category.',
      resolve: ({ type, slug, id }, _arguments, { market }) =>
        type === 'product' ? productUrl(market, { slug, id }) : `${market.publicUrl}/api/v1/products?${type}=${slug}`,
    }),
    product: t.field({
      type: Product,
      nullable: true,
      description: 'The product, if it is one.',
      resolve: ({ type, id }, _arguments, { loaders }) => (type === 'product' ? loaders.product.load(id) : null),
    }),
    brand: t.field({
      type: Brand,
      nullable: true,
      description: 'The brand, if it is one.',
      resolve: ({ type, id }, _arguments, { loaders }) => (type === 'brand' ? loaders.brand.load(id) : null),
    }),
    category: t.field({
      type: Category,
      nullable: true,
      description: 'The category, if it is one.',
      resolve: ({ type, id }, _arguments, { loaders }) => (type === 'category' ? loaders.category.load(id) : null),
    }),
  }),
});

builder.queryField('search', (t) =>
  t.field({
    type: [Suggestion],
    ...cost({ items: (argument) => wholeArgument(argument('limit'), DEFAULT_SUGGESTIONS, MOST_SUGGESTIONS) }),
    description: 'Typeahead suggestions, best first.',
    args: {
      query: t.arg.string({
        required: true,
        description: `The typed text, 1 to ${LONGEST_QUERY} characters: prefixes of words, a GTIN or an ASIN.`,
      }),
      limit: t.arg.int({
        description: `The number of suggestions, 1 to ${MOST_SUGGESTIONS}; ${DEFAULT_SUGGESTIONS} by default.`,
      }),
    },
    resolve: (_root, { query, limit }, context) => {
      requireUpTo(MOST_SUGGESTIONS, 'limit', limit);
      return suggest(readQuery(query) ?? '', limit ?? DEFAULT_SUGGESTIONS, context);
    },
  }),
);
