/** The OpenAPI description: complete, correct, and usable to generate clients (contract §4 and §9). */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { GraphQLEnumType, GraphQLInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { WITHOUT_EXAMPLE } from '../demo/examples.ts';
import { LARGEST_LIMIT } from '../src/catalogue/page.ts';
import { schema } from '../src/graphql/schema.ts';
import { PROBLEMS } from '../src/problem.ts';
import { exampleAnswer } from '../src/rest/examples.ts';
import { EXPORT_ROUTES } from '../src/rest/exports/export-routes.ts';
import { exampleUrl, llmsText } from '../src/rest/llms.ts';
import { openApi } from '../src/rest/openapi.ts';
import { ROUTES } from '../src/rest/routes.ts';
import { serviceIndex } from '../src/rest/service-index.ts';
import { startTestGateway } from './harness/gateway.ts';
import { forTest } from './harness/lifetime.ts';

const market = { publicUrl: 'https://prices.test', currency: 'EUR', country: 'PT' };

// biome-ignore lint/suspicious/noExplicitAny: tests read any part of the document, and fail if it is not as expected.
const document = openApi(market, ROUTES) as any;
const operationOf = (path: string, method = 'GET') => document.paths[path]?.[method.toLowerCase()];

describe('the OpenAPI description', () => {
  test('passes a strict linter without an error or a warning', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  test('has version 1.0.0, uses OpenAPI 3.1, is public, and names the address of the deployment', async () => {
    const gateway = await forTest(startTestGateway({ PUBLIC_URL: 'https://api.example.com' }));
    const { status, headers, body } = await gateway.get('/api/v1/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
    expect([body.openapi, body.info.version]).toEqual(['3.1.0', '1.0.0']);
    expect(body.servers).toEqual([{ url: 'https://api.example.com', description: expect.any(String) }]);
    expect(JSON.stringify(body)).not.toContain('127.0.0.1');
  });

  test('never says that a member is null where REST omits it', () => {
    const said: string[] = [];
    const walk = (part: typeof document) => {
      if (part === null || typeof part !== 'object') return;
      const { description, type } = part;
      if (/\bnull\b/.test(description) && !Array.isArray(type)) said.push(description);
      for (const each of Object.values(part)) walk(each);
    };
    for (const methods of Object.values<typeof document>(document.paths)) {
      for (const { responses } of Object.values<typeof document>(methods)) walk(responses);
    }
    walk(document.webhooks);
    walk(document.components.schemas);
    expect(said).toEqual([]);
  });

  test('says how to authenticate, and which routes need no key', () => {
    expect(document.components.securitySchemes.apiKey).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'x-api-key',
    });
    const open = ROUTES.filter(({ path, method }) => operationOf(path, method).security?.length === 0).map(
      ({ path }) => path,
    );
    expect(open).toEqual(['/api/v1', '/api/v1/plans', '/api/v1/openapi.json', '/llms.txt']);
  });

  test('has ranges, defaults and allowed values of parameters', () => {
    const parameter = (path: string, name: string) =>
      operationOf(path).parameters.find((each: { name: string }) => each.name === name);
    expect(parameter('/api/v1/products', 'limit').schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: LARGEST_LIMIT,
      default: 20,
    });
    expect(parameter('/api/v1/products', 'sort').schema.enum).toContain('discount');
    expect(parameter('/api/v1/products', 'minPrice').schema).toMatchObject({ type: 'number', minimum: 0 });
    expect(parameter('/api/v1/search', 'q')).toMatchObject({
      required: true,
      schema: { minLength: 1, maxLength: 100 },
    });
    expect(parameter('/api/v1/products/{id}/price-history', 'days').schema).toMatchObject({
      minimum: 1,
      maximum: 3650,
    });
    expect(parameter('/api/v1/products/{slug}', 'slug')).toMatchObject({ in: 'path', required: true });
  });

  test('says which members are required, nullable or optional', () => {
    const { Plan, Product, PriceStatistics, CategoryNode } = document.components.schemas;
    expect(Plan.properties.priceEur.type).toEqual(['number', 'null']);
    expect(Plan.required).toContain('priceEur');
    expect(Product.required).toEqual(['id', 'slug', 'name', 'identifier', 'url', 'priceStats']);
    expect(PriceStatistics.required).toEqual(['currency', 'offerCount']);
    expect(CategoryNode.properties.children.items).toEqual({ $ref: '#/components/schemas/CategoryNode' });
  });

  test('lists the headers of every response to a key, including public routes and errors', () => {
    const { MethodNotAllowed, InternalError, Unavailable } = document.components.responses;
    const answers = [operationOf('/api/v1/plans').responses[200], MethodNotAllowed, InternalError, Unavailable];
    for (const { headers } of answers) expect(Object.keys(headers)).toContain('X-Quota-Remaining');
  });

  test('lists every error code', () => {
    expect(document.components.schemas.Problem.properties.code.enum).toEqual(Object.keys(PROBLEMS));
  });
});

