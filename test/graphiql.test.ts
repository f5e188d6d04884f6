/** The GraphiQL page and the examples it opens with, each of which must return data from the demo catalogue. */
import { describe, expect, test } from 'vitest';
import { importDemo } from '../src/demo/demo.ts';
import { digestAll } from '../src/ledger/digest/digest-step.ts';
import { EXAMPLES } from '../src/web/graphiql-examples.ts';
import { openEvents } from './harness/events.ts';
import { startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const gateway = await forFile(startTestGateway());
await importDemo(gateway.database);
await digestAll(gateway.database);
const { key } = await gateway.makeKey('pro');

const nameOf = (query: string) => /^(?:query|subscription) (\w+)/m.exec(query)?.[1] ?? query;
const queries = EXAMPLES.filter(({ query }) => !/^subscription/m.test(query));
const subscriptions = EXAMPLES.filter(({ query }) => /^subscription/m.test(query));

/** The paths of all empty values in a response. */
function emptyIn(value: unknown, path = ''): string[] {
  if (value === null || (Array.isArray(value) && value.length === 0)) return [path];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => emptyIn(member, `${path}.${name}`));
}

describe('the example', () => {
  test.each(
    queries.map((example) => [nameOf(example.query), example]),
  )('%s returns no empty values', async (_name, example) => {
    const { query, variables = {} } = example as (typeof EXAMPLES)[number];
    const { status, body } = await gateway.graphql(query, { key, variables });
    expect([status, body.errors]).toEqual([200, undefined]);
    // The window of all time has no number of days, and a shop that states no shipping no distance from those that do.
    const isMeant = (path: string) => /\.windows\.3\.days$|\.\d+\.medianDistancePercent$/.test(path);
    expect(emptyIn(body.data).filter((path) => !isMeant(path))).toEqual([]);
  });

  test.each(
    subscriptions.map(({ query }) => [nameOf(query), query]),
  )('%s can be subscribed to', async (_name, query) => {
    const stream = await openEvents(gateway.address, { query: query ?? '', headers: { 'x-api-key': key } });
    expect(stream.response.status).toBe(200);
    expect(await stream.nextOfAll()).toEqual({ event: 'comment' });
    expect(await stream.nextOfAll()).toEqual({ event: 'comment' });
    stream.leave();
  });

  test('of each kind exists', () => {
    expect(EXAMPLES.map(({ query }) => nameOf(query))).toEqual([
      'Lookup',
      'SearchWithFacets',
      'PriceHistoryOfTheCheapest',
      'PriceStatistics',
      'PriceIndex',
      'MerchantComparison',
      'ManyLookups',
      'LivePrices',
    ]);
  });
});

describe('the page', () => {
  const open = () => gateway.get('/graphql', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });

  test('allows only scripts from this server, and contains no inline scripts', async () => {
    const { headers, text } = await open();
    expect(headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("connect-src 'self'");
    expect(text).not.toMatch(/<script(?![^>]*(src=|type="application\/json"))/);
  });

  test('references only files that exist', async () => {
    const { text } = await open();
    const files = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(7);
    for (const file of files) expect([file, (await gateway.get(file, { method: 'HEAD' })).status]).toEqual([file, 200]);
  });

  test('is only for browsers: a program that accepts any type gets an error that says what to send', async () => {
    const { status, body } = await gateway.get('/graphql', { key });
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'invalid_parameter']);
  });
});
