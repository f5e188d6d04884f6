/** The descriptions of the MCP tools and their results, tested with the official MCP client. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { afterAll, describe, expect, test } from 'vitest';
import { importArticles } from '../src/import/articles.ts';
import { ROUTES } from '../src/rest/routes.ts';
import { connectAgent, textOf } from './harness/agent.ts';
import { fillCatalogue } from './harness/catalogue.ts';
import { startTestGateway } from './harness/gateway.ts';
import { folderForFile, forFile } from './harness/lifetime.ts';

const EAN = '4006381333931';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('pro');
await fillCatalogue(gateway);
const folder = folderForFile('pda-articles-');
writeFileSync(
  join(folder, 'loud.md'),
  '---\ntitle: How loud is loud?\nsummary: Decibels.\ncategory: audio\npublished: 2026-05-01\n---\nOn speakers.\n',
);
await importArticles(gateway.database, folder);
const agent = await connectAgent(gateway.address, { 'x-api-key': key });
const { tools } = await agent.client.listTools();
afterAll(() => agent.client.close());

const toolOf = (name: string) => tools.find((tool) => tool.name === name) as Tool;

/** Calls of each tool, with the REST path that returns the same. */
const CALLS: [tool: string, args: Record<string, unknown>, path: string][] = [
  ['look_up', { ean: EAN }, `/api/v1/lookup?ean=${EAN}`],
  ['look_up', { asin: 'b0demo0001' }, '/api/v1/lookup?asin=b0demo0001'],
  ['resolve_code', { code: `(01)0${EAN}` }, `/api/v1/resolve?code=(01)0${EAN}`],
  ['search', { q: 'thunder' }, '/api/v1/search?q=thunder'],
  ['list_products', {}, '/api/v1/products'],
  [
    'list_products',
    { category: 'audio', maxPrice: 99.5, sort: 'price_desc', limit: 2 },
    '/api/v1/products?category=audio&maxPrice=99.5&sort=price_desc&limit=2',
  ],
  [
    'list_products',
    { brand: ['aurelio', 'nobody'], inStock: true, 'attr.size': 'M' },
    '/api/v1/products?brand=aurelio,nobody&inStock=true&attr.size=M',
  ],
  ['get_facets', { category: 'audio', condition: 'new' }, '/api/v1/facets?category=audio&condition=new'],
  ['get_price_index', { category: 'audio', days: 3 }, '/api/v1/price-index?category=audio&days=3'],
  ['compare_merchants', { category: 'audio' }, '/api/v1/merchant-comparison?category=audio'],
  ['find_deals', { category: 'audio', minPercent: 5 }, '/api/v1/deals?category=audio&minPercent=5'],
  ['list_changes', { types: ['price'], category: 'audio' }, '/api/v1/changes?types=price&category=audio&limit=20'],
  ['get_product', { slug: 'echo-mini' }, '/api/v1/products/echo-mini'],
  ['list_offers', { id: 'thunder-speaker' }, '/api/v1/products/thunder-speaker/offers'],
  [
    'get_price_history',
    { id: 'thunder-speaker', days: 60, interval: 'week' },
    '/api/v1/products/thunder-speaker/price-history?days=60&interval=week',
  ],
  [
    'get_price_statistics',
    { id: 'thunder-speaker', condition: 'new', to: '2026-01-31' },
    '/api/v1/products/thunder-speaker/price-stats?condition=new&to=2026-01-31',
  ],
  ['list_categories', { root: 'electronics', depth: 3 }, '/api/v1/categories?root=electronics&depth=3'],
  ['list_brands', { q: 'do' }, '/api/v1/brands?q=do'],
  ['list_merchants', { limit: 1 }, '/api/v1/merchants?limit=1'],
  ['get_usage', { days: 3 }, '/api/v1/usage?days=3'],
  ['list_articles', { category: 'audio' }, '/api/v1/articles?category=audio'],
];

/** Tools whose arguments are the body of a request; test/codes/lookups.test.ts calls them. */
const BODY_TOOLS = ['look_up_many'];

