/** The variables of a GraphQL operation are bounded before they are coerced, and so are the errors about them, however the operation is run. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { openExecutor } from '../../src/graphql/executor.ts';
import { openLimits } from '../../src/graphql/limits.ts';
import { findOperation, readDocument } from '../../src/graphql/operation.ts';
import { schema } from '../../src/graphql/schema.ts';
import { type Answer, posting, startTestGateway } from '../harness/gateway.ts';
import { folderForFile, forFile } from '../harness/lifetime.ts';

const LOOKUPS = 'query W($i: [IdentifierInput!]!) { lookups(identifiers: $i) { product { name } } }';
const PRODUCTS = 'query P($f: ProductFilter) { products(filter: $f) { totalCount } }';
const WINDOWS = `query H($m: String) { product(id: "none") { ${Array.from({ length: 240 }, (_, n) => `h${n}: priceHistory(days: 5, merchant: $m) { currency }`).join(' ')} } }`;
const SUBSCRIPTION = 'subscription S($i: [ID!]) { priceChanged(productIds: $i) { price } }';
const TRUSTED = 'query T($i: [IdentifierInput!]!) { lookups(identifiers: $i) { product { slug } } }';
const hash = createHash('sha256').update(TRUSTED).digest('hex');
const folder = folderForFile('pda-variables-');

writeFileSync(join(folder, 'documents.json'), JSON.stringify({ [hash]: TRUSTED }));
const gateway = await forFile(startTestGateway({ TRUSTED_DOCUMENTS: join(folder, 'documents.json') }));
const { key } = await gateway.makeKey('pro');
const post = (body: unknown, by = key): Promise<Answer> => gateway.get('/graphql', { key: by, ...posting(body) });

/** Sends an operation with small variables until it is compiled, so that the next one is checked by the executor. */
async function warm(body: object, variables: Record<string, unknown>) {
  for (let use = 0; use < 4; use += 1) await post({ ...body, variables });
}

const valid = { i: [{ ean: '4006381333931' }] };
/** A variable, which is a value itself, with so many items that all together are `count` values. */
const wrong = (count: number) => ({ i: Array(count - 1).fill(5) });

describe('10,000 values in the variables are allowed, and 10,001 are refused at the price of one request', () => {
  test.each<[way: string, body: object, isRepeated: boolean]>([
    ['in a new query', { query: `${LOOKUPS} # new` }, false],
    ['in a query that is compiled', { query: LOOKUPS }, true],
    ['in a new use of a trusted document', { documentId: hash }, false],
    ['in a trusted document that is compiled', { documentId: `sha256:${hash}` }, true],
    ['in a subscription', { query: SUBSCRIPTION }, false],
    ['beside the variables of the operation', { query: '{ viewer { used } }' }, true],
  ])('%s', async (_way, body, isRepeated) => {
    if (isRepeated) await warm(body, valid);
    const { key: own } = await gateway.makeKey('pro');
    const within = await post({ ...body, variables: wrong(10_000) }, own);
    expect(within.text).not.toContain('operation_too_complex');
    const before = Number(within.headers.get('x-quota-remaining'));
    const over = await post({ ...body, variables: wrong(10_001) }, own);
    expect(over.status).toBe(400);
    expect(over.body.data).toBeUndefined();
    expect(over.body.errors).toHaveLength(1);
    expect(over.body.errors[0]).toMatchObject({
      message: 'The variables have more than 10000 values: send fewer.',
      extensions: { code: 'operation_too_complex', status: 400, parameter: 'variables' },
    });
    expect(before - Number(over.headers.get('x-quota-remaining'))).toBe(1);
  });

  test('in a free query, where the refusal is free', async () => {
    const { headers, status } = await post({ query: '{ plans { id } }', variables: wrong(10_001) });
    const before = Number(headers.get('x-quota-remaining'));
    const again = await post({ query: '{ plans { id } }', variables: wrong(10_001) });
    expect([status, again.status, before - Number(again.headers.get('x-quota-remaining'))]).toEqual([400, 400, 0]);
    // Without a key, more than 16 KiB are refused before they are read.
    const unknown = await gateway.graphql('{ plans { id } }', { variables: wrong(10_001) });
    expect([unknown.status, unknown.body.errors[0].extensions.code]).toEqual([401, 'missing_api_key']);
  });

  test('and as many as fit into its URL by GET', async () => {
    const ask = (count: number) =>
      gateway.get(`/graphql?query=${encodeURIComponent(LOOKUPS)}&variables=${JSON.stringify(wrong(count))}`, { key });
    expect((await ask(4_000)).text).toContain('got invalid value 5');
    expect((await ask(10_000)).status).toBe(414);
  });

  test('at all levels, wherever they are', async () => {
    const limit = openLimits(schema(), true);
    const nested = (count: number) => ({ i: [Array(count - 4).fill({}), { a: 1 }] });
    expect(limit(LOOKUPS, undefined, nested(10_000))).toBeUndefined();
    expect(limit(LOOKUPS, undefined, nested(10_001))?.message).toMatch(/more than 10000 values/);
  });
});

