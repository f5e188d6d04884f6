/** Trusted documents: GraphQL operations named by the hashes of their documents. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { openEvents } from './harness/events.ts';
import { feedRow, posting, startTestGateway, type TestGateway } from './harness/gateway.ts';

const LOOKUP =
  'query Look($ean: String!) { a: lookup(ean: $ean) { product { name } } b: lookup(ean: $ean) { offers { totalPrice } } }';
const PRICES = 'subscription Prices { priceChanged(productIds: ["marker"]) { min } }';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const folder = mkdtempSync(join(tmpdir(), 'pda-documents-'));
const file = join(folder, 'persisted-documents.json');
const variables = { ean: '4006381333931' };
const found = { data: { a: { product: { name: 'Marker' } }, b: { offers: [{ totalPrice: 2.5 }] } } };

async function start(environment: Record<string, string>): Promise<{ gateway: TestGateway; key: string }> {
  const gateway = await startTestGateway(environment);
  await gateway.importRows('Shop', [feedRow({ id: 'a', title: 'Marker', gtin: variables.ean, price: '2.50 EUR' })]);
  return { gateway, key: (await gateway.makeKey('starter')).key };
}

let gateway: TestGateway;
let key: string;
const post = (body: object, on = gateway, by = key) => on.get('/graphql', { key: by, ...posting(body) });

beforeAll(async () => {
  writeFileSync(file, JSON.stringify({ [hashOf(LOOKUP)]: LOOKUP, [hashOf(PRICES)]: PRICES }));
  ({ gateway, key } = await start({ TRUSTED_DOCUMENTS: file }));
});
afterAll(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true });
});

describe('a trusted document', () => {
  test.each([
    ['documentId', { documentId: hashOf(LOOKUP) }],
    ['documentId with its algorithm', { documentId: `sha256:${hashOf(LOOKUP)}` }],
    ["Apollo's extension", { extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(LOOKUP) } } }],
  ])('is run when it is named by %s, at the cost of its fields', async (_how, named) => {
    const used = async () => (await gateway.graphql('{ viewer { used } }', { key })).body.data.viewer.used;
    const before = await used();
    expect((await post({ ...named, variables })).body).toEqual(found);
    expect((await used()) - before).toBe(3); // Two lookups, and the query for the usage.
  });

  test('is run by GET too', async () => {
    const search = new URLSearchParams({ documentId: hashOf(LOOKUP), variables: JSON.stringify(variables) });
    expect((await gateway.get(`/graphql?${search}`, { key })).body).toEqual(found);
  });

  test('may be a subscription', async () => {
    const search = new URLSearchParams({ documentId: hashOf(PRICES) });
    const leaving = new AbortController();
    const { status, headers } = await fetch(`${gateway.address}/graphql?${search}`, {
      headers: { 'x-api-key': key },
      signal: leaving.signal,
    });
    leaving.abort();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  test('needs a key like any other', async () => {
    const { status, body } = await post({ documentId: hashOf(LOOKUP), variables }, gateway, '');
    expect([status, body.errors[0].extensions.code]).toEqual([401, 'missing_api_key']);
  });

  test('that is unknown gives an error that says what to do, and documents may still be sent as text', async () => {
    const { status, body } = await post({ documentId: hashOf('{ plans { id } }') });
    expect(status).toBe(404);
    expect(body.errors[0].extensions).toEqual({ code: 'unknown_document', status: 404, parameter: 'documentId' });
    expect((await post({ query: LOOKUP, variables })).body).toEqual(found);
  });

  test('is unknown to a service without trusted documents', async () => {
    const plain = await start({});
    try {
      const { status, body } = await post({ documentId: hashOf(LOOKUP), variables }, plain.gateway, plain.key);
      expect([status, body.errors[0].message]).toEqual([404, expect.stringContaining('has no trusted documents')]);
    } finally {
      await plain.gateway.stop();
    }
  });
});

test('a request without a document is told what to send', async () => {
  const { status, body } = await post({ variables });
  expect(status).toBe(400);
  expect(body.errors[0].extensions).toEqual({ code: 'invalid_parameter', status: 400, parameter: 'query' });
});

test('with TRUSTED_DOCUMENTS_ONLY, all other documents are refused, including subscriptions and GraphiQL', async () => {
  const strict = await start({ TRUSTED_DOCUMENTS: file, TRUSTED_DOCUMENTS_ONLY: 'true' });
  try {
    const ask = (body: object) => post(body, strict.gateway, strict.key);
    expect((await ask({ documentId: hashOf(LOOKUP), variables })).body).toEqual(found);
    const wrong = { documentId: hashOf(LOOKUP), variables: { ean: '12' } };
    const first = await ask(wrong);
    expect(first.body.errors.map(({ path }: { path: string[] }) => path)).toEqual([['a'], ['b']]);
    for (let use = 0; use < 5; use += 1) {
      expect((await ask({ documentId: hashOf(LOOKUP), variables })).body).toEqual(found);
      expect((await ask(wrong)).text).toBe(first.text);
    }
    for (const query of [LOOKUP, '{ __schema { queryType { name } } }', PRICES, 'mutation { x }', '{']) {
      const { status, body } = await ask({ query, variables });
      expect([query, status, body.errors[0].extensions.code]).toEqual([query, 403, 'untrusted_document']);
    }
    const both = await ask({ query: '{ plans { id } }', documentId: hashOf(LOOKUP), variables });
    expect([both.status, both.body.errors[0].extensions.code]).toEqual([403, 'untrusted_document']);
    const stream = await openEvents(strict.gateway.address, { query: PRICES, headers: { 'x-api-key': strict.key } });
    expect(stream.response.status).toBe(403);
    stream.leave();
    const page = await strict.gateway.get('/graphql', { headers: { accept: 'text/html' } });
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect((await strict.gateway.get('/api/v1/lookup?ean=4006381333931', { key: strict.key })).status).toBe(200);
  } finally {
    await strict.gateway.stop();
  }
});

describe('the configuration', () => {
  test.each([
    ['a missing file', () => ({ TRUSTED_DOCUMENTS: join(folder, 'nothing.json') })],
    ['a file that is not JSON', () => ({ TRUSTED_DOCUMENTS: written('text.json', 'query { plans { id } }') })],
    ['a file with other content', () => ({ TRUSTED_DOCUMENTS: written('list.json', '[{"id": 1}]') })],
    ['TRUSTED_DOCUMENTS_ONLY without a file', () => ({ TRUSTED_DOCUMENTS_ONLY: 'true' })],
    ['an unknown TRUSTED_DOCUMENTS_ONLY', () => ({ TRUSTED_DOCUMENTS: file, TRUSTED_DOCUMENTS_ONLY: 'yes' })],
  ])('refuses %s with a message that names the variable', (_what, environment) => {
    expect(() => readConfig(environment())).toThrow(/TRUSTED_DOCUMENTS/);
  });
});

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
