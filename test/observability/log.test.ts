/** The log says what happened and with which key, and contains no secrets. */
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { createKey } from '../../src/access/key-admin.ts';
import { readConfig } from '../../src/config.ts';
import { startGateway } from '../../src/gateway.ts';
import type { Log } from '../../src/operations/log.ts';
import { openSlowStatementLog } from '../../src/operations/slow-statements.ts';
import { openTestDatabase } from '../harness/database.ts';
import { ask, feedRow, importRows, posting } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const EAN = '4006381333931';

type Line = Record<string, unknown>;
const lines: Line[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    for (const line of String(chunk).split('\n').filter(Boolean)) lines.push(JSON.parse(line));
    done();
  },
});

const database = await openTestDatabase();
const config = readConfig({ PORT: '0' });
const gateway = await forFile(startGateway(config, database, pino({ level: 'info' }, sink)));
const key = await createKey(database, { name: 'logged', plan: 'enterprise' });
await importRows(database, 'A Shop', [feedRow({ id: '1', gtin: EAN })]);

/** Sends a request. @returns its line in the log. */
async function lineOf(path: string, init: RequestInit = {}): Promise<Line> {
  const id = `test-${lines.length}-${Math.random()}`;
  const headers = { 'x-api-key': key.key, 'x-request-id': id, ...(init.headers as Record<string, string>) };
  await ask(gateway.address + path, { ...init, headers });
  return lines.find(({ requestId }) => requestId === id) ?? {};
}

const operate = (query: string) => lineOf('/graphql', { ...posting({ query }) });

/** A text with the form of a key that is not one. */
const KEY_LIKE = `pda_${'a1B2'.repeat(9)}zz`;

describe('a client error in GraphQL', () => {
  const post = (asked: unknown, headers: Record<string, string> = {}) =>
    ask(`${gateway.address}/graphql`, { ...posting(asked, { ...headers }) });

  test.each<[what: string, query: string, variables: Record<string, unknown>]>([
    ['in the syntax', '{ plans {', {}],
    ['in a field', '{ viewer { nothing } }', {}],
    ['in the type of a variable', 'query Q($n: Int!) { products(first: $n) { totalCount } }', { n: '5' }],
    ['in a missing variable', 'query Q($n: Int!) { products(first: $n) { totalCount } }', {}],
    ['in a filter', 'query Q($f: ProductFilter) { products(filter: $f) { totalCount } }', { f: { maxPrize: 3 } }],
    ['in a subscription', 'subscription { priceChanged(productIds: []) { min } }', {}],
  ])('%s is no server error: it is charged, answered with a code, and logged in one line', async (_, query, variables) => {
    const from = lines.length;
    const { status, body } = await post({ query, variables }, { 'x-api-key': key.key });
    expect([status, body.errors[0].extensions.code]).toEqual([
      200,
      expect.stringMatching(/^(invalid_parameter|GRAPHQL_(PARSE|VALIDATION)_FAILED)$/),
    ]);
    const written = lines.slice(from);
    expect(written.map(({ level, cost }) => [level, cost])).toEqual([[30, 1]]);
  });

  test.each([
    ['a field', { query: `{ ${KEY_LIKE} }` }],
    ['a value', { query: `{ products(first: "${KEY_LIKE}") { totalCount } }` }],
    ['a slug', { query: `{ product(id: "${KEY_LIKE}") { id } products(after: "${KEY_LIKE}") { totalCount } }` }],
    ['a variable', { query: 'query Q($n: Int) { products(first: $n) { totalCount } }', variables: { n: KEY_LIKE } }],
  ])('does not repeat a key that was sent as %s', async (_, asked) => {
    const { text, body } = await post(asked, { 'x-api-key': key.key });
    expect(body.errors).not.toEqual([]);
    expect(text).not.toContain(KEY_LIKE);
  });
});

