/** The lookup and related fields over GraphQL, with the same rules as over REST. */
import { describe, expect, test } from 'vitest';
import { feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const EAN = '4006381333931';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('pro');
await gateway.importRows('Shop', [
  feedRow({
    id: 'a',
    title: 'Marker',
    gtin: EAN,
    asin: 'B0DEMO0001',
    brand: 'Stäbler',
    mpn: 'M-70',
    price: '2.50 EUR',
    description: 'Writes.',
  }),
  feedRow({ id: 'b', title: 'Plain', gtin: '73513537' }),
]);
await gateway.importRows('Gone', [feedRow({ id: 'x', gtin: '5901234123457', price: '7.00 EUR' })]);
await gateway.importRows('Gone', [], { isForced: true });

const ask = (query: string) => gateway.graphql(query, { key });

describe('lookup', () => {
  test('returns product, price statistics and offers in the order of the query', async () => {
    const { status, text } = await ask(
      `{ lookup(ean: "${EAN}") { offers { merchantName totalPrice availability } priceStats { offerCount min } product { name brand { name } } identifier { asin } } }`,
    );
    expect(status).toBe(200);
    expect(text).toBe(
      '{"data":{"lookup":{"offers":[{"merchantName":"Shop","totalPrice":2.5,"availability":"in_stock"}],"priceStats":{"offerCount":1,"min":2.5},"product":{"name":"Marker","brand":{"name":"Stäbler"}},"identifier":{"asin":"B0DEMO0001"}}}}',
    );
  });

  test('of an unknown product, or with a wrong check digit, is null without an error', async () => {
    const { body } = await ask(
      '{ a: lookup(ean: "4012345678901") { product { name } } b: lookup(ean: "4006381333930") { product { name } } }',
    );
    expect(body).toEqual({ data: { a: null, b: null } });
  });

  test('of a malformed EAN is an error with code, status and parameter', async () => {
    const { status, body } = await ask('{ lookup(ean: "12") { product { name } } }');
    expect(status).toBe(200);
    expect(body.errors[0].extensions).toEqual({ code: 'invalid_parameter', status: 400, parameter: 'ean' });
  });

  test('has null for unknown values', async () => {
    const { body } = await ask(
      '{ lookup(ean: "0000073513537") { identifier { ean asin mpn } product { brand { id } category { id } description image } offers { shipping } } }',
    );
    expect(body).toEqual({
      data: {
        lookup: {
          identifier: { ean: '0000073513537', asin: null, mpn: null },
          product: { brand: null, category: null, description: null, image: null },
          offers: [{ shipping: null }],
        },
      },
    });
  });

  test('of a product without offers has a count of 0, no minimum or maximum, and the lowest price ever', async () => {
    const { body } = await ask(
      '{ lookup(ean: "5901234123457") { priceStats { currency min max lowestEver offerCount } offers { id } } }',
    );
    expect(body.data.lookup).toEqual({
      priceStats: { currency: 'EUR', min: null, max: null, lowestEver: 7, offerCount: 0 },
      offers: [],
    });
  });

  test('accepts a GTIN-14 with a leading 0, and an ASIN in upper or lower case', async () => {
    const { body } = await ask(
      `{ a: lookup(ean: "0${EAN}") { identifier { ean } } b: lookup(asin: "b0demo0001") { identifier { asin } } }`,
    );
    expect(body).toEqual({ data: { a: { identifier: { ean: EAN } }, b: { identifier: { asin: 'B0DEMO0001' } } } });
  });

  test('of a malformed ASIN is an error of that field only: the others return data', async () => {
    const { body } = await ask(
      `{ bad: lookup(asin: "x") { offers { id } } good: lookup(ean: "${EAN}") { product { name } } }`,
    );
    expect(body.data).toEqual({ bad: null, good: { product: { name: 'Marker' } } });
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].path).toEqual(['bad']);
    expect(body.errors[0].extensions).toEqual({ code: 'invalid_parameter', status: 400, parameter: 'asin' });
  });

  test('of a UPC-A fails with the advice to pad it with a 0', async () => {
    const { body } = await ask('{ lookup(ean: "036000291452") { offers { id } } }');
    expect(body.errors[0].message).toContain('0036000291452');
  });

  test('links to its offers by paths below /go/', async () => {
    const { body } = await ask(`{ lookup(ean: "${EAN}") { offers { url } } }`);
    expect((await gateway.get(body.data.lookup.offers[0].url)).status).toBe(302);
  });

  test('can be requested with variables, and by GET', async () => {
    const query = 'query Ask($ean: String) { lookup(ean: $ean) { product { name } } }';
    const found = { data: { lookup: { product: { name: 'Marker' } } } };
    expect((await gateway.graphql(query, { key, variables: { ean: EAN } })).body).toEqual(found);
    const address = `/graphql?${new URLSearchParams({ query, variables: JSON.stringify({ ean: EAN }) })}`;
    expect((await gateway.get(address, { key, headers: { accept: 'application/json' } })).body).toEqual(found);
  });

  test('by both identifiers or none is an error', async () => {
    const { body } = await ask(
      '{ a: lookup { product { name } } b: lookup(ean: "1", asin: "2") { product { name } } }',
    );
    expect(body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual([
      'exactly_one_identifier',
      'exactly_one_identifier',
    ]);
  });
});

