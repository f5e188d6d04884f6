/** GraphQL documents generated from the schema, valid and damaged: never a server error, and every error has a code. */
import fc from 'fast-check';
import { getNamedType, isLeafType, isNonNullType, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { PROBLEMS } from '../../src/problem.ts';
import { fillCatalogue } from '../harness/catalogue.ts';
import { documents } from '../harness/documents.ts';
import { anyText, tries } from '../harness/fuzz.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await fillCatalogue(gateway);
const { data } = (
  await gateway.graphql(
    '{ products { edges { cursor node { id slug } } } brands { nodes { id slug } } merchants { nodes { id slug } } }',
    { key },
  )
).body;
const known = [
  ...data.products.edges.flatMap((edge: { cursor: string; node: { id: string; slug: string } }) => [
    edge.cursor,
    edge.node.id,
    edge.node.slug,
  ]),
  ...[...data.brands.nodes, ...data.merchants.nodes].flatMap(({ id, slug }: { id: string; slug: string }) => [
    id,
    slug,
  ]),
  '4006381333931',
  'B0DEMO0001',
  '2026-01-01',
  'echo',
];

const types = schema();
const document = documents(() => known);

interface GraphqlError {
  message: string;
  extensions?: { code?: string; status?: number };
}

const CODES = Object.keys(PROBLEMS);
// Yoga's own codes for requests that it refuses before or while it parses them.
const YOGA_CODES = [
  'BAD_REQUEST',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_USER_INPUT',
];

function checkErrors(source: unknown, errors: readonly GraphqlError[] = [], isValid: boolean): void {
  for (const { message, extensions } of errors) {
    const code = extensions?.code;
    const isKnown = code !== undefined && (CODES.includes(code) || YOGA_CODES.includes(code));
    // Only GraphQL's own validation errors on an invalid document have no code.
    expect([source, message, code, isKnown || (!isValid && code === undefined)]).toEqual([source, message, code, true]);
    expect([source, code]).not.toEqual([source, 'internal_error']);
  }
}

test('every valid document is answered', async () => {
  await fc.assert(
    fc.asyncProperty(document, async (query) => {
      expect([query, validate(types, parse(query)).map(String)]).toEqual([query, []]);
      const { status, body, text } = await gateway.graphql(query, { key });
      expect(status, `${query}\n${text}`).toBeLessThan(500);
      checkErrors(query, body.errors, true);
      if (status === 200) expect(body.data === undefined ? body.errors : body.data).toBeDefined();
    }),
    tries(150),
  );
});

/** A document for each argument of a root field that needs no other argument; `$a` is its value. */
const BY_VARIABLE = Object.values(types.getQueryType()?.getFields() ?? {}).flatMap((field) =>
  field.args
    .filter((argument) => field.args.every((other) => other === argument || !isNonNullType(other.type)))
    .map((argument) => {
      const inside = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
      return `query Q($a: ${argument.type}) { ${field.name}(${argument.name}: $a) ${inside} }`;
    }),
);

test('variables of any value are answered, or refused as a client error', async () => {
  const odd = fc.constantFrom<unknown>(1.5, 1e20, -1, '5', [[]], { maxPrice: '3' }, JSON.parse('{"__proto__":{}}'));
  const given = fc.oneof(odd, fc.jsonValue(), anyText(10));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...BY_VARIABLE), given, async (query, a) => {
      const { status, body, text } = await gateway.graphql(query, { key, variables: { a } });
      expect(status, `${query} ${JSON.stringify(a)}\n${text}`).toBeLessThan(500);
      checkErrors([query, a], body.errors, true);
    }),
    tries(200),
  );
});

test('a damaged document is refused with a message, never with a server error', async () => {
  const token = fc.oneof(
    fc.constantFrom(
      ...'{ } ( ) [ ] $a ... @skip " """ # : ! | & = null query mutation subscription'.split(' '),
      'fragment a on Query',
      'on',
      '\ufeff',
      '\0',
      '\\u',
      '"\\ud800"',
      '"\\u{110000}"',
      '1e999',
      '-',
      '.5',
      '__schema',
      '__proto__',
      '{a'.repeat(3_000),
      'a '.repeat(5_000),
    ),
    anyText(10),
  );
  const spoilt = fc
    .tuple(document, fc.array(fc.tuple(fc.nat(), fc.nat(12), token), { minLength: 1, maxLength: 4 }))
    .map(([query, changes]) =>
      changes.reduce((text, [place, length, put]) => {
        const from = place % (text.length + 1);
        return text.slice(0, from) + put + text.slice(from + length);
      }, query),
    );
  await fc.assert(
    fc.asyncProperty(spoilt, async (query) => {
      const { status, body, text } = await gateway.graphql(query, { key });
      expect(status, `${query.slice(0, 2_000)}\n${text}`).toBeLessThan(500);
      checkErrors(query.slice(0, 2_000), body.errors, false);
    }),
    tries(120),
  );
});

test('any other body is refused with a message, never with a server error', async () => {
  const odd = fc.oneof(
    fc.json({ maxDepth: 3 }),
    anyText(),
    fc
      .record(
        {
          query: document,
          variables: fc.jsonValue({ maxDepth: 2 }),
          operationName: fc.jsonValue({ maxDepth: 1 }),
          extensions: fc.jsonValue({ maxDepth: 2 }),
          documentId: fc.jsonValue({ maxDepth: 1 }),
        },
        { requiredKeys: [] },
      )
      .map((each) => JSON.stringify(each)),
    document.map((query) => JSON.stringify([{ query }, { query }])),
    fc.constantFrom(
      '',
      ...'{ [] null {"query":null} {"query":""} {"query":"{__typename}","variables":[]}'.split(' '),
      ...'{"query":"query($a:Int){__typename}","variables":{"a":1e400}}'.split(' '),
    ),
  );
  const mediaType = fc.constantFrom(
    'application/json',
    'application/json',
    'application/graphql',
    'application/graphql-response+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'multipart/form-data',
    'text/plain',
    'application/json; charset=utf-16',
    'é',
    '',
  );
  const accept = fc.constantFrom(
    ...'application/json text/event-stream multipart/mixed application/graphql-response+json */*'.split(' '),
    ...'text/html ;'.split(' '),
  );
  await fc.assert(
    fc.asyncProperty(odd, mediaType, accept, async (body, type, accepted) => {
      const headers = { 'content-type': Buffer.from(type).toString('latin1'), accept: accepted };
      const answer = await gateway.get('/graphql', {
        method: 'POST',
        key,
        headers,
        body,
        signal: AbortSignal.timeout(20_000),
      });
      expect(answer.status, `${type} ${accepted} ${body}\n${answer.text}`).toBeLessThan(500);
      for (const each of [answer.body].flat()) checkErrors(body, each?.errors, false);
    }),
    tries(150),
  );
});
