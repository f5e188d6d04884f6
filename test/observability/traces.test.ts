/** Traces are sent to a configured collector and continue the trace of the client; without a collector nothing is loaded. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { ask, feedRow, posting } from '../harness/gateway.ts';
import { makeHome } from '../harness/home.ts';
import { folderForFile, forFile } from '../harness/lifetime.ts';
import { runApart, startServerProcess } from '../harness/process.ts';

const EAN = '4006381333931';

/** A span in the JSON of OTLP. */
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}
interface Export {
  resourceSpans: { resource: Pick<Span, 'attributes'>; scopeSpans: { spans: Span[] }[] }[];
}

const received: Export[] = [];
let log = '';

// Lists all scripts that a process has loaded, by whatever way.
const LISTING = `
  import { writeFileSync } from 'node:fs';
  import { Session } from 'node:inspector';
  const scripts = [];
  const session = new Session();
  session.connect();
  session.on('Debugger.scriptParsed', ({ params }) => scripts.push(params.url));
  session.post('Debugger.enable');
  process.on('exit', () => writeFileSync(process.env.SCRIPTS, scripts.join('\\n')));
`;

const folder = folderForFile('pda-traces-');
const collector = createServer((request, response) => {
  json(request).then((body) => {
    if (request.url === '/v1/traces') received.push(body as Export);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
});
collector.listen(0, '127.0.0.1');
await once(collector, 'listening');
const { port } = collector.address() as AddressInfo;
const preload = join(folder, 'listing.mjs');
writeFileSync(preload, LISTING);
const home = await forFile(makeHome());
const environment = {
  ...home.environment,
  ...(process.env.TEST_REDIS_URL && { REDIS_URL: process.env.TEST_REDIS_URL }),
  NODE_OPTIONS: `--import=${preload}`,
  SCRIPTS: join(folder, 'scripts-on'),
  ANSWER_CACHE_MB: '0',
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_SERVICE_NAME: 'traced-shop',
  OTEL_BSP_SCHEDULE_DELAY: '50',
};
const server = await forFile(startServerProcess(environment));
server.child.stderr?.on('data', (chunk) => {
  log += chunk;
});
const commands = { ...environment, SCRIPTS: join(folder, 'scripts-pda') };
const made = await runApart('pda', ['keys', 'create', '--name', 'T', '--plan', 'enterprise', '--json'], commands);
const key = JSON.parse(made.stdout).key;
const feed = join(folder, 'feed.jsonl');
writeFileSync(feed, `${JSON.stringify(feedRow({ id: '1', gtin: EAN, title: 'Secret stapler' }))}\n`);
const words = ['import', feed, '--merchant', 'A Shop', '--rejects', join(folder, 'rejects.jsonl')];
expect(await runApart('pda', words, commands)).toMatchObject({ status: 0, stderr: '' });
afterAll(() => collector.close());

const spans = () =>
  received.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((s) => s.spans)),
  );
const attribute = ({ attributes }: Pick<Span, 'attributes'>, name: string) => {
  const value = attributes.find((each) => each.key === name)?.value;
  return value?.stringValue ?? (value?.intValue === undefined ? undefined : Number(value.intValue));
};

/** Sends a request as part of a trace. @returns its spans at the collector: the request's own, which comes last, and the others. */
async function trace(path: string, init: RequestInit = {}) {
  const traceId = randomBytes(16).toString('hex');
  const parent = randomBytes(8).toString('hex');
  const { status } = await ask(server.address + path, {
    ...init,
    key,
    headers: { ...(init.headers as Record<string, string>), traceparent: `00-${traceId}-${parent}-01` },
  });
  const own = await eventually(
    async () => spans().filter((span) => span.traceId === traceId),
    (found) => found.some(({ kind }) => kind === SERVER),
  );
  const request = own.find(({ kind }) => kind === SERVER);
  if (!request) throw new Error('The request is not in its trace.');
  return { traceId, parent, status, request, parts: own.filter((span) => span !== request) };
}

const SERVER = 2;
const CLIENT = 3;