describe('product', () => {
  test('is found by its slug and by its id', async () => {
    const { body } = await ask(
      '{ product(id: "marker") { id slug name description identifiers { ean asin mpn } createdAt } }',
    );
    const { id, createdAt, ...rest } = body.data.product;
    expect(rest).toEqual({
      slug: 'marker',
      name: 'Marker',
      description: 'Writes.',
      identifiers: { ean: [EAN], asin: ['B0DEMO0001'], mpn: 'M-70' },
    });
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);
    expect((await ask(`{ product(id: "${id}") { slug } }`)).body.data.product.slug).toBe('marker');
  });

  test('with an impossible id is null, not an error', async () => {
    const { status, body } = await ask('{ a: product(id: "") { id } b: product(id: "a\\u0000b") { id } }');
    expect(status).toBe(200);
    expect(body).toEqual({ data: { a: null, b: null } });
  });

  test('that does not exist is null', async () => {
    expect((await ask('{ a: product(id: "nothing") { id } b: product(id: "prd_zzz") { id } }')).body).toEqual({
      data: { a: null, b: null },
    });
  });
});

describe('viewer', () => {
  test('on an unlimited plan has the largest safe integer as its remaining quota', async () => {
    const own = await gateway.makeKey('enterprise');
    const { body } = await gateway.graphql('{ viewer { plan { monthlyQuota } remaining } }', { key: own.key });
    expect(body.data.viewer).toEqual({ plan: { monthlyQuota: 0 }, remaining: 9007199254740991 });
  });

  test('has the plan, the used and remaining quota, and the time of the reset', async () => {
    const own = await gateway.makeKey('free');
    const { body } = await gateway.graphql('{ viewer { name plan { id monthlyQuota } used remaining resetAt } }', {
      key: own.key,
    });
    const now = new Date();
    const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    expect(body.data.viewer).toEqual({
      name: 'test free',
      plan: { id: 'free', monthlyQuota: 100 },
      used: 1,
      remaining: 99,
      resetAt: nextMonth.toISOString().replace('.000', ''),
    });
  });
});

