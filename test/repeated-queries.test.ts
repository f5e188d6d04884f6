/** A query that a client repeats is answered in a shorter way, and compiled. No client can tell, except by the time it takes. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { parse } from 'graphql';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { createKey } from '../src/access/key-admin.ts';
import { readConfig } from '../src/config.ts';
import { startGateway } from '../src/gateway.ts';
import { sizeToCompile } from '../src/graphql/compilable.ts';
import { openExecutor } from '../src/graphql/executor.ts';
import { findOperation, readDocument } from '../src/graphql/operation.ts';
import { openTestDatabase } from './harness/database.ts';
import { type Answer, ask, feedRow, importRows } from './harness/gateway.ts';
import { folderForFile, forFile } from './harness/lifetime.ts';

const EAN = '4006381333931';
/** More uses than a query needs to be compiled. */
const USES = 6;
const TRUSTED = 'query Trusted($ean: String!) { lookup(ean: $ean) { product { slug } } }';
const hash = createHash('sha256').update(TRUSTED).digest('hex');
const folder = folderForFile('pda-repeated-');
const lines: Record<string, unknown>[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    for (const line of String(chunk).split('\n').filter(Boolean)) lines.push(JSON.parse(line));
    done();
  },
});

const makeKey = async (plan: 'free' | 'enterprise' = 'enterprise') =>
  (await createKey(database, { name: 'repeating', plan, rateLimit: 1_000_000 })).key;