describe('a traced request', () => {
  test('continues the trace of the client, and includes the statements that it waited for', async () => {
    const { traceId, parent, request, parts } = await trace(`/api/v1/lookup?ean=${EAN}`);
    expect(request).toMatchObject({ name: 'GET /api/v1/lookup', parentSpanId: parent });
    expect(attribute(request, 'http.request.method')).toBe('GET');
    expect(attribute(request, 'http.route')).toBe('/api/v1/lookup');
    expect(attribute(request, 'http.response.status_code')).toBe(200);
    const statements = parts.filter((span) => attribute(span, 'db.system.name') === 'postgresql');
    expect(statements.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['keys', expect.stringMatching(/^charge/), 'products_by_identifier']),
    );
    for (const span of statements) {
      expect(span).toMatchObject({ kind: CLIENT, traceId, parentSpanId: request.spanId });
      expect(attribute(span, 'db.query.text')).toMatch(/\$1/);
    }
  });

  test.skipIf(!process.env.TEST_REDIS_URL)('includes its Redis commands', async () => {
    const { parts } = await trace(`/api/v1/lookup?ean=${EAN}`);
    const [command] = parts.filter((span) => attribute(span, 'db.system.name') === 'redis');
    expect(command).toMatchObject({ kind: CLIENT });
  });

  test.each([
    'for the first time',
    'for the second time',
    'for the third time',
  ])('over GraphQL includes its operation, and the statements within it, %s', async () => {
    const { request, parts } = await trace('/graphql', {
      ...posting({ query: `query Mine { lookup(ean: "${EAN}") { offers { url } } }` }),
    });
    expect(request.name).toBe('POST /graphql');
    const operation = parts.find(({ name }) => name === 'query lookup');
    expect(operation).toMatchObject({ parentSpanId: request.spanId });
    expect(operation && attribute(operation, 'graphql.operation.name')).toBe('Mine');
    expect(parts.filter(({ parentSpanId }) => parentSpanId === operation?.spanId).length).toBeGreaterThan(0);
  });

  test('can be found in the log by its trace id', async () => {
    const { traceId } = await trace('/api/v1/plans');
    await eventually(
      async () => log,
      (text) => text.includes(traceId),
    );
    const line = log.split('\n').find((each) => each.includes(traceId));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ traceId, route: '/api/v1/plans', status: 200 });
  });

  test('never includes the key of the client, wherever it was sent', async () => {
    for (const path of [`/foo/${key}`, `/foo/${key.replace('_', '%5F')}`]) {
      const { request } = await trace(path);
      expect(attribute(request, 'url.path')).toBe(`/foo/${key.slice(0, 8)}…`);
    }
  });

  test('starts a trace if the client has none', async () => {
    const requestId = `begun-${randomBytes(8).toString('hex')}`;
    await ask(`${server.address}/api/v1/plans`, { headers: { 'x-request-id': requestId } });
    const begun = await eventually(
      async () => spans().find((span) => attribute(span, 'pda.request_id') === requestId),
      (span) => span !== undefined,
    );
    expect(begun?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(begun?.parentSpanId ?? '').toBe('');
  });

  test('is not sent if the client does not sample it', async () => {
    const traceId = randomBytes(16).toString('hex');
    const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-00` };
    expect((await ask(`${server.address}/api/v1/plans`, { headers })).status).toBe(200);
    await trace('/api/v1/plans'); // An earlier span would have been sent with it.
    expect(spans().filter((span) => span.traceId === traceId)).toEqual([]);
  });
});

test('an import is a trace that includes its statements', async () => {
  const root = spans().find(({ name }) => name === 'import');
  expect(root?.parentSpanId ?? '').toBe('');
  const parts = spans().filter(({ traceId, name }) => traceId === root?.traceId && name !== 'import');
  expect(parts.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['import_stage', 'import_match', 'import_plan', 'import_write', 'import_record']),
  );
});

test('traces have the configured service name, and no key, value or query', async () => {
  await trace(`/api/v1/lookup?ean=${EAN}`);
  expect(received.length).toBeGreaterThan(0);
  for (const { resourceSpans } of received) {
    for (const { resource } of resourceSpans) expect(attribute(resource, 'service.name')).toBe('traced-shop');
  }
  const all = JSON.stringify(received);
  for (const never of [key.slice(8), EAN, 'Secret stapler']) expect(all).not.toContain(never);
});

test('no part of OpenTelemetry is loaded without a collector', async () => {
  const scriptsOf = (name: string) => readFileSync(join(folder, name), 'utf8').split('\n');
  expect(await server.stop()).toBe(0);
  expect(scriptsOf('scripts-on').filter((url) => /opentelemetry/.test(url))).not.toEqual([]);
  const plain = await startServerProcess({
    ...home.environment,
    NODE_OPTIONS: `--import=${join(folder, 'listing.mjs')}`,
    SCRIPTS: join(folder, 'scripts-off'),
  });
  expect((await ask(`${plain.address}/api/v1/lookup?ean=${EAN}`, { key })).status).toBe(200);
  expect(await plain.stop()).toBe(0);
  const loaded = scriptsOf('scripts-off');
  expect(loaded.some((url) => /dist\/main\.js$/.test(url))).toBe(true);
  expect(loaded.filter((url) => /opentelemetry/.test(url))).toEqual([]);
});