describe('a GraphQL request', () => {
  test('without a key is refused with HTTP status 401 and the code in extensions', async () => {
    const { status, headers, body } = await gateway.graphql('{ viewer { used } }');
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('ApiKey');
    expect(body.errors[0].extensions).toEqual({ code: 'missing_api_key', status: 401 });
  });

  test('with a public field among others still needs a key', async () => {
    const { status, body } = await gateway.graphql('{ plans { id } viewer { used } }');
    expect(status).toBe(401);
    expect(body.errors[0].extensions.code).toBe('missing_api_key');
  });

  test('with an invalid key is refused with invalid_api_key', async () => {
    const { status, headers, body } = await gateway.graphql('{ viewer { used } }', { key: 'pda_x' });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('ApiKey');
    expect(body.errors[0].extensions).toEqual({ code: 'invalid_api_key', status: 401 });
  });

  const unreadable: [string, RequestInit][] = [
    ['broken JSON', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }],
    [
      'a batch',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '[{"query":"{ viewer { used } }"}]' },
    ],
    ['a body without a query', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }],
    ['plain text', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }],
    ['a GET without a query', { headers: { accept: 'application/json' } }],
  ];

  describe.each(['variables', 'extensions'])('with %s that are not JSON is the client’s mistake', (name) => {
    const parameters = new URLSearchParams({ query: '{ viewer { used } }', [name]: '{' });
    test.each<[string, string, RequestInit]>([
      ['a GET', `/graphql?${parameters}`, { headers: { accept: 'application/json' } }],
      ['a form', '/graphql', { method: 'POST', body: parameters, headers: { accept: 'application/json' } }],
    ])('in %s', async (_what, address, init) => {
      const { status, body } = await gateway.get(address, { key, ...init });
      expect(status).toBe(400);
      expect(body.errors[0].extensions).toEqual({ code: 'invalid_parameter', status: 400, parameter: 'variables' });
      expect(body.errors[0].message).toContain('JSON');
      expect((await gateway.get(address, init)).status).toBe(401);
    });
  });

  test('with a broken body does not get the body back, which may contain a key', async () => {
    const { status, text } = await gateway.get('/graphql', {
      method: 'POST',
      key,
      headers: { 'content-type': 'application/json' },
      body: `{"query": ${key}}`,
    });
    expect(status).toBe(400);
    expect(text).not.toContain(key);
    expect(text).not.toContain('originalError');
  });

  test.each(['x', 5])('with %j for a variable of type Day is the client’s mistake', async (from) => {
    const query = 'query Q($from: Day) { product(id: "prd_1") { priceHistory(from: $from) { currency } } }';
    const { body } = await gateway.graphql(query, { key, variables: { from } });
    expect(body.errors[0].extensions).toEqual({ code: 'invalid_parameter', status: 400 });
    expect(body.errors[0].message).toContain('YYYY-MM-DD');
  });

  test('with null for a variable whose default hides that it is required is the client’s mistake', async () => {
    const query = 'query Q($id: ID = "none") { product(id: $id) { slug } }';
    const { status, body } = await gateway.graphql(query, { key, variables: { id: null } });
    expect(status).toBe(200);
    expect(body.errors[0].extensions).toEqual({ code: 'invalid_parameter', status: 400 });
    expect(body.errors[0].message).toContain('must not be null');
  });

  test.each(unreadable)('that is %s needs a key like any other', async (_what, init) => {
    expect((await gateway.get('/graphql', init)).status).toBe(401);
  });

  test.each(
    unreadable,
  )('that is %s is charged, and tells a client with a key how much quota remains', async (_what, init) => {
    const own = await gateway.makeKey('free');
    const { headers } = await gateway.get('/graphql', { ...init, key: own.key });
    expect(headers.get('x-plan')).toBe('free');
    expect(headers.get('x-quota-remaining')).toBe('99');
  });

  test('with a field of queries in a mutation is refused', async () => {
    const { body } = await ask('mutation { lookup { product { name } } }');
    expect(body.errors).toHaveLength(1);
    expect(body.data ?? null).toBeNull();
  });

  test('that is not GraphQL gets a syntax error without internal details', async () => {
    const { body } = await ask('{ lookup(');
    expect(body.errors[0].message).toMatch(/^Syntax Error/);
    expect(JSON.stringify(body)).not.toMatch(/node_modules|at .*\.js/);
  });
});