const post = (body: unknown, headers: Record<string, string> = {}, by = key): Promise<Answer> =>
  ask(`${gateway.address}/graphql`, {
    method: 'POST',
    key: by,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const HEADERS = ['content-type', 'content-length', 'cache-control', 'vary', 'retry-after', 'x-plan', 'allow'];

/** An answer without what differs between any two requests. */
const essence = ({ status, headers, text }: Answer) => ({
  status,
  text,
  headers: HEADERS.map((name) => headers.get(name)),
});

async function repeat(body: unknown, headers?: Record<string, string>) {
  const answers: Answer[] = [];
  for (let use = 0; use < USES; use += 1) answers.push(await post(body, headers));
  return answers;
}

const LOOKUP = `query Ask($ean: String, $asin: String) {
  first: lookup(ean: $ean) { product { name brand { name } ...Slug } offers { merchant { name } totalPrice } }
  second: lookup(asin: $asin) { product { name } }
}
fragment Slug on Product { slug category { name } }`;
const PRODUCT =
  'query Q($id: ID = "none", $from: Day) { product(id: $id) { slug priceHistory(from: $from) { currency } } }';

writeFileSync(join(folder, 'documents.json'), JSON.stringify({ [hash]: TRUSTED }));
const database = await openTestDatabase();
const environment = { PORT: '0', TRUSTED_DOCUMENTS: join(folder, 'documents.json') };
const gateway = await forFile(startGateway(readConfig(environment), database, pino({ level: 'info' }, sink)));
const key = await makeKey();
await importRows(database, 'Shop', [
  feedRow({ id: 'a', title: 'Marker', gtin: EAN, brand: 'Stäbler', price: '2.50 EUR' }),
  feedRow({ id: 'b', title: 'Plain', gtin: '73513537' }),
]);

describe('the answer to a repeated query is the same as the first time', () => {
  test.each<[string, unknown]>([
    ['data', { query: LOOKUP, variables: { ean: EAN, asin: 'B0DEMO0001' } }],
    ['null', { query: LOOKUP, variables: { ean: '4012345678901', asin: 'B0DEMO0001' } }],
    ['an error of a field beside data', { query: LOOKUP, variables: { ean: EAN, asin: 'x' } }],
    ['two errors', { query: LOOKUP, variables: { ean: '12', asin: 'x' } }],
    [
      'an error that leaves no data, beside another one',
      {
        query: 'query S($n: Int, $q: String!) { search(limit: $n, query: $q) { name } lookup { product { name } } }',
        variables: { n: 3_651, q: '' },
      },
    ],
    ['a variable of a wrong type', { query: LOOKUP, variables: { ean: { a: 1 } } }],
    ['a variable of a custom scalar that is invalid', { query: PRODUCT, variables: { from: 'x' } }],
    ['null for a variable whose default hides that it is required', { query: PRODUCT, variables: { id: null } }],
    [
      'a page',
      {
        query: 'query P($n: Int) { products(first: $n) { totalCount edges { cursor node { name } } } }',
        variables: { n: 1 },
      },
    ],
    [
      'a page that is too long',
      { query: 'query P($n: Int) { products(first: $n) { totalCount } }', variables: { n: 101 } },
    ],
    [
      'an operation above a limit',
      {
        query:
          'query P($n: Int) { products(first: $n) { nodes { offers { product { offers { product { offers { id } } } } } } } }',
        variables: { n: 100 },
      },
    ],
    [
      'one of several operations',
      {
        query: 'query A { plans { id } } query B($ean: String) { lookup(ean: $ean) { product { name } } }',
        operationName: 'B',
        variables: { ean: EAN },
      },
    ],
    ['an unknown operation', { query: 'query A { plans { id } } query C { viewer { name } }', operationName: 'B' }],
    ['no operation name for several', { query: 'query A { plans { id } } query D { viewer { name } }' }],
    ['a query without variables', { query: '{ plans { id name } viewer { name plan { id } } }' }],
    [
      'a query with directives',
      {
        query: 'query D($no: Boolean!) { plans { id name @include(if: $no) } viewer { name @skip(if: $no) } }',
        variables: { no: false },
      },
    ],
    [
      'an interface',
      {
        query: 'query N($id: ID!) { node(id: $id) { __typename id ... on Product { name } } }',
        variables: { id: 'prd_1' },
      },
    ],
    ['introspection', { query: '{ __type(name: "Plan") { name fields { name } } }' }],
    [
      'names that JavaScript treats specially',
      {
        query:
          'query P($constructor: Int) { __proto__: plans { toString: id valueOf: name } products(first: $constructor) { hasOwnProperty: totalCount } }',
        variables: { constructor: 2 },
      },
    ],
    ['a trusted document', { documentId: hash, variables: { ean: EAN } }],
    [
      'a trusted document as Apollo names it',
      { extensions: { persistedQuery: { version: 1, sha256Hash: hash } }, variables: { ean: EAN } },
    ],
    ['an unknown document', { documentId: 'a'.repeat(64) }],
    ['an invalid document', { query: '{ lookup { nothing } }' }],
    ['variables that are a list', { query: LOOKUP, variables: [] }],
    ['an unknown member', { query: LOOKUP, variables: { ean: EAN }, more: 1 }],
    ['extensions', { query: LOOKUP, variables: { ean: EAN, asin: 'x' }, extensions: { any: 1 } }],
    ['members that are null', { query: LOOKUP, variables: null, operationName: null, extensions: null }],
  ])('%s', async (_what, body) => {
    // Another query is repeated first, so that the media type is known.
    await repeat({ query: '{ plans { name } }' });
    const [first, ...others] = (await repeat(body)).map(essence);
    for (const other of others) expect(other).toEqual(first);
  });

  test.each([
    [undefined, 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json, text/plain, */*', 'application/json; charset=utf-8'],
    ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json; charset=utf-8'],
    ['application/graphql-response+json', 'application/graphql-response+json; charset=utf-8'],
    ['multipart/mixed', 'multipart/mixed; boundary="-"'],
    ['text/event-stream', 'text/event-stream; charset=utf-8'],
    ['text/html', 'application/json; charset=utf-8'],
  ])('for a client that accepts %s', async (accept, type) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const asked = [
      { query: LOOKUP, variables: { ean: EAN, asin: 'B0DEMO0001' } },
      { query: LOOKUP, variables: { ean: '12', asin: 'x' } },
      { query: LOOKUP, variables: { ean: [] } },
    ];
    for (const body of asked) {
      const [first, ...others] = (await repeat(body, headers)).map(essence);
      expect(first?.headers[0]).toBe(type);
      for (const other of others) expect(other).toEqual(first);
    }
  });

  test('for a body that is not JSON, a form, and another path', async () => {
    const query = '{ plans { id } }';
    for (let use = 0; use < USES; use += 1) {
      expect((await post({ query })).status).toBe(200);
      expect((await post(`{"query":"${query}"`)).status).toBe(400);
      expect((await post([{ query }])).status).toBe(400);
      expect((await post({ query }, { 'content-type': 'text/plain' })).status).toBe(415);
      expect((await post({ query }, { 'content-encoding': 'gzip' })).status).toBe(415);
    }
  });
});

describe('a repeated query', () => {
  test('costs the same as the first time', async () => {
    const own = await makeKey('free');
    const left: number[] = [];
    for (let use = 0; use < USES; use += 1) {
      const { headers } = await post({ query: LOOKUP, variables: { ean: EAN, asin: 'x' } }, {}, own);
      left.push(Number(headers.get('x-quota-remaining')));
    }
    expect(left).toEqual([98, 96, 94, 92, 90, 88]);
  });

  test('is refused without a key, with an invalid one, and beyond the quota', async () => {
    const query = 'query Mine { viewer { used } }';
    const [first] = await repeat({ query });
    expect(first?.status).toBe(200);
    expect((await post({ query }, {}, '')).body.errors[0].extensions.code).toBe('missing_api_key');
    expect((await post({ query }, {}, `pda_${'a'.repeat(38)}`)).body.errors[0].extensions.code).toBe('invalid_api_key');
    const own = await makeKey('free');
    const many = { query: 'query M($many: [IdentifierInput!]!) { lookups(identifiers: $many) { product { name } } }' };
    const of = (count: number) => ({
      ...many,
      variables: { many: Array.from({ length: count }, () => ({ ean: EAN })) },
    });
    const statuses: number[] = [];
    for (const count of [1, 1, 1, 1, 90, 7, 1]) statuses.push((await post(of(count), {}, own)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 402, 200]);
  });

  test('has its names in the log, each time', async () => {
    const id = `repeated-${Math.random()}`;
    for (let use = 0; use < USES; use += 1) {
      await post({ query: 'query Named { plans { id } viewer { name } }' }, { 'x-request-id': `${id}-${use}` });
    }
    const logged = lines.filter(({ requestId }) => String(requestId).startsWith(id));
    expect(logged).toHaveLength(USES);
    for (const line of logged) expect(line).toMatchObject({ operationName: 'Named', status: 200 });
    const { requestId: _id, durationMs: _ms, ...first } = logged[0] ?? {};
    expect(logged.map(({ operation }) => operation)).toEqual(logged.map(() => first.operation));
  });

  test('fails like the first time if the service fails: without data, and not charged', async () => {
    const own = await makeKey('free');
    const body = { query: LOOKUP, variables: { ean: EAN, asin: 'B0DEMO0001' } };
    for (let use = 0; use < USES; use += 1) await post(body, {}, own);
    await database.script('ALTER TABLE product RENAME TO product_away');
    try {
      const { status, headers, body: answer } = await post(body, {}, own);
      expect([status, answer.data, answer.errors[0].path]).toEqual([500, null, ['first']]);
      expect(answer.errors[0].locations).toEqual([{ line: 2, column: 3 }]);
      expect(headers.get('x-quota-remaining')).toBe('88');
    } finally {
      await database.script('ALTER TABLE product_away RENAME TO product');
    }
    expect((await post(body, {}, own)).headers.get('x-quota-remaining')).toBe('86');
  });

  test('cannot run code through its literals', async () => {
    const magic = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d';
    const query = `{ lookup(ean: "${magic}globalThis.isBroken=true") { product { name } } }`;
    const [first, ...others] = (await repeat({ query })).map(essence);
    for (const other of others) expect(other).toEqual(first);
    expect('isBroken' in globalThis).toBe(false);
  });
});

const operationOf = (query: string) => {
  const operation = findOperation(readDocument(query), undefined);
  if (!operation) throw new Error('The document has no operation.');
  return operation;
};

describe('an operation is compiled only', () => {
  test('in proportion to its code, in which each spread of a fragment is written out', () => {
    const fragments = Array.from(
      { length: 12 },
      (_, n) =>
        `fragment F${n} on Product { a: category { id } ...F${n + 1} b: category { parent { id } } ...F${n + 1} }`,
    );
    const query = `query Q($id: ID!) { product(id: $id) { ...F0 } } ${fragments.join(' ')} fragment F12 on Product { id }`;
    expect(sizeToCompile(operationOf(query))).toBeGreaterThan(4_096);
  });

  test('if it is repeated, has at most 150 fields, and not too many others were compiled within a second', async () => {
    const compiledAfter = async (executor: ReturnType<typeof openExecutor>, query: string, uses: number) => {
      const operation = operationOf(query);
      const asked = { document: parse(query), operation, variables: {} };
      // The plans need nothing from the context.
      for (let use = 0; use < uses; use += 1) await executor.run(asked, {} as never);
      return executor.isCompiled(operation);
    };
    const plans = (count: number, name = 'a') =>
      `{ ${Array.from({ length: count }, (_, n) => `${name}${n}: plans { id name }`).join(' ')} }`;
    const unbounded = openExecutor(Number.POSITIVE_INFINITY);
    expect(await compiledAfter(unbounded, plans(1), 2)).toBe(false);
    expect(await compiledAfter(unbounded, plans(1), 1)).toBe(true);
    expect(await compiledAfter(unbounded, plans(50), USES)).toBe(true);
    expect(await compiledAfter(unbounded, plans(51), USES)).toBe(false);
    // Compiled code of 5,000 fields is kept: that of the first query has made room for others.
    for (let n = 0; n < 33; n += 1) expect(await compiledAfter(unbounded, plans(50, `c${n}x`), 3)).toBe(true);
    expect(await compiledAfter(unbounded, plans(50), 0)).toBe(false);
    const slow = openExecutor(1);
    expect(await compiledAfter(slow, plans(50, 'b'), USES)).toBe(true);
    expect(await compiledAfter(slow, plans(1, 'b'), USES)).toBe(false);
  });
});