describe.each(
  ROUTES.map((route) => [route.method ?? 'GET', route.path, route] as const),
)('the route %s %s', (method, path, route) => {
  test('has an entry in the OpenAPI description with all its statuses and parameters', () => {
    const operation = operationOf(path, method);
    expect(operation).toMatchObject({ operationId: route.name, tags: [route.tag], summary: route.summary });
    expect(operation.description.length).toBeGreaterThan(20);
    const statuses = Object.keys(operation.responses);
    expect(statuses).toEqual(expect.arrayContaining([String(route.status ?? 200), '500', '503']));
    expect(statuses.includes('304')).toBe(method === 'GET');
    if (route.access === 'keyed') expect(statuses).toEqual(expect.arrayContaining(['401', '429']));
    if (route.body) {
      expect(statuses).toEqual(expect.arrayContaining(['400', '413', '415']));
      const { schema, example } = operation.requestBody.content['application/json'];
      expect(Object.keys(schema.properties)).toEqual(Object.keys(route.body.shape));
      expect(route.body.safeParse(example).success).toBe(true);
    }
    if (route.access === 'metered') expect(statuses).toEqual(expect.arrayContaining(['401', '402', '429']));
    for (const name of Object.keys(route.parameters.shape)) {
      const parameter = operation.parameters.find((each: { name: string }) => each.name === name);
      expect([name, parameter?.description]).toEqual([name, expect.stringMatching(/.{10,}/)]);
    }
  });

  test('has an entry in llms.txt with its example and its cost', () => {
    const line = llmsText(market, ROUTES)
      .split('\n')
      .find((each) => each.startsWith(`- [${method} ${path}]`));
    expect(line).toContain(`(${market.publicUrl}${exampleUrl(route)})`);
    expect(line).toMatch(route.access === 'metered' ? /Costs one request/ : /free/i);
  });

  test('has an entry in the service index', () => {
    expect((serviceIndex(market, ROUTES) as { endpoints: string[] }).endpoints).toContain(`${method} ${path}`);
  });

  test('has an example', () => {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(route.example)).toEqual(expect.arrayContaining(named));
    expect(
      route.parameters.safeParse(
        Object.fromEntries(Object.entries(route.example).map(([name, value]) => [name, String(value)])),
      ).success,
    ).toBe(true);
    if (!WITHOUT_EXAMPLE.includes(route.name)) expect(exampleAnswer(route.name, market.publicUrl)).toBeDefined();
  });
});

describe('the GraphQL schema', () => {
  const own = Object.values(schema().getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const scalars = ['ID', 'String', 'Int', 'Float', 'Boolean'];

  test.each(
    own.filter(({ name }) => !scalars.includes(name)).map((type) => [type.name, type] as const),
  )('describes %s and all its members', (_name, type) => {
    const sentences: [string, string | null | undefined][] = [[type.name, type.description]];
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        sentences.push([field.name, field.description]);
        for (const argument of field.args) sentences.push([`${field.name}(${argument.name})`, argument.description]);
      }
    }
    if (type instanceof GraphQLInputObjectType) {
      for (const field of Object.values(type.getFields())) sentences.push([field.name, field.description]);
    }
    if (type instanceof GraphQLEnumType && type.name !== 'PlanId') {
      for (const value of type.getValues()) sentences.push([value.name, value.description]);
    }
    for (const [what, sentence] of sentences)
      expect([what, sentence]).toEqual([what, expect.stringMatching(/^[A-Z`].*\.$/s)]);
  });
});

describe.each(EXPORT_ROUTES.map((route) => [route.path, route] as const))('the export %s', (path, route) => {
  test('has an entry in the OpenAPI description, llms.txt and the service index, with its price', () => {
    const operation = operationOf(path);
    expect(operation).toMatchObject({ operationId: route.name, tags: ['Changes'], summary: route.summary });
    expect(operation.description).toContain('one request for each 100 lines');
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '402', '410', '429']),
    );
    expect(operation.responses[304]).toBeUndefined();
    expect(operation.responses[200].content['application/x-ndjson'].schema.type).toBe('string');
    expect(operation.responses[200].headers).toHaveProperty('Changes-Cursor');
    const line = llmsText(market, ROUTES)
      .split('\n')
      .find((each) => each.startsWith(`- [GET ${path}]`));
    expect(line).toContain('one request for each 100 lines');
    expect((serviceIndex(market, ROUTES) as { endpoints: string[] }).endpoints).toContain(`GET ${path}`);
  });
});
