/** The metrics show what clients request and with which result, and no client can make them grow without limit. */
import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { startGateway } from '../../src/gateway.ts';
import { openProcessMetrics } from '../../src/operations/process-metrics.ts';
import { openTestDatabase } from '../harness/database.ts';
import { eventually, expectEventually } from '../harness/eventually.ts';
import { ask, feedRow, posting, startTestGateway } from '../harness/gateway.ts';
import { forFile, forTest } from '../harness/lifetime.ts';

const EAN = '4006381333931';

const gateway = await forFile(startTestGateway({ METRICS_PORT: '0', ANSWER_CACHE_MB: '8' }));
const { key } = await gateway.makeKey('enterprise');
await gateway.importRows('A Shop', [feedRow({ id: '1', gtin: EAN })]);

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** All samples, as a scraper reads them. */
async function scrape({ metricsPort }: { metricsPort: number | undefined } = gateway): Promise<Sample[]> {
  const { status, text } = await ask(`http://127.0.0.1:${metricsPort}/metrics`);
  expect(status).toBe(200);
  return Array.from(text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm), ([, name = '', labels = '', value]) => ({
    name,
    labels: Object.fromEntries(Array.from(labels.matchAll(/(\w+)="([^"]*)"/g), ([, label, text]) => [label, text])),
    value: Number(value),
  }));
}

/** The sum of all samples with these labels. */
async function total(name: string, labels: Record<string, string> = {}): Promise<number> {
  const fitting = (await scrape()).filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return fitting.reduce((sum, { value }) => sum + value, 0);
}

describe('requests', () => {
  test('are counted by face, route, method and status; the route is a template, never the path itself', async () => {
    await gateway.get(`/api/v1/lookup?ean=${EAN}`, { key });
    await gateway.get('/api/v1/products/no-such-thing', { key });
    await gateway.get('/api/v1/products/other-thing', { key });
    await gateway.get('/api/v1/plans', { method: 'HEAD' });
    await gateway.get('/secret-path-of-a-client');
    await gateway.get('/go/off_1');
    await gateway.get('/healthz');
    await gateway.get('/docs/operations', { headers: { accept: 'text/html' } });
    await gateway.get('/products/nothing', { headers: { accept: 'text/html' } });
    const counted = (await scrape())
      .filter(({ name }) => name === 'pda_http_requests_total')
      .map(({ labels: { face, route, method, status }, value }) => `${face} ${method} ${route} ${status} ${value}`);
    expect(counted).toEqual(
      expect.arrayContaining([
        'rest GET /api/v1/lookup 200 1',
        'rest GET /api/v1/products/{slug} 404 2',
        'rest HEAD /api/v1/plans 200 1',
        'rest GET unmatched 404 1',
        'other GET /go/{offer} 302 1',
        'other GET /healthz, /readyz 200 1',
        'page GET /docs/{page} 200 1',
        'page GET /products/{slug} 404 1',
      ]),
    );
    expect(JSON.stringify(await scrape())).not.toMatch(/secret-path|no-such-thing/);
    expect(await total('pda_http_request_seconds_count', { route: '/api/v1/products/{slug}', class: '4xx' })).toBe(2);
  });

  test('over GraphQL are counted by their root fields, whatever names the client uses', async () => {
    await gateway.graphql(
      `query Mine { a: lookup(ean: "${EAN}") { offers { url } } plans { id } b: lookup(ean: "${EAN}") { offers { url } } }`,
      { key },
    );
    await gateway.graphql('query MyOwnName { nothingOfTheSchema }', { key });
    await gateway.graphql('{ broken', { key });
    expect(await total('pda_http_requests_total', { face: 'graphql', operation: 'lookup plans', status: '200' })).toBe(
      1,
    );
    expect(await total('pda_http_requests_total', { face: 'graphql', operation: 'invalid' })).toBe(2);
    expect(JSON.stringify(await scrape())).not.toMatch(/Mine|MyOwnName|nothingOfTheSchema/);
  });

  test('with one root field keep their name, however many combinations a client requests', async () => {
    const fields = [
      'plans { id }',
      'viewer { used }',
      '__typename',
      'brands { nodes { id } }',
      'merchants { nodes { id } }',
      'articles { nodes { id } }',
      'products { nodes { id } }',
    ];
    const combinations = Array.from({ length: 2 ** fields.length - 1 }, (_, set) =>
      fields.filter((_field, place) => ((set + 1) >> place) & 1),
    );
    for (const chosen of combinations) await gateway.graphql(`{ ${chosen.join(' ')} }`, { key });
    const operations = (await scrape()).filter(
      ({ name, labels }) => name === 'pda_http_requests_total' && labels.face === 'graphql',
    );
    const names = new Set(operations.map(({ labels }) => labels.operation));
    expect(combinations.length).toBeGreaterThan(100);
    expect([...names].filter((name) => name?.includes(' ')).length).toBe(50);
    expect([...names]).toEqual(expect.arrayContaining(['other', 'viewer', 'products', 'articles']));
  });

  test('over MCP are counted by tool, and unknown tools have no label of their own', async () => {
    const call = (name: string) =>
      gateway.get('/mcp', {
        key,
        ...posting(
          { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { ean: EAN } } },
          { accept: 'application/json, text/event-stream' },
        ),
      });
    await call('look_up');
    await call('tool_of_a_client');
    expect(await total('pda_http_requests_total', { face: 'mcp', operation: 'look_up' })).toBe(1);
    expect(await total('pda_http_requests_total', { face: 'mcp', operation: '' })).toBe(1);
    expect(await total('pda_http_requests_total', { face: 'mcp', operation: 'tool_of_a_client' })).toBe(0);
  });

  test('with unsupported methods share one label', async () => {
    for (const method of ['DELETE', 'PUT', 'PATCH', 'PROPFIND']) await gateway.get('/api/v1/plans', { method });
    expect(await total('pda_http_requests_total', { method: 'other', status: '405' })).toBe(4);
  });
});

