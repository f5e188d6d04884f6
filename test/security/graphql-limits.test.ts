/** The limits of a GraphQL operation, and the immediate refusal of larger ones (OWASP GraphQL Cheat Sheet). */
import { readFileSync } from 'node:fs';
import { getIntrospectionQuery, getNullableType, isIntrospectionType, isListType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { costOfField } from '../../src/catalogue/field-cost.ts';
import { MOST_LOOKUPS } from '../../src/catalogue/lookup/lookup.ts';
import { introspectionSize, longestIntrospection } from '../../src/graphql/introspection-size.ts';
import { openLimits } from '../../src/graphql/limits.ts';
import { findOperation, readDocument } from '../../src/graphql/operation.ts';
import { schema } from '../../src/graphql/schema.ts';
import { ROUTES } from '../../src/rest/routes.ts';
import { EXAMPLES } from '../../src/web/graphiql-examples.ts';
import { type Asking, startTestGateway } from '../harness/gateway.ts';
import { forFile, forTest } from '../harness/lifetime.ts';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('pro');

const remaining = async () => Number((await gateway.get('/nothing', { key })).headers.get('x-quota-remaining'));
const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join(' ');

const doubling = (levels: number, field = '') =>
  `query { product(id: "a") { ...F0 } }
   ${repeat(levels, (level) => `fragment F${level} on Product { ${field} ...F${level + 1} ...F${level + 1} }`)}
   fragment F${levels} on Product { name }`;

const HOSTILE: [what: string, query: string, told: RegExp, variables?: Record<string, unknown>][] = [
  ['10,000 aliases of one field', `{ plans { ${repeat(10_000, (i) => `a${i}: name`)} } }`, /more than 4000 tokens/],
  [
    '300 aliases of one root field',
    `{ ${repeat(300, (i) => `a${i}: viewer { used }`)} }`,
    /300 aliases, but the limit is 250/,
  ],
  ['fragments that double 40 times', doubling(40), /more than a billion values/],
  ['fragments that double 200 times', doubling(200, 'id'), /more than a billion values/],
  [
    'lists of a hundred in lists of a hundred in lists of a hundred',
    `{ products(first: 100) { nodes { offers { product { offers { product { offers { product { offers { id } } } } } } } } } }`,
    /could have more than a billion values, but the limit is 100000/,
  ],
  [
    'ten years of prices by day for a hundred products',
    `query Q($days: Int = 3650) { products(first: 100) { nodes { priceHistory(days: $days) { points { date min } } } } }`,
    /request shorter lists/,
  ],
  [
    'a long list through a variable',
    `query Q($many: Int!) { products(first: $many) { edges { node { offers { product { offers { id price product { offers { id } } } } } } } } }`,
    /values/,
    { many: 100 },
  ],
  [
    'thirty levels',
    `{ categories { ${'parent { '.repeat(30)} id ${'}'.repeat(30)} } }`,
    /32 levels of fields, but the limit is 20/,
  ],
  [
    '500 directives',
    `{ plans { ${repeat(50, () => `... @include(if: true) { id ${repeat(9, () => '@skip(if: false)')} }`)} } }`,
    /directives, but the limit is 100/,
  ],
  ['the same field 900 times', `{ ${repeat(900, () => 'viewer { remaining }')} }`, /too many fields in one place/],
  [
    'variables with lists nested 100 deep',
    'query Q($a: [Int!]) { plans { id } }',
    /variables have more than 20 levels/,
    { a: JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`) },
  ],
  [
    'the schema ten times',
    `{ ${repeat(10, (i) => `s${i}: __schema { ...S }`)} } fragment S on __Schema { ${wholeSchema()} }`,
    /response to the introspection would have more than \d+ characters/,
  ],
  [
    'one type 20 times with all its descriptions 30 times',
    `{ ${repeat(20, (i) => `t${i}: __type(name: "Query") { ...T }`)} } fragment T on __Type { fields { ${'description args { description } '.repeat(30)} } }`,
    /response to the introspection would have more than \d+ characters/,
  ],
  [
    '21 aliases of free fields',
    `{ ${repeat(21, (i) => `a${i}: __typename`)} plans { id } }`,
    /21 aliases, but the limit is 20/,
  ],
  [
    'histories of a hundred products 46 times',
    `{ products(first: 100) { nodes { ${repeat(46, (i) => `h${i}: priceHistory(days: 90, merchant: "a") { currency }`)} } } }`,
    /could have \d+ values/,
  ],
  [
    'ten years of history for a hundred products, without selecting any point',
    '{ products(first: 100) { nodes { priceHistory(days: 3650) { currency } } } }',
    /could have \d+ values/,
  ],
  [
    'a long alias in nested lists',
    `{ products(first: 100) { nodes { offers(first: 6) { product { ${'a'.repeat(101)}: __typename } } } } }`,
    /An alias has 101 characters, but the limit is 100/,
  ],
  [
    'one field 121 times in a free document',
    `{ ${repeat(121, () => '__type(name: "Query") { name }')} }`,
    /242 fields, but the limit for a free document is 120/,
  ],
  [
    'type names through the whole schema',
    `{ __schema { types { fields { type { ${repeat(18, (i) => `${'a'.repeat(98)}${10 + i}: __typename`)} } args { type { __typename ofType { __typename ofType { __typename } } } } } } } }`,
    /response to the introspection would have more than \d+ characters/,
  ],
  [
    'histories of eleven time spans',
    `{ product(id: "a") { ${repeat(11, (i) => `h${i}: priceHistory(days: ${i + 1}) { currency }`)} } }`,
    /11 different time spans or filters, but the limit is 10/,
  ],
  [
    'statistics with eleven filters',
    `{ product(id: "a") { ${repeat(11, (i) => `s${i}: statistics(days: ${i + 1}, condition: new) { current }`)} } }`,
    /11 different time spans or filters, but the limit is 10/,
  ],
  [
    'statistics of a hundred products six times',
    `{ products(first: 100) { nodes { ${repeat(6, (i) => `s${i}: statistics(days: 30) { current }`)} } } }`,
    /could have \d+ values/,
  ],
  [
    'all facets a hundred times',
    `{ products { ${repeat(100, (i) => `f${i}: facets { brands { count } categories { count } }`)} } }`,
    /values/,
  ],
  [
    'down and up the category tree many times',
    `{ categories { ${'children { parent { '.repeat(7)} id ${'} }'.repeat(7)} } }`,
    /values/,
  ],
];

function wholeSchema(): string {
  const type = 'name kind ofType { name kind ofType { name kind ofType { name kind ofType { name kind } } } }';
  return `types { name kind fields { name type { ${type} } args { name type { ${type} } } } inputFields { type { ${type} } } }`;
}

describe('an operation above a limit', () => {
  test.each(HOSTILE)('is refused with its size and the limit: %s', async (_what, query, told, variables) => {
    const before = await remaining();
    const { status, body } = await gateway.graphql(query, { key, ...(variables && { variables }) });
    expect(body.errors[0].message).toMatch(told);
    expect(status).toBe(400);
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].extensions).toMatchObject({
      code: 'operation_too_complex',
      status: 400,
      parameter: expect.stringMatching(/^(query|variables)$/),
    });
    expect(body.data).toBeUndefined();
    // A refusal costs one request for any number of root fields; introspection is free.
    expect(before - (await remaining())).toBe(
      /__schema|__type\(|plans/.test(query) && !/tokens/.test(told.source) ? 0 : 1,
    );
  });

  test('is refused for a missing key first', async () => {
    const { status, body } = await gateway.graphql(doubling(40));
    expect([status, body.errors[0].extensions.code]).toEqual([401, 'missing_api_key']);
  });

  test('is checked in a time proportional to its length, not to its expanded fragments', () => {
    const refuse = openLimits(schema(), true);
    const timeOf = (query: string) => {
      const startedAt = performance.now();
      refuse(query, undefined, {});
      return performance.now() - startedAt;
    };
    for (const [, query] of HOSTILE) expect(timeOf(query)).toBeLessThan(1_000);
    const spreads = `{ ${repeat(190, (i) => `...F${i}`)} } ${repeat(190, (i) => `fragment F${i} on Query { plans { id } ...F${(i + 1) % 190} }`)}`;
    expect(timeOf(spreads)).toBeLessThan(1_000);
  });

  test('with circular fragments gets the error of GraphQL itself', async () => {
    const circle = '{ product(id: "a") { ...A } } fragment A on Product { ...B } fragment B on Product { ...A }';
    const { body } = await gateway.graphql(circle, { key });
    expect(body.errors[0].message).toMatch(/within itself via "B"/);
  });
});

describe('an operation that clients need', () => {
  const pass = (query: string, variables: Record<string, unknown> = {}, name?: string) =>
    openLimits(schema(), true)(query, name, variables);

  test.each(
    ROUTES.flatMap(({ name, source }) => ('document' in source ? [[name, source.document] as const] : [])),
  )('passes: the route %s', (_name, document) => {
    expect(pass(document)).toBeUndefined();
    expect(pass(document, { first: 100, limit: 100, days: 3_650 })).toBeUndefined();
  });

  test.each(
    EXAMPLES.map(({ query, variables }) => [query, variables] as const),
  )('passes: the example %s', (query, variables) => {
    expect(pass(query, variables)).toBeUndefined();
  });

  test.each(
    Object.values(
      JSON.parse(
        readFileSync(
          new URL('../../examples/graphql-client/generated/persisted-documents.json', import.meta.url),
          'utf8',
        ),
      ) as Record<string, string>,
    ),
  )('passes: the example client’s %s', (query) => {
    expect(pass(query)).toBeUndefined();
  });

  test('passes: the full introspection query of GraphiQL and code generators', async () => {
    const query = getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    });
    const { status, body } = await gateway.graphql(query);
    expect([status, body.errors]).toEqual([200, undefined]);
    // The limit is about twice the size of the schema.
    const characters = JSON.stringify(body.data).length;
    const most = longestIntrospection(schema());
    expect(most / characters).toBeGreaterThan(1.7);
    expect(most / characters).toBeLessThan(2.5);
  });

  test('passes: a hundred lookups with all offers and half a year of weekly prices', async () => {
    const query = `query Q($identifiers: [IdentifierInput!]!) {
      lookups(identifiers: $identifiers) {
        identifier { ean asin mpn }
        product { id slug name brandName image description attributes { name value } categoryPath { id name }
          priceHistory(days: 180, interval: week) { lowestEver { price date } points { date min max avg } } }
        priceStats { currency min max lowestEver offerCount }
        offers { id merchant { id slug name } price shipping totalPrice currency availability condition url updatedAt }
      }
    }`;
    const identifiers = Array.from({ length: MOST_LOOKUPS }, () => ({ ean: '4006381333931' }));
    const { status, body } = await gateway.graphql(query, { key, variables: { identifiers } });
    expect([status, body.errors]).toEqual([200, undefined]);
  });

  test('passes: a hundred lookups by aliases, each written in full', async () => {
    const query = `{ ${repeat(100, (i) => `l${i}: lookup(ean: "4006381333931") { product { name } priceStats { min max } offers { merchantName totalPrice url } }`)} }`;
    const { status, body } = await gateway.graphql(query, { key });
    expect([status, body.errors]).toEqual([200, undefined]);
  });
});

describe('the estimate', () => {
  test('has a declared size for every list in the schema', () => {
    for (const type of Object.values(schema().getTypeMap())) {
      if (!isObjectType(type) || isIntrospectionType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        const { items, isSizedByParent } = costOfField(field);
        const isDeclared = items !== undefined || isSizedByParent === true;
        const name = `${type.name}.${field.name}`;
        expect([name, isDeclared]).toEqual([name, isListType(getNullableType(field.type))]);
      }
    }
  });
});

describe('without a key', () => {
  test('the response to an introspection is limited in size, whatever it repeats', async () => {
    // 125 aliases of a type with 125 aliased descriptions each gave 27 MB for 2.5 KB.
    const descriptions = repeat(125, (i) => `d${i}: description`);
    const query = `{ ${repeat(125, (i) => `t${i}: __type(name: "Query") { fields { ...D } }`)} } fragment D on __Field { ${descriptions} }`;
    for (const own of [undefined, key]) {
      const { status, text } = await gateway.graphql(query, own === undefined ? {} : { key: own });
      expect(status).toBe(400);
      expect(text.length).toBeLessThan(1_000);
    }
  });

  test.each([
    ['that end in a missing fragment', '...Missing'],
    ['that end in a circle', '...F0'],
    ['that end in a type name', '__typename'],
  ])('introspection fragments that double 60 times are visited once each: %s', (_what, end) => {
    const levels = repeat(60, (i) => `fragment F${i} on __Schema { ...F${i + 1} ...F${i + 1} }`);
    const query = `{ __schema { ...F0 } } ${levels} fragment F60 on __Schema { ${end} }`;
    const read = readDocument(query);
    const operation = findOperation(read, undefined);
    if (!operation) throw new Error('The document cannot be read.');
    expect(introspectionSize(schema(), operation, {}, 1_000_000)).toBeLessThan(1_000);
  });

  test('several types may be requested within the limit', async () => {
    const { status, body } = await gateway.graphql(
      '{ a: __type(name: "Query") { name } b: __type(name: "Offer") { name } }',
    );
    expect([status, body.data]).toEqual([200, { a: { name: 'Query' }, b: { name: 'Offer' } }]);
  });
});

describe('an event of a subscription', () => {
  test('may have at most a thousand values: larger ones are refused before the subscription opens', async () => {
    const open = (selection: string) =>
      gateway.graphql(`subscription { priceChanged(productIds: ["thing"]) { ${selection} } }`, { key });
    const { status, body } = await open(
      'product { offers { id price shipping totalPrice currency availability condition url updatedAt merchantName merchant { id } } }',
    );
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'operation_too_complex']);
    expect(body.errors[0].message).toMatch(
      /Each event could have \d+ values, but the limit is 1000: request shorter lists/,
    );
    // With fewer offers the request passes the limit and fails only because the product does not exist.
    const fewer = await open('product { offers(first: 10) { id price shipping totalPrice currency } }');
    expect(fewer.body.errors[0].extensions.code).toBe('not_found');
  });
});

describe('a batch', () => {
  test.each([
    ['of two', [{ query: '{ plans { id } }' }, { query: '{ viewer { used } }' }]],
    ['of none', []],
  ])('is refused with an alternative: %s', async (_what, operations) => {
    const { status, body } = await gateway.get('/graphql', posted(JSON.stringify(operations)));
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({
      message: expect.stringContaining('`lookups`'),
      extensions: { code: 'invalid_parameter', status: 400 },
    });
  });
});

describe('with GRAPHQL_INTROSPECTION=off', () => {
  const startClosed = async () => {
    const closed = await forTest(startTestGateway({ GRAPHQL_INTROSPECTION: 'off' }));
    return closed;
  };

  test('introspection is refused with a reason, and errors suggest no names', async () => {
    const closed = await startClosed();
    const own = await closed.makeKey('pro');
    for (const query of [
      getIntrospectionQuery(),
      '{ __type(name: "Query") { name } }',
      '{ ...F } fragment F on Query { __schema { types { name } } }',
    ]) {
      const { status, body } = await closed.graphql(query, { key: own.key });
      expect([status, body.errors[0].extensions.code]).toEqual([403, 'introspection_disabled']);
    }
    const mistyped = await closed.graphql('{ produkt(id: "a") { name } viewer { name(a: 1) } }', { key: own.key });
    expect(mistyped.text).toContain('Cannot query field');
    expect(mistyped.text).not.toContain('Did you mean');
    expect((await closed.graphql('{ __typename plans { __typename } }')).status).toBe(200);
  });

  test('GraphiQL is neither served nor linked, because it cannot work', async () => {
    const closed = await startClosed();
    const headers = { accept: 'text/html' };
    for (const path of ['/', '/docs', '/docs/api', '/products/none']) {
      expect([path, (await closed.get(path, { headers })).text.includes('GraphiQL</a>')]).toEqual([path, false]);
      expect([path, (await gateway.get(path, { headers })).text.includes('GraphiQL</a>')]).toEqual([path, true]);
    }
  });

  test('the page at /graphql says that GraphiQL is disabled and links to the documentation', async () => {
    const closed = await startClosed();
    for (const accept of ['text/html', 'text/html,application/xhtml+xml,*/*;q=0.8']) {
      const { status, headers, text } = await closed.get('/graphql', { headers: { accept } });
      expect([status, headers.get('vary')]).toEqual([404, expect.stringMatching(/^Accept\b/)]);
      expect(text).toContain('GraphiQL is disabled');
      const [, guide = ''] = /href="([^"#]*#[^"]*)">guide/.exec(text) ?? [];
      const page = await closed.get(guide, { headers: { accept: 'text/html' } });
      expect(page.text).toContain(`id="${guide.split('#')[1]}"`);
    }
    // An operation in the URL is answered in a browser too.
    const operation = await closed.get('/graphql?query={plans{id}}', { headers: { accept: 'text/html, */*;q=0.8' } });
    expect([operation.status, operation.body.data.plans.length > 0]).toEqual([200, true]);
  });
});

test('with introspection, the error for a mistyped field suggests the right name', async () => {
  expect((await gateway.graphql('{ viewer { uses } }', { key })).text).toContain('Did you mean');
});

const posted = (body: BodyInit, headers: Record<string, string> = {}): Asking => ({
  method: 'POST',
  key,
  headers: { 'content-type': 'application/json', ...headers },
  body,
});
