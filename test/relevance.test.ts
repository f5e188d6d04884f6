/** Lists by relevance have the same order, whatever the number of matching products, by which the service decides how to read them. */
import { expect, test } from 'vitest';
import { startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const PRODUCTS = 10_500;
const PAGE = 100;

// The last product, in the order of ids, that has a word.
const WORDS = { fewish: 500, severalish: 1_500, someish: 3_500, commonish: PRODUCTS, mixed: 30, mixedmore: 3_530 };

const INSERT = `
  INSERT INTO product (slug, name, sort_name, popularity)
  SELECT 'p' || n, 'p' || n, 'p' || n, n * 7919 % 5
  FROM generate_series(1, ${PRODUCTS}) AS n;
  INSERT INTO product_search (product_id, search)
  SELECT id, array_to_tsvector(ARRAY[slug, ${Object.entries(WORDS)
    .map(([word, most]) => `CASE WHEN substr(slug, 2)::int <= ${most} THEN '${word}' ELSE slug END`)
    .join(', ')}])
  FROM product;
  ANALYZE product;
  ANALYZE product_search`;

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await gateway.database.script(INSERT);

/** The names in the expected order: whole words first, then by rank. */
async function expected(word: string): Promise<string[]> {
  const rows = await gateway.database.query<{ name: string }>(
    `SELECT name
     FROM product
     JOIN product_search ON product_id = id
     WHERE search @@ ($1 || ':*')::tsquery
     ORDER BY search @@ $1::tsquery DESC, rank DESC, id DESC`,
    [word],
  );
  return rows.map(({ name }) => name);
}

const DOCUMENT = `
  query ($query: String!, $first: Int, $last: Int, $after: String, $before: String) {
    products(filter: { query: $query }, first: $first, last: $last, after: $after, before: $before) {
      totalCount
      totalIsExact
      nodes { name }
      pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
    }
  }`;

async function read(query: string, page: { first?: number; last?: number; after?: string; before?: string }) {
  const { body } = await gateway.graphql(DOCUMENT, { key, variables: { query, ...page } });
  expect(body.errors).toBeUndefined();
  const { nodes, ...list } = body.data.products;
  return { ...list, names: nodes.map(({ name }: { name: string }) => name) };
}

test.each([
  'fewish',
  'fewis',
  'severalish',
  'severalis',
  'someish',
  'someis',
  'commonish',
  'commonis',
  'mixed',
  'mixe',
])('of %s, pages continue each other in both directions', async (word) => {
  const names = await expected(word);
  const one = await read(word, { first: PAGE });
  const two = await read(word, { first: PAGE, after: one.pageInfo.endCursor });
  expect([...one.names, ...two.names]).toEqual(names.slice(0, 2 * PAGE));
  for (const { totalCount, totalIsExact } of [one, two]) {
    expect({ totalCount, totalIsExact }).toEqual({
      totalCount: Math.min(names.length, 10_000),
      totalIsExact: names.length <= 10_000,
    });
  }
  const back = await read(word, { last: PAGE, before: two.pageInfo.startCursor });
  expect(back.names).toEqual(one.names);
  const end = await read(word, { last: PAGE });
  expect(end.names).toEqual(names.slice(-PAGE));
  const beforeEnd = await read(word, { last: PAGE, before: end.pageInfo.startCursor });
  expect(beforeEnd.names).toEqual(names.slice(-2 * PAGE, -PAGE));
  expect([one.pageInfo.hasNextPage, end.pageInfo.hasNextPage, end.pageInfo.hasPreviousPage]).toEqual([
    true,
    false,
    true,
  ]);
});

test('a filter beside the words selects from all matches', async () => {
  const { body } = await gateway.graphql(
    '{ products(filter: { query: "fewish", minPrice: 1 }) { totalCount nodes { name } } }',
    { key },
  );
  expect(body.data.products).toEqual({ totalCount: 0, nodes: [] });
});
