/**
 * Every operation of the served OpenAPI description, called with valid, borderline and malicious values: never a server error,
 * and every response matches the description.
 */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { afterAll, expect, test } from 'vitest';
import { fillCatalogue } from '../harness/catalogue.ts';
import { anyText, ODD_TEXTS, tries } from '../harness/fuzz.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  unevaluatedProperties?: boolean;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
  example?: unknown;
}
interface Described {
  $ref?: string;
  headers?: Record<string, { $ref?: string; schema?: Schema }>;
  content?: Record<string, { schema: Schema; example?: unknown }>;
}
interface Operation {
  operationId: string;
  security?: unknown[];
  parameters: Parameter[];
  responses: Record<string, Described>;
}
interface Description {
  paths: Record<string, { get?: Operation }>;
  components: Record<string, Record<string, unknown>>;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

// With the cache, because it is keyed by the URL.
const gateway = await forFile(startTestGateway({ ANSWER_CACHE_MB: '4' }));
const { key } = await gateway.makeKey('enterprise');
await fillCatalogue(gateway);
const description: Description = (await gateway.get('/api/v1/openapi.json')).body;
const { data } = (await gateway.get('/api/v1/products', { key })).body;
const slugs: string[] = data.flatMap(({ slug, id }: { slug: string; id: string }) => [slug, id]);
afterAll(() => agent.destroy());

/** How a value is percent-encoded in a URL: correctly or wrongly. */
const encoding = fc.constantFrom('right', 'right', 'right', 'right', 'all', 'plus', 'wrong', 'raw', 'truncated');

function encode(text: string, how: string): string {
  const bytes = [...Buffer.from(text, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`);
  // Lone surrogates as the three bytes that UTF-8 forbids.
  const surrogates = text.replace(/\p{Surrogate}/gu, (half) => {
    const code = half.charCodeAt(0);
    return `%${(0xe0 | (code >> 12)).toString(16)}%${(0x80 | ((code >> 6) & 63)).toString(16)}%${(0x80 | (code & 63)).toString(16)}`;
  });
  if (surrogates !== text) return surrogates.replace(/[^%0-9a-fA-F]/g, '');
  switch (how) {
    case 'all':
      return bytes.join('').toLowerCase();
    case 'plus':
      return encodeURIComponent(text).replaceAll('%20', '+');
    case 'wrong':
      return `${encodeURIComponent(text)}%zz%E0%A4%C0%AF%`;
    case 'truncated':
      return bytes.join('').slice(0, -1);
    case 'raw':
      return text.replace(/[^\x21-\x22\x24-\x7e]/g, '');
    default:
      return encodeURIComponent(text);
  }
}

const hostile: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 2, arbitrary: anyText() },
  { weight: 1, arbitrary: fc.constantFrom(100, 101, 200, 201, 2_000, 7_000).map((length) => 'a'.repeat(length)) },
  { weight: 1, arbitrary: fc.constantFrom('é', '日', '👍').map((letter) => letter.repeat(101)) },
  { weight: 1, arbitrary: fc.integer().map(String) },
  { weight: 1, arbitrary: fc.double().map(String) },
);

/** Values that a parameter's schema allows, and values around its bounds. */
function described({ name, schema, example }: Parameter): fc.Arbitrary<string> {
  const known: fc.Arbitrary<string>[] = example === undefined ? [] : [fc.constant(String(example))];
  if (schema.enum) known.push(fc.constantFrom(...schema.enum));
  else if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum = 0, maximum = 10 ** 9 } = schema;
    known.push(fc.integer({ min: minimum, max: maximum }).map(String));
    known.push(fc.constantFrom(minimum - 1, minimum, maximum, maximum + 1).map(String));
    if (schema.type === 'number') known.push(fc.double({ min: minimum, max: maximum, noNaN: true }).map(String));
  } else if (schema.format === 'date') {
    const date = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    known.push(
      fc
        .oneof(fc.date({ min: new Date('2015-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }), date)
        .map((day) => day.toISOString().slice(0, 10)),
    );
    known.push(fc.constantFrom('0000-00-00', '0000-01-01', '0001-01-01', '9999-12-31', '2023-02-30', '2024-02-29'));
  } else {
    known.push(fc.constantFrom(...'a e echo Echo thunder колонка 4006381333931 audio aurelio beta'.split(' '), 'x y'));
    if (name === 'slug' || name === 'id') known.push(fc.nat().map((pick) => slugs[pick % slugs.length] ?? ''));
    const { minLength = 0, maxLength = 200 } = schema;
    known.push(fc.constantFrom(minLength, maxLength, maxLength + 1).map((length) => 'a'.repeat(length)));
  }
  return fc.oneof(...known);
}

const value = (parameter: Parameter) =>
  fc
    .tuple(fc.oneof({ weight: 3, arbitrary: described(parameter) }, { weight: 2, arbitrary: hostile }), encoding)
    .map(([text, how]) => encode(text, how));

interface Asked {
  method: string;
  path: string;
  headers: Record<string, string>;
}

function asking(path: string, operation: Operation): fc.Arbitrary<Asked> {
  // A long poll waits for up to half a minute.
  const parameters = operation.parameters.filter((each) => each.$ref === undefined && each.name !== 'wait');
  const inQuery = parameters.filter((each) => each.in === 'query');
  const inPath = parameters.filter((each) => each.in === 'path');
  const pair = ({ name, ...rest }: Parameter) =>
    value({ name, ...rest }).chain((text) =>
      fc.oneof(
        { weight: 12, arbitrary: fc.constant(`${name}=${text}`) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            `${name}=${text}&${name}=${text}`,
            `${name}[]=${text}`,
            `${name}[a]=${text}`,
            `${encode(name, 'all')}=${text}`,
            `${name}`,
            `${name.toUpperCase()}=${text}`,
            `=${text}`,
            `&&${name}=${text}&?x=1`,
          ),
        },
      ),
    );
  const query = fc.tuple(
    ...inQuery.map((parameter) =>
      fc.option(pair(parameter), { nil: undefined, freq: parameter.required ? 9 : inQuery.length > 4 ? 1 : 2 }),
    ),
  );
  const headers = fc.record(
    {
      accept: fc.oneof(
        fc.constantFrom(
          'application/json',
          'text/csv',
          'image/svg+xml',
          '*/*',
          'text/html;q=0.9, text/csv;q=0.1',
          'a/b;q=9',
          ';;,,',
          'text/csv;q=x',
        ),
        fc.string({ unit: fc.constantFrom(...'abc/*+;=q.,01 "'), maxLength: 30 }),
      ),
      'if-none-match': fc.constantFrom('*', 'W/"x"', '"', ',,,', 'W/', '"é"', 'x'.repeat(2_000)),
      'x-request-id': fc.constantFrom('abc', 'a b', '<script>', 'x'.repeat(500), 'é', ''),
      'accept-encoding': fc.constantFrom(
        'br',
        'gzip',
        'identity;q=0',
        '*;q=0',
        'gzip;q=2, br;q=-1',
        ';',
        'gzip,'.repeat(200),
      ),
      origin: fc.constantFrom('null', 'https://shop.example', 'javascript:alert(1)', 'é', ''),
      range: fc.constantFrom('bytes=0-1', 'bytes=9-1'),
      'content-length': fc.constant('0'),
    },
    { requiredKeys: [] },
  );
  return fc.record({
    method: fc.constantFrom(...'GET GET GET GET GET GET HEAD OPTIONS POST DELETE PURGE TRACE'.split(' ')),
    path: fc.tuple(fc.tuple(...inPath.map(value)), query).map(([places, pairs]) => {
      const names = inPath.map(({ name }) => name);
      const target = path.replace(/\{(\w+)\}/g, (_, name: string) =>
        (places[names.indexOf(name)] ?? '').replaceAll('?', '%3F'),
      );
      const search = pairs.filter((each) => each !== undefined).join('&');
      return search === '' ? target : `${target}?${search}`;
    }),
    headers: fc
      .tuple(
        headers,
        fc.constantFrom<string | undefined>(...Array(12).fill('KEY'), undefined, 'pda_wrong', "' OR 1=1", 'é'),
      )
      .map(([some, secret]) => ({ ...some, ...(secret !== undefined && { 'x-api-key': secret }) })),
  });
}

interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const LONGEST_WAIT_MS = 20_000;

function send({ method, path, headers }: Asked): Promise<Answered> {
  const bearing = headers['x-api-key'] === 'KEY' ? { ...headers, 'x-api-key': key } : headers;
  const latin1 = Object.fromEntries(
    Object.entries(bearing).map(([name, text]) => [name, Buffer.from(text).toString('latin1')]),
  );
  const { hostname, port } = new URL(gateway.address);
  return new Promise((resolve, reject) => {
    const asked = request(
      { hostname, port, method, path, headers: latin1, agent, timeout: LONGEST_WAIT_MS },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('error', reject);
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const body = Buffer.concat(chunks);
          const encoded = incoming.headers['content-encoding'];
          const plain =
            body.length === 0
              ? body
              : encoded === 'br'
                ? brotliDecompressSync(body)
                : encoded === 'gzip'
                  ? gunzipSync(body)
                  : body;
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: plain.toString('utf8') });
        });
      },
    );
    asked.on('timeout', () => asked.destroy(new Error(`No answer in ${LONGEST_WAIT_MS / 1_000} s.`)));
    asked.on('error', reject);
    asked.end();
  });
}

/** The schema, without allowing properties that it does not name. */
function closed(schema: Schema, isWhole = true): Schema {
  const { properties, items, allOf } = schema;
  const isObject = schema.$ref !== undefined || allOf !== undefined || properties !== undefined;
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, (each) => closed(each)) }),
    ...(items && { items: closed(items) }),
    ...(allOf && { allOf: allOf.map((each) => closed(each, false)) }),
    ...(isObject && isWhole && schema.unevaluatedProperties === undefined && { unevaluatedProperties: false }),
  };
}

const mapValues = <Value, Other>(record: Record<string, Value>, change: (value: Value) => Other) =>
  Object.fromEntries(Object.entries(record).map(([name, each]) => [name, change(each)]));

const validators = new Map<Schema, (body: unknown) => string>();
let ajv: Ajv2020 | undefined;

/** What is wrong with a body; empty if it matches the schema. */
function faultsOf(schema: Schema, body: unknown): string {
  let validate = validators.get(schema);
  if (!validate) {
    if (!ajv) {
      ajv = new Ajv2020({ strict: false, allErrors: true });
      formats.default(ajv);
      ajv.addSchema({
        $id: 'api',
        components: {
          schemas: mapValues(description.components.schemas as Record<string, Schema>, (each) => closed(each, false)),
        },
      });
    }
    const check = ajv.compile(
      JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/components', '"api#/components')),
    );
    validate = (value) => (check(value) ? '' : (ajv?.errorsText(check.errors) ?? ''));
    validators.set(schema, validate);
  }
  return validate(body);
}

function resolved<Value extends { $ref?: string }>(value: Value): Value {
  if (value.$ref === undefined) return value;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  return description.components[kind]?.[name] as Value;
}

// Headers of every response, which belong to HTTP and not to an operation, with those of src/http/security-headers.ts.
const TRANSPORT =
  /^(content-(type|length|encoding)|date|connection|keep-alive|transfer-encoding|vary|cache-control|etag|access-control-.*|x-content-type-options|cross-origin-resource-policy|content-security-policy|referrer-policy)$/;

function checkAnswer(path: string, operation: Operation, asked: Asked, { status, headers, text }: Answered): void {
  const where = `${asked.method} ${asked.path}`.slice(0, 300);
  const seen = (fact: unknown) => [where, status, fact];
  expect(status, `${where} ${text}`).toBeLessThan(500);
  if (asked.method === 'OPTIONS') {
    expect(seen(headers.allow)).toEqual([where, 204, expect.stringContaining('OPTIONS')]);
    return;
  }
  // With `..` or nothing as a value, the URL belongs to another operation.
  const isElsewhere = !new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(
    new URL(asked.path, 'http://a').pathname,
  );
  if (isElsewhere) {
    expect(seen('elsewhere')).toEqual([where, expect.any(Number), 'elsewhere']);
    return;
  }
  const answer = operation.responses[status];
  expect(seen(answer === undefined)).toEqual([where, status, false]);
  if (!answer) return;
  const { headers: ownHeaders = {}, content } = resolved(answer);

  const documented = mapValues(ownHeaders, (each) => resolved(each).schema ?? {});
  const names = new Map(Object.entries(documented).map(([name, schema]) => [name.toLowerCase(), schema]));
  const type = headers['content-type']?.split(';')[0] ?? '';
  for (const [name, written] of Object.entries(headers)) {
    const schema = names.get(name);
    if (schema) {
      const isNumber = schema.type === 'integer' || schema.type === 'number';
      expect(seen(faultsOf(schema, isNumber ? Number(written) : written))).toEqual([where, status, '']);
    } else if (!TRANSPORT.test(name)) {
      expect(seen(`the header ${name} is not described`)).toEqual([where, status, '']);
    }
  }
  expect(headers['x-request-id']).toMatch(/^[\w.:/+=-]{1,128}$/);

  if (asked.method === 'HEAD' || status === 304) {
    expect(text).toBe('');
    return;
  }
  const form = content?.[type] ?? content?.[headers['content-type'] ?? ''];
  expect(seen(form === undefined ? type : '')).toEqual([where, status, '']);
  if (!form) return;
  if (type === 'application/x-ndjson') {
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(seen(faultsOf(form.schema, text))).toEqual([where, status, '']);
    expect(lines.at(-1)).toMatchObject({ end: true, count: lines.length - 1 });
  } else if (type.endsWith('json')) {
    const body = JSON.parse(text);
    expect(seen(faultsOf(form.schema, body))).toEqual([where, status, '']);
    if (type === 'application/problem+json') expect(body.status).toBe(status);
  } else if (type === 'text/csv') {
    const [columns = [], ...rows] = parse(text) as string[][];
    expect(columns.length).toBeGreaterThan(1);
    for (const row of rows) expect(row).toHaveLength(columns.length);
  } else if (type === 'image/svg+xml') {
    expect(text).toMatch(/^<svg /);
    new SaxesParser().write(text).close();
  }
}

/** Checks that the links of a response can be followed. */
async function follow(asked: Asked, { headers }: Answered): Promise<void> {
  for (const [, next = '', relation] of String(headers.link ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)) {
    const { status, text } = await send({ ...asked, path: next });
    expect([asked.path, relation, next, status, status === 304 ? '' : text]).toEqual([
      asked.path,
      relation,
      next,
      expect.toSatisfy((code: number) => code === 200 || code === 304),
      expect.any(String),
    ]);
  }
}

test('every operation answers every request as described', async () => {
  for (const [path, { get: operation }] of Object.entries(description.paths)) {
    if (!operation) continue;
    const count = operation.parameters.length > 1 ? 20 + 15 * operation.parameters.length : 20;
    await fc.assert(
      fc.asyncProperty(asking(path, operation), async (asked) => {
        const answer = await send(asked);
        checkAnswer(path, operation, asked, answer);
        if (answer.status === 200 && asked.method === 'GET') await follow(asked, answer);
      }),
      tries(count),
    );
  }
});

test('undescribed paths are refused by name, never with a server error', async () => {
  const segment = fc.oneof(
    hostile,
    fc.constantFrom(...'api v1 products go docs assets .. . graphql mcp healthz openapi.json'.split(' ')),
  );
  const target = fc
    .tuple(
      fc.array(fc.tuple(segment, encoding), { maxLength: 6 }),
      fc.option(fc.tuple(hostile, encoding), { nil: undefined }),
    )
    .map(
      ([parts, search]) =>
        `/${parts.map(([text, how]) => encode(text, how)).join('/')}${search ? `?${encode(...search)}` : ''}`,
    );
  await fc.assert(
    fc.asyncProperty(
      target,
      fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'),
      async (path, method) => {
        const { status, headers, text } = await send({ method, path, headers: { 'x-api-key': 'KEY' } });
        expect(status, `${method} ${path} ${text}`).toBeLessThan(500);
        expect(headers['x-request-id']).toBeDefined();
        if (status >= 400 && method !== 'HEAD' && /problem\+json/.test(headers['content-type'] ?? '')) {
          expect(faultsOf({ $ref: '#/components/schemas/Problem' }, JSON.parse(text))).toBe('');
        }
      },
    ),
    tries(150),
  );
});