test('refusals are counted by reason', async () => {
  const before = await Promise.all(REASONS.map((reason) => total('pda_refusals_total', { reason })));
  const small = await gateway.makeKey('free', { rateLimit: 1 });
  const used = await gateway.makeKey('free');
  await gateway.database.query(
    `INSERT INTO usage_counter (key_id, month, quota, used, granted)
     SELECT id, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), 100, 100, 0 FROM api_key ORDER BY id DESC LIMIT 1`,
  );
  const path = `/api/v1/lookup?ean=${EAN}`;
  const revoked = await gateway.makeKey('free');
  await gateway.database.query('UPDATE api_key SET revoked_at = now() WHERE id = (SELECT max(id) FROM api_key)');
  const statuses = [];
  for (const each of [undefined, 'guessed', revoked.key, small.key, small.key, used.key]) {
    statuses.push((await gateway.get(path, each === undefined ? {} : { key: each })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 200, 429, 402]);
  const after = await Promise.all(REASONS.map((reason) => total('pda_refusals_total', { reason })));
  expect(after.map((count, place) => count - (before[place] ?? 0))).toEqual([1, 1, 1, 1, 1]);
});

const REASONS = ['missing_key', 'malformed_key', 'unknown_key', 'rate', 'quota'];

describe('the database', () => {
  test('has metrics by statement name, including failed statements', async () => {
    await gateway.get(`/api/v1/lookup?ean=${EAN}`, { key });
    expect(await total('pda_statement_seconds_count', { statement: 'charge' })).toBeGreaterThan(0);
    expect(await total('pda_statement_seconds_count', { statement: 'keys' })).toBeGreaterThan(0);
    await expect(
      gateway.services.database.query('SELECT * FROM no_such_table', [], { name: 'nowhere' }),
    ).rejects.toThrow();
    expect(await total('pda_statement_errors_total', { statement: 'nowhere' })).toBe(1);
  });

  test('has the sizes of batches, which add up to the requests', async () => {
    // While PostgreSQL analyses a table, it keeps old versions of rows. A meter that notices them charges with the other statement for a while.
    const charged = async () => {
      const sums = ['charge', 'charge_newest'].map((statement) => total('pda_batch_size_sum', { statement }));
      return (await Promise.all(sums)).reduce((sum, each) => sum + each, 0);
    };
    const before = await charged();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => gateway.get(`/api/v1/lookup?ean=${EAN}`, { key })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await charged()) - before).toBe(40);
  });

  test('runs only statements listed in docs/architecture.md for lookups, lists and searches', async () => {
    const rows = readFileSync('docs/architecture.md', 'utf8').matchAll(/^\| ([`a-z_, ]+) \| `\w+`/gm);
    const listed = new Set(Array.from(rows, ([, names = '']) => names.replaceAll('`', '').split(', ')).flat());
    for (const path of [
      `/api/v1/lookup?ean=${EAN}`,
      '/api/v1/products?q=thing',
      '/api/v1/search?q=thi',
      '/api/v1/search?q=thimg',
      '/api/v1/brands',
      '/api/v1/merchants',
      '/api/v1/categories',
      '/api/v1/articles',
    ]) {
      expect((await gateway.get(path, { key })).status).toBe(200);
    }
    const names = (await scrape())
      .filter(({ name }) => name === 'pda_statement_seconds_count')
      .map(({ labels }) => labels.statement);
    expect(names.filter((name) => !listed.has(name ?? ''))).toEqual(['nowhere']);
  });

  test('has connections, and no statement waits for one without load', async () => {
    expect(await total('pda_database_connections', { state: 'waiting' })).toBe(0);
    expect(await total('pda_database_connections', { state: 'idle' })).toBeGreaterThan(0);
  });
});

test('cache hits and misses are counted separately', async () => {
  const path = `/api/v1/lookup?ean=${EAN}`;
  await eventually(
    () => gateway.get(path, { key }).then(() => total('pda_kept_answers_total', { result: 'hit' })),
    (hits) => hits > 0,
  );
  expect(await total('pda_kept_answers_total', { result: 'hit' })).toBeGreaterThan(0);
  expect(await total('pda_kept_answers_total', { result: 'miss' })).toBeGreaterThan(0);
  expect(await total('pda_kept_answers_bytes')).toBeGreaterThan(0);
});

test('imports of other processes are counted by result, with the time of the newest feed of each shop', async () => {
  const begun = await total('pda_import_runs_total', { result: 'done' });
  const rows = Array.from({ length: 4 }, (_, n) => feedRow({ id: `${n}` }));
  await gateway.importRows('Second', rows, { observedAt: new Date('2026-01-31T08:00:00Z') });
  await expect(gateway.importRows('Second', rows.slice(0, 1))).rejects.toThrow('more than half');
  await expect(gateway.importRows('Second', [], { feed: '/nowhere/feed.xml' })).rejects.toThrow();
  await gateway.importRows('Second', rows.slice(0, 1), { isDryRun: true, isForced: true });
  await eventually(
    () => total('pda_import_runs_total', { result: 'broken' }),
    (count) => count > 0,
  );
  expect((await total('pda_import_runs_total', { result: 'done' })) - begun).toBe(1);
  expect(await total('pda_import_runs_total', { result: 'refused' })).toBe(1);
  expect(await total('pda_import_runs_total', { result: 'broken' })).toBe(1);
  expect(await total('pda_import_rows_total', { outcome: 'new' })).toBeGreaterThanOrEqual(4);
  expect(await total('pda_import_seconds_count')).toBeGreaterThan(0);
  expect(await total('pda_import_last_success_timestamp_seconds', { merchant: 'second' })).toBe(
    Date.parse('2026-01-31T08:00:00Z') / 1000,
  );
});

test('products that wait for the digest or were set aside are counted', async () => {
  const inState = (state: string) => total('pda_digest_due_products', { state });
  await expectEventually(() => inState('waiting'), 0, 20_000);
  await gateway.database.query("INSERT INTO due_product VALUES (1000001, now() + INTERVAL '1 hour')");
  expect(
    await eventually(
      () => inState('set_aside'),
      (count) => count > 0,
    ),
  ).toBe(1);
  expect(await inState('waiting')).toBe(0);
});

test('the metrics are served while the database does not respond', async () => {
  const database = await openTestDatabase();
  let isSilent = false;
  const silent: Database = {
    ...database,
    query: (...asked) => (isSilent ? new Promise(() => {}) : database.query(...asked)),
  };
  const environment = { NODE_ENV: 'production', PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'silent' };
  const watched = await forTest(startGateway(readConfig(environment), silent));
  isSilent = true;
  await ask(`${watched.address}/healthz`);
  const told = await scrape(watched);
  expect(told.find(({ labels }) => labels.route === '/healthz, /readyz')?.value).toBe(1);
  isSilent = false;
});

test('the running version is a metric', async () => {
  expect(await total('pda_build_info', { version: '0.1.0', node: process.version })).toBe(1);
});

test("each gateway of a process has Node's metrics", async () => {
  for (const registry of [new Registry(), new Registry()]) {
    openProcessMetrics(registry);
    expect(await registry.metrics()).toMatch(/^nodejs_eventloop_lag_seconds /m);
  }
});