describe('an agent that connects', () => {
  test('is told what the service is and how to work with it', () => {
    expect(agent.client.getServerVersion()).toMatchObject({ name: 'product-data-api', title: 'Product Data API' });
    const instructions = agent.client.getInstructions() ?? '';
    expect(instructions).toContain('EUR');
    expect(instructions).toContain(`${gateway.address}/go/`);
    for (const { name } of tools.filter((each) => /look_up|search|get_product|list_offers/.test(each.name))) {
      expect(instructions).toContain(name);
    }
  });

  test('finds a tool for each kind of request, all of them read-only', () => {
    expect(tools.map(({ name }) => name).sort()).toEqual(
      [...new Set([...CALLS.map(([tool]) => tool), ...BODY_TOOLS])].sort(),
    );
    for (const { name, title, description, annotations } of tools) {
      expect([name, title, description]).toEqual([
        name,
        expect.stringMatching(/./),
        expect.stringMatching(/^Use this/),
      ]);
      expect(annotations).toMatchObject({ readOnlyHint: true, idempotentHint: true, openWorldHint: false });
    }
  });

  test('is only told the names of existing tools', () => {
    const told = [agent.client.getInstructions(), ...tools.map(({ description }) => description)].join(' ');
    const named = told.match(/\b(look_up|(get|list)_[a-z_]+)\b/g) ?? [];
    for (const name of named) expect(tools.map((tool) => tool.name)).toContain(name);
  });

  test.each(['2025-11-25', '2026-07-28'] as const)('may use protocol revision %s', async (revision) => {
    const other = await connectAgent(gateway.address, { 'x-api-key': key }, revision);
    expect((await other.client.listTools()).tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect((await other.call('look_up', { ean: EAN })).structuredContent).toMatchObject({ data: { product: {} } });
    await other.client.close();
  });
});

describe('the arguments of a tool', () => {
  test('are those that OpenAPI describes for the route, except those that are no use to an agent', async () => {
    const { body } = await gateway.get('/api/v1/openapi.json');
    for (const { name, inputSchema } of tools.filter((tool) => !BODY_TOOLS.includes(tool.name))) {
      const [, , path] = CALLS.find(([tool]) => tool === name) as (typeof CALLS)[number];
      const described = ROUTES.find((route) =>
        new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path.replace(/\?.*/, '')),
      );
      const parameters = body.paths[described?.path ?? ''].get.parameters.filter(
        (each: { name?: string }) => each.name !== undefined && !described?.asTool?.without.includes(each.name),
      );
      const properties = inputSchema.properties as Record<string, object>;
      expect(Object.keys(properties)).toEqual(parameters.map((each: { name: string }) => each.name));
      for (const parameter of parameters) {
        const other = described?.asTool?.defaults[parameter.name];
        const schema = { ...parameter.schema, ...(other !== undefined && { default: Number(other) }) };
        expect(properties[parameter.name]).toMatchObject(schema);
      }
      expect(inputSchema.required ?? []).toEqual(
        parameters.filter((each: { required: boolean }) => each.required).map((each: { name: string }) => each.name),
      );
    }
  });

  test('are the body of the request for a route by POST', async () => {
    const { body } = await gateway.get('/api/v1/openapi.json');
    const { requestBody } = body.paths['/api/v1/lookups'].post;
    const { schema } = requestBody.content['application/json'];
    const { offers } = schema.properties;
    const properties = { ...schema.properties, offers: { ...offers, default: 5 } };
    expect(toolOf('look_up_many').inputSchema).toEqual({ ...schema, properties });
    expect(offers.description).not.toMatch(/default/);
  });

  test('may be null or empty if they are optional, and numbers may be strings', async () => {
    const asked = await agent.call('list_products', { q: null, brand: '', limit: '2', minPrice: '10', cursor: '' });
    expect(asked.structuredContent).toEqual((await gateway.get('/api/v1/products?limit=2&minPrice=10', { key })).body);
  });
});