describe('of values that are wrong', () => {
  /** Wrong values. graphql-js prints each in its error, for which it reads `toJSON`. */
  function countedValues(count: number) {
    const counted = { errors: 0, values: [] as object[] };
    for (let n = 0; n < count; n += 1) {
      counted.values.push(
        Object.defineProperty([], 'toJSON', {
          get() {
            counted.errors += 1;
            return undefined;
          },
        }),
      );
    }
    return counted;
  }

  test('only the first 20 make an error, whether the query is new or compiled', async () => {
    const { run, isCompiled } = openExecutor(Number.POSITIVE_INFINITY);
    const operation = findOperation(readDocument(LOOKUPS), undefined);
    if (!operation) throw new Error('The document has no operation.');
    const asked = { document: parse(LOOKUPS), operation };
    const answers: unknown[] = [];
    for (let use = 0; use < 6; use += 1) {
      const { values, ...counted } = countedValues(9_999);
      const counting = Object.assign(counted, { values });
      const { errors } = await run({ ...asked, variables: { i: counting.values } }, {} as never);
      answers.push([errors?.length, errors?.at(-1)?.message]);
      expect(answers.at(-1)).toEqual(answers[0]);
    }
    expect(isCompiled(operation)).toBe(true);
    const last = countedValues(9_999);
    await run({ ...asked, variables: { i: last.values } }, {} as never);
    // graphql-js reports 20, and the executor needs only one to leave the query to it.
    expect(last.errors).toBeGreaterThan(0);
    expect(last.errors).toBeLessThan(30);
  });

  test('the answer is the same the first time and once compiled', async () => {
    const first = await post({ query: `${LOOKUPS} # first`, variables: wrong(10_000) });
    await warm({ query: `${LOOKUPS} # first` }, valid);
    const compiled = await post({ query: `${LOOKUPS} # first`, variables: wrong(10_000) });
    expect(compiled.text).toBe(first.text);
    expect(compiled.body.errors).toHaveLength(21);
    expect(compiled.text.length).toBeLessThan(16_384);
  });
});

describe('literals in the document', () => {
  const list = (items: number) => ({
    query: `{ lookups(identifiers: [${Array(items).fill(5).join(' ')}]) { product { name } } }`,
  });

  test('are bounded by its 4,000 tokens, and at most ten errors report them', async () => {
    // The rest of the document has 15 tokens.
    const within = await post(list(3_985));
    expect(within.body.errors.length).toBeLessThanOrEqual(11);
    expect(within.body.errors[0].message).toContain('Expected value of type "IdentifierInput!", found 5.');
    const over = await post(list(3_986));
    expect([over.status, over.body.errors[0].message]).toEqual([
      400,
      'The document has more than 4000 tokens: send a shorter one, or split it.',
    ]);
  });
});

test('a document has at most 65,536 characters', async () => {
  const of = (length: number) => ({ query: '{ plans { id } }'.padEnd(length, '\n') });
  expect((await post(of(65_536))).body.data.plans).toHaveLength(4);
  const over = await post(of(65_537));
  expect([over.status, over.body.errors[0].message]).toEqual([
    400,
    'The document has 65537 characters, but the limit is 65536: send a shorter one, or split it.',
  ]);
});

describe('an object in the variables', () => {
  const members = (count: number, value: unknown = 1) => ({
    f: Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, value])),
  });

  test('has at most 100 members', async () => {
    const within = await post({ query: PRODUCTS, variables: members(100) });
    expect(within.body.errors[0].message).toContain('is not defined by type "ProductFilter"');
    const over = await post({ query: PRODUCTS, variables: members(101) });
    expect([over.status, over.body.errors[0].message]).toEqual([
      400,
      'The variables have an object with 101 members, but the limit is 100: send fewer.',
    ]);
  });

  test('has members with names of at most 100 characters', async () => {
    const of = (length: number) => ({ f: { ['a'.repeat(length)]: 1 } });
    const within = await post({ query: PRODUCTS, variables: of(100) });
    expect(within.body.errors[0].message).toContain('is not defined by type "ProductFilter"');
    const over = await post({ query: PRODUCTS, variables: of(101) });
    expect([over.status, over.body.errors[0].message]).toEqual([
      400,
      'The variables have a member whose name is longer than 100 characters: no input has such a member.',
    ]);
  });

  test('with long members that are wrong is answered with short errors, which keep their ends', async () => {
    for (let use = 0; use < 6; use += 1) {
      const { text, body } = await post({ query: PRODUCTS, variables: members(51, 'x'.repeat(5_000)) });
      expect(text.length).toBeLessThan(100_000);
      expect(body.errors[0].message).toMatch(/^Variable "\$f" got invalid value \{ a0: "x+ … .*ProductFilter/);
    }
  });
});

describe('a text in the variables', () => {
  const limit = openLimits(schema(), true);

  test('has at most 8,192 characters', async () => {
    const of = (length: number) => ({ f: { brands: ['a', 'x'.repeat(length)] } });
    const within = await post({ query: PRODUCTS, variables: of(8_192) });
    expect([within.status, within.body.data]).toEqual([200, { products: { totalCount: 0 } }]);
    const over = await post({ query: PRODUCTS, variables: of(8_193) });
    expect([over.status, over.body.errors[0].message]).toEqual([
      400,
      'The variables have a text of 8193 characters, but the limit is 8192: send a shorter one.',
    ]);
  });

  test('or a list that many fields use is not read anew for each of them', () => {
    let looked = 0;
    const item = { toJSON: () => (looked += 1) };
    expect(limit(WINDOWS, undefined, { m: Array(4_000).fill(item) })).toBeUndefined();
    expect(looked).toBe(0);
    expect(limit(WINDOWS, undefined, { m: 'x'.repeat(8_192) })).toBeUndefined();
  });
});
