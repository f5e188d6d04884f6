/** The lookup and its neighbours over GraphQL: the same rules as over REST (decisions §2 to §4). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { feedRow, startTestGateway, type TestGateway } from './harness/gateway.ts';

const EAN = '4006381333931';

let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  ({ key } = await gateway.makeKey('pro'));
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
  ]);
});
afterAll(() => gateway.stop());

const ask = (query: string) => gateway.graphql(query, { key });

describe('lookup', () => {
  test('gives product, figures and offers, in the order of the query', async () => {
    const { status, text } = await ask(
      `{ lookup(ean: "${EAN}") { offers { merchantName totalPrice availability } priceStats { offerCount min } product { name brand { name } } identifier { asin } } }`,
    );
    expect(status).toBe(200);
    expect(text).toBe(
      '{"data":{"lookup":{"offers":[{"merchantName":"Shop","totalPrice":2.5,"availability":"in_stock"}],"priceStats":{"offerCount":1,"min":2.5},"product":{"name":"Marker","brand":{"name":"Stäbler"}},"identifier":{"asin":"B0DEMO0001"}}}}',
    );
  });

  test('of an unknown product, or of one with a wrong check digit, is null and no error', async () => {
    const { body } = await ask(
      '{ a: lookup(ean: "4012345678901") { product { name } } b: lookup(ean: "4006381333930") { product { name } } }',
    );
    expect(body).toEqual({ data: { a: null, b: null } });
  });

  test('of a malformed EAN is an error that names code, status and parameter', async () => {
    const { status, body } = await ask('{ lookup(ean: "12") { product { name } } }');
    expect(status).toBe(200);
    expect(body.errors[0].extensions).toEqual({ code: 'invalid_parameter', status: 400, parameter: 'ean' });
  });

  test('by both or neither identifier is an error', async () => {
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

  test('that is not there is null', async () => {
    expect((await ask('{ a: product(id: "nothing") { id } b: product(id: "prd_zzz") { id } }')).body).toEqual({
      data: { a: null, b: null },
    });
  });
});

describe('viewer', () => {
  test('tells the plan, what is used, what is left, and when it begins anew', async () => {
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

describe('a whole request', () => {
  test('without a key is refused with HTTP status 401 and the code in extensions', async () => {
    const { status, headers, body } = await gateway.graphql('{ viewer { used } }');
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('ApiKey');
    expect(body.errors[0].extensions).toEqual({ code: 'missing_api_key', status: 401 });
  });

  test('over its rate is refused with HTTP status 429 and Retry-After', async () => {
    const own = await gateway.makeKey('pro', { rateLimit: 1 });
    await gateway.graphql('{ viewer { used } }', { key: own.key });
    const { status, headers, body } = await gateway.graphql('{ viewer { used } }', { key: own.key });
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(body.errors[0].extensions.code).toBe('rate_limited');
  });

  test('that is not GraphQL is told so, and shows nothing of the insides', async () => {
    const { body } = await ask('{ lookup(');
    expect(body.errors[0].message).toMatch(/^Syntax Error/);
    expect(JSON.stringify(body)).not.toMatch(/node_modules|at .*\.js/);
  });
});

test('every type and field of the schema is described', async () => {
  const { body } = await gateway.graphql(
    '{ __schema { types { name kind description fields { name description args { name description } } enumValues { name description } } } }',
  );
  type Described = {
    name: string;
    description: string | null;
    kind?: string;
    fields?: Described[];
    args?: Described[];
  };
  const own = (body.data.__schema.types as Described[]).filter(
    ({ name, kind }) => !name.startsWith('__') && (kind === 'OBJECT' || kind === 'ENUM') && name !== 'PlanId',
  );
  const missing = own.flatMap((type) => [
    ...(type.description ? [] : [type.name]),
    ...(type.fields ?? []).flatMap((field) => [
      ...(field.description ? [] : [`${type.name}.${field.name}`]),
      ...(field.args ?? [])
        .filter(({ description }) => !description)
        .map(({ name }) => `${type.name}.${field.name}(${name})`),
    ]),
  ]);
  expect(own.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});