describe.each(CALLS)('the tool %s with %j', (tool, args, path) => {
  test('returns the same as the route, valid by its output schema', async () => {
    const { body } = await gateway.get(path, { key });
    const result = await agent.call(tool, args);
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject(body);
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    const validate = new AjvJsonSchemaValidator().getValidator(toolOf(tool).outputSchema as never);
    expect(validate(result.structuredContent)).toMatchObject({ valid: true });
    expect(validate({ ...(result.structuredContent as object), data: 'else' })).toMatchObject({ valid: false });
  });
});

describe('an agent', () => {
  test('is pointed from a product to its offers and price history', async () => {
    const found = await agent.call('look_up', { ean: EAN });
    const { next } = found.structuredContent as { next: { tool: string; arguments: Record<string, string> }[] };
    expect(next.map((each) => each.tool)).toEqual(['get_product', 'list_offers', 'get_price_history']);
    for (const each of next) expect((await agent.call(each.tool, each.arguments)).isError).toBeFalsy();
  });

  test('pages through a list to its end', async () => {
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const { structuredContent } = await agent.call('list_products', { limit: 4, sort: 'name', cursor });
      const { data, page } = structuredContent as { data: { name: string }[]; page: { nextCursor?: string } };
      names.push(...data.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(names).toHaveLength(6);
    expect(new Set(names).size).toBe(6);
  });

  test.each<[string, Record<string, unknown>, string, string[]]>([
    ['look_up', { ean: '4006381333932' }, 'not_found', ['check digit', '`search`']],
    ['look_up', { asin: 'B000000000' }, 'not_found', ['ASIN B000000000', '`search`']],
    ['look_up', { ean: '400638133393' }, 'invalid_parameter', ['4006381333931', '`look_up`']],
    ['look_up', {}, 'exactly_one_identifier', ['`ean`', '`asin`']],
    ['get_product', { slug: 'no-such' }, 'not_found', ['no-such', '`list_products`', '`search`']],
    ['get_product', {}, 'invalid_parameter', ['`slug` is missing']],
    ['search', {}, 'invalid_parameter', ['`q` is missing']],
    ['search', { q: ['a'] }, 'invalid_parameter', ['`q` must be a string']],
    ['search', { q: '\ud800' }, 'invalid_parameter', ['`q` must be a string']],
    ['list_products', { sort: 'cheapest' }, 'invalid_parameter', ['`sort`', 'price_asc', 'discount']],
    ['list_products', { limit: 1_000 }, 'invalid_parameter', ['`limit`', '1 to 100']],
    ['list_products', { query: 'echo' }, 'invalid_parameter', ['no argument `query`', '`q`', '`maxPrice`']],
    ['list_products', { cursor: 'damaged' }, 'invalid_parameter', ['start again without it']],
    ['get_price_history', { id: 'echo-mini', days: 5, from: '2026-01-01' }, 'invalid_parameter', ['`days`', '`from`']],
  ])('that calls %s with %j gets %s and advice on what to do', async (tool, args, code, words) => {
    const result = await agent.call(tool, args);
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result)).toMatch(new RegExp(`^${code}: .+[.]$`));
    for (const word of words) expect(textOf(result)).toContain(word);
    expect(textOf(result)).not.toContain('/api/v1/');
    expect(result._meta).toMatchObject({ problem: { code, status: expect.any(Number) } });
  });

  test('that calls an unknown tool gets the names of all tools', async () => {
    await expect(agent.call('buy')).rejects.toThrow(/Unknown tool buy.*look_up.*list_articles/);
  });

  test('that sends a key in the wrong place does not get it back', async () => {
    const keyLike = `pda_${'a1B2'.repeat(9)}zz`;
    await expect(agent.call(keyLike)).rejects.toThrow(/Unknown tool pda_a1B2…/);
    const refused = await agent.call('get_product', { slug: keyLike });
    expect(textOf(refused)).toMatch(/^not_found: .*pda_a1B2…/);
    expect(JSON.stringify(refused)).not.toContain(keyLike);
  });
});