describe('the log line of a request', () => {
  test('has the face, the route, the status, the cost and the key', async () => {
    const line = await lineOf(`/api/v1/lookup?ean=${EAN}&note=hello`);
    expect(line).toEqual({
      level: 30,
      time: expect.any(Number),
      pid: expect.any(Number),
      hostname: expect.any(String),
      requestId: expect.any(String),
      face: 'rest',
      route: '/api/v1/lookup',
      method: 'GET',
      path: '/api/v1/lookup',
      status: 200,
      ms: expect.any(Number),
      bytes: expect.any(Number),
      cost: 1,
      keyId: expect.stringMatching(/^\d+$/),
    });
    expect(line.bytes).toBeGreaterThan(100);
  });

  test('over GraphQL has the root fields, and the operation name of the client in shortened form', async () => {
    const name = `Mine${'x'.repeat(200)}`;
    const line = await operate(`query ${name} { a: lookup(ean: "${EAN}") { offers { url } } b: viewer { used } }`);
    expect(line).toMatchObject({ face: 'graphql', route: '/graphql', operation: 'lookup viewer', cost: 2 });
    expect(line.operationName).toBe(name.slice(0, 64));
  });

  test('over MCP has the tool and the cost of the call', async () => {
    const line = await lineOf('/mcp', {
      ...posting(
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'look_up', arguments: { ean: EAN } } },
        { accept: 'application/json, text/event-stream' },
      ),
    });
    expect(line).toMatchObject({ face: 'mcp', operation: 'look_up', cost: 1 });
  });

  test('has cost 0 if nothing was charged, and 0 bytes if none were sent', async () => {
    expect(await lineOf('/api/v1/plans', { method: 'HEAD' })).toMatchObject({ cost: 0, bytes: 0, status: 200 });
    expect(await lineOf('/api/v1/lookup', { headers: { 'x-api-key': 'wrong' } })).toMatchObject({
      status: 401,
      cost: 0,
    });
  });

  test('has no key, query, value or client address', async () => {
    await operate(`{ lookup(ean: "${EAN}") { offers { url } } }`);
    await lineOf(`/api/v1/lookup?ean=${EAN}`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    const all = JSON.stringify(lines);
    for (const never of [key.key.slice(8), EAN, '203.0.113.7', '127.0.0.1']) expect(all).not.toContain(never);
  });

  test('names no report to a shop, whose address is its only secret', async () => {
    const token = 'R3p0rt_'.repeat(7);
    const mistyped = [`/feeds//${token}`, `//feeds/${token}`, `/Feeds/${token}`, `/feeds%2F${token}`];
    for (const path of [...mistyped, `/feeds/${token}/more`, `/feeds/${token}?a=${token}`]) await lineOf(path);
    expect(lines.at(-1)).toMatchObject({ path: '/feeds/…', route: '/feeds/{token}' });
    expect(JSON.stringify(lines)).not.toContain(token);
  });

  test('has exactly the documented fields', () => {
    const docs = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const table = /\| field \| what \|\n([\s\S]*?)\n\n/.exec(docs)?.[1] ?? '';
    const documented = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names = '']) =>
      Array.from(names.matchAll(/`(\w+)`/g), ([, name]) => name),
    );
    const written = new Set(lines.filter(({ requestId }) => requestId).flatMap((line) => Object.keys(line)));
    // Only the log of this test has these; a trace id exists only with tracing.
    for (const name of ['level', 'time', 'pid', 'hostname']) written.delete(name);
    expect([...written, 'traceId'].sort()).toEqual(documented.sort());
  });
});

describe('slow statements', () => {
  test('are logged with their text and without their values, and quick ones are not', async () => {
    const { database } = gateway.services;
    await database.query('SELECT $1::text AS quick', ['a quick value']);
    await database.query('SELECT pg_sleep(0.6), $1::text AS slow', ['a secret value']);
    const told = lines.filter(
      ({ msg, statement }) => msg === 'Slow statement' && / AS (quick|slow)$/.test(`${statement}`),
    );
    expect(told).toMatchObject([{ level: 40, statement: 'SELECT pg_sleep(0.6), $1::text AS slow', rows: 1 }]);
    expect(told[0]?.ms).toBeGreaterThanOrEqual(500);
    expect(JSON.stringify(lines)).not.toMatch(/a (secret|quick) value/);
  });

  test('are logged at most ten times in ten seconds, with the number of omitted ones', () => {
    const told: Line[] = [];
    const log = { warn: (line: Line) => told.push(line) } as unknown as Log;
    let clock = 0;
    const observe = openSlowStatementLog(log, 500, () => clock);
    const statement = { name: 'one', sql: 'SELECT 1', milliseconds: 700, rows: 1, batchSize: undefined };
    for (let n = 0; n < 25; n += 1) observe(statement);
    expect(told).toHaveLength(10);
    clock = 10_000;
    observe({ ...statement, rows: undefined });
    expect(told.slice(10)).toEqual([{ ms: 700, statement: 'SELECT 1', failed: true, leftOut: 15 }]);
    observe({ ...statement, milliseconds: 499 });
    expect(told).toHaveLength(11);
  });
});
