/** Lists in requests are bounded before their items are checked, over REST, GraphQL and MCP. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeParameters } from '../../src/rest/parameters.ts';
import { describeBody, parseBody } from '../../src/rest/request-body.ts';
import { ROUTES } from '../../src/rest/routes.ts';
import { posting, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('pro');

/** A list that counts how often its items are read. */
function countedList(length: number) {
  const counted = { read: 0, list: [] as unknown[] };
  counted.list = new Proxy(Array(length).fill(null), {
    get(list, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) counted.read += 1;
      return Reflect.get(list, name, receiver);
    },
  });
  return counted;
}

type Schema = { type?: string; maxItems?: number; properties?: Record<string, Schema>; items?: Schema };

/** The places of all lists in a schema, each with its longest length. */
function listsIn(schema: Schema, path: readonly string[] = []): [path: readonly string[], most: number | undefined][] {
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, each]) => listsIn(each, [...path, name]));
  return schema.type === 'array' ? [[path, schema.maxItems], ...members] : members;
}

const BODIES = ROUTES.flatMap(({ name, body }) =>
  body ? listsIn(describeBody(body)).map(([path, most]) => [name, path, most, body] as const) : [],
);

describe('a list in a body', () => {
  test.each(BODIES)('of %s has a largest length: %s', (_name, _path, most) => {
    expect(most).toBeLessThanOrEqual(1_000);
  });

  test.each(BODIES)('of %s is refused above it before any of its items is read: %s', (_name, path, most, body) => {
    const counted = countedList((most ?? 1_000) + 1);
    const sent = path.reduceRight<unknown>((inner, member) => ({ [member]: inner }), counted.list);
    expect(() => parseBody(body, sent)).toThrow();
    expect(counted.read).toBe(0);
  });
});

test.each(
  ROUTES.flatMap(({ name, parameters }) =>
    describeParameters(parameters).flatMap((each) =>
      each.schema.type === 'array' ? [[name, each.name, each.schema.maxItems] as const] : [],
    ),
  ),
)('a list in a parameter of %s has a largest length: %s', (_name, _parameter, most) => {
  expect(most).toBeLessThanOrEqual(100);
});

test('the library that checks lists looks at their length first', () => {
  const counted = countedList(101);
  expect(z.array(z.string()).max(100).safeParse(counted.list).error?.issues).toHaveLength(1);
  expect(counted.read).toBe(0);
});

describe('ids of deliveries to replay', () => {
  const path = '/api/v1/webhooks/whk_1/replay';
  const overRest = (ids: unknown[]) => gateway.get(path, { key, ...posting({ deliveries: ids }) });
  const overGraphql = (ids: unknown[]) =>
    gateway.graphql('mutation R($ids: [ID!]) { replayWebhook(id: "whk_1", deliveries: $ids) { count } }', {
      key,
      variables: { ids },
    });

  test('are at most 100, over REST and GraphQL: of a longer list none is read', async () => {
    // At the limit, the first wrong id is named.
    expect((await overRest(Array(100).fill('x'))).body.parameter).toBe('deliveries[0]');
    expect((await overGraphql(Array(100).fill('x'))).body.errors[0].extensions.parameter).toBe('deliveries[0]');
    const rest = await overRest(Array(101).fill('x'));
    expect([rest.status, rest.body.parameter, rest.body.detail]).toEqual([
      400,
      'deliveries',
      '`deliveries`: must have at most 100 ids: send fewer, or use `from`.',
    ]);
    const graphql = await overGraphql(Array(101).fill('x'));
    expect(graphql.body.errors[0]).toMatchObject({
      message: expect.stringMatching(/`deliveries` must have 1 to 100 ids/),
      extensions: { parameter: 'deliveries' },
    });
  });
});

describe('words in a parameter', () => {
  const types = (count: number) =>
    gateway.get(`/api/v1/changes?types=${Array(count).fill('price').join(',')}`, { key });

  test('are at most 20, and are refused as a whole above', async () => {
    expect((await types(20)).status).toBe(200);
    const { status, body } = await types(21);
    expect([status, body.detail]).toEqual([400, '`types`: must have at most 20 values.']);
  });
});
