/** A client generated from the OpenAPI description, on the demo catalogue: every route answers as described. */
import createClient from 'openapi-fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askForExamples, type Examples, momentOfExamples } from '../demo/examples.ts';
import type { paths } from '../examples/rest-client/rest-api.ts';
import { importDemo } from '../src/demo/demo.ts';
import recorded from '../src/rest/examples.json' with { type: 'json' };
import { EXPORT_ROUTES } from '../src/rest/exports/export-routes.ts';
import { ROUTES } from '../src/rest/routes.ts';
import { DAY_MS, dayOf, isDay, startOfDay } from '../src/values/day.ts';
import { startTestGateway, type TestGateway } from './harness/gateway.ts';

let gateway: TestGateway;
let client: ReturnType<typeof createClient<paths, `application/${string}json`>>;
let examples: Examples;
/** The day on which the examples were asked for. */
let today: string;

beforeAll(async () => {
  await askOnOneDay();
  const { key } = await gateway.makeKey('pro');
  client = createClient<paths, `application/${string}json`>({
    baseUrl: gateway.address,
    headers: { 'x-api-key': key },
  });
});
afterAll(() => gateway.stop());

/** Asks for the examples, and again if midnight passes, since the demo's prices are of the days before. */
async function askOnOneDay(): Promise<void> {
  today = dayOf(Date.now());
  gateway = await startTestGateway({ PUBLIC_URL: recorded.address });
  await importDemo(gateway.database, undefined, momentOfExamples());
  examples = await askForExamples(gateway.address, gateway.database);
  if (dayOf(Date.now()) === today) return;
  await gateway.stop();
  await askOnOneDay();
}

// Their figures are weighted by time, so they differ from one hour to the next.
const WEIGHTED_BY_TIME = ['windows', 'percentile'];

/**
 * Replaces what differs between imports and hours, such as ids, cursors, moments and figures weighted by time, and shifts days by the age of
 * the recorded example.
 */
function comparable(value: unknown, shiftDays: number): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item, shiftDays));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        name === 'nextCursor' || WEIGHTED_BY_TIME.includes(name) ? typeof member : comparable(member, shiftDays),
      ]),
    );
  }
  if (typeof value !== 'string') return value;
  if (isDay(value)) return dayOf(startOfDay(value) + shiftDays * DAY_MS);
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)) return 'a moment';
  return value
    .replace(/\b(prd|off|mer|brd|cat|art)_[0-9a-z]+/g, '$1_')
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'a moment');
}

const ageOfRecorded = () => Math.round((startOfDay(today) - startOfDay(recorded.recordedOn)) / DAY_MS);

describe('the example of', () => {
  test.each(Object.entries(recorded.answers))('%s matches the response of the demo', (name, answer) => {
    expect(comparable(examples.answers[name], 0)).toEqual(comparable(answer, ageOfRecorded()));
  });

  test.each(Object.entries(recorded.problems))('the problem %s matches the response', (code, problem) => {
    const withoutSeconds = (body: unknown) =>
      JSON.parse(JSON.stringify(comparable(body, 0)).replace(/\d+ seconds/, 'N seconds'));
    expect(withoutSeconds(examples.problems[code])).toEqual(withoutSeconds(problem));
  });
});

describe('a typed client', () => {
  const slug = 'markina-glow-line-highlighter-yellow';

  test('looks up a product', async () => {
    const { data } = await client.GET('/api/v1/lookup', { params: { query: { ean: '4006381333931' } } });
    expect(data?.data.offers[0]?.totalPrice).toBe(data?.data.priceStats.min);
  });

  test('gets errors as typed problems', async () => {
    const { error, response } = await client.GET('/api/v1/lookup', { params: { query: { ean: '12' } } });
    expect(response.status).toBe(400);
    expect(error).toMatchObject({ code: 'invalid_parameter', parameter: 'ean' });
  });

  test('pages through products', async () => {
    const names = new Set<string>();
    let cursor: string | undefined;
    do {
      const { data } = await client.GET('/api/v1/products', {
        params: { query: { sort: 'name', limit: 100, ...(cursor !== undefined && { cursor }) } },
      });
      for (const { name } of data?.data ?? []) names.add(name);
      cursor = data?.page.nextCursor;
    } while (cursor);
    expect(names.size).toBe(331);
  });

  test('reads a product, its offers and its history', async () => {
    const product = await client.GET('/api/v1/products/{slug}', { params: { path: { slug } } });
    const offers = await client.GET('/api/v1/products/{id}/offers', { params: { path: { id: slug } } });
    const history = await client.GET('/api/v1/products/{id}/price-history', {
      params: { path: { id: slug }, query: { days: 180, interval: 'month' } },
    });
    expect(product.data?.data.offers).toEqual(offers.data?.data);
    expect(product.data?.data.attributes).toEqual([{ name: 'color', value: 'Yellow' }]);
    expect(history.data?.data.points.length).toBeGreaterThan(5);
    expect(history.data?.data.lowestEver?.price).toBe(product.data?.data.priceStats.lowestEver);
  });

  test('reads categories, brands and merchants', async () => {
    const categories = await client.GET('/api/v1/categories', { params: { query: { root: 'electronics', depth: 2 } } });
    expect(categories.data?.data[0]?.children.length).toBeGreaterThan(2);
    const brands = await client.GET('/api/v1/brands', { params: { query: { q: 'so' } } });
    expect(brands.data?.data.map(({ name }) => name)).toEqual(['Sonavia']);
    const merchants = await client.GET('/api/v1/merchants');
    expect(merchants.data?.data).toHaveLength(10);
  });

  test('searches', async () => {
    const { data } = await client.GET('/api/v1/search', { params: { query: { q: 'sonaiva' } } });
    expect(data?.data[0]).toMatchObject({ type: 'brand', name: 'Sonavia' });
  });

  test('reads articles', async () => {
    const { data } = await client.GET('/api/v1/articles');
    expect(data?.data.length).toBeGreaterThanOrEqual(6);
    for (const { products, category } of data?.data ?? []) {
      expect(category).toBeDefined();
      for (const each of products) {
        const { response } = await client.GET('/api/v1/products/{slug}', { params: { path: { slug: each } } });
        expect([each, response.status]).toEqual([each, 200]);
      }
    }
  });

  test('reads the index, the plans, the OpenAPI description and llms.txt', async () => {
    const index = await client.GET('/api/v1');
    expect(index.data?.endpoints).toEqual([
      ...[...ROUTES, ...EXPORT_ROUTES].map(({ method = 'GET', path }) => `${method} ${path}`),
      'POST /mcp',
    ]);
    const plans = await client.GET('/api/v1/plans');
    expect(plans.data?.data.at(-1)?.priceEur).toBeNull();
    const description = await client.GET('/api/v1/openapi.json');
    expect(description.data).toMatchObject({ openapi: '3.1.0' });
    const text = await client.GET('/llms.txt', { parseAs: 'text' });
    expect(text.data).toMatch(/^# Product Data API\n\n> /);
  });
});
