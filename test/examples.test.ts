/** The clients in `examples`, run as a frontend developer runs them, against a gateway. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { examplePayload } from '../src/webhooks/payload.ts';
import { makeSigningSecret, signedHeaders } from '../src/webhooks/sign.ts';
import { feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(root, 'dist', 'examples-'));
const DOCUMENTS = join(root, 'examples/graphql-client/generated/persisted-documents.json');
const EAN = '4006381333931';
const marker = (price: string) => feedRow({ id: 'a', title: 'Marker', gtin: EAN, price });

const gateway = await forFile(startTestGateway({ TRUSTED_DOCUMENTS: DOCUMENTS, TRUSTED_DOCUMENTS_ONLY: 'true' }));
await gateway.importRows('Shop', [marker('2.50 EUR')]);
const { key } = await gateway.makeKey('starter');
await build({
  entryPoints: ['rest-client', 'graphql-client', 'webhook-listener', 'mirror'].map((name) =>
    join(root, 'examples', name, 'main.ts'),
  ),
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
});
afterAll(() => rmSync(folder, { recursive: true }));

function start(name: string, words: string[], environment: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [join(folder, name, 'main.mjs'), ...words], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: tmpdir(),
      PRODUCT_DATA_URL: gateway.address,
      PRODUCT_DATA_KEY: key,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function run(name: string, words: string[], environment: Record<string, string> = {}) {
  const child = start(name, words, environment);
  const said = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    said.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    said.stderr += chunk;
  });
  const [status] = await once(child, 'close');
  return { status, ...said };
}

describe('the REST example', () => {
  test('shows the current and past prices of a product', async () => {
    const { status, stdout, stderr } = await run('rest-client', [EAN]);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^Marker, from 2\.5 EUR\n {7}2\.50 {2}Shop \(in_stock\)\n {2}\d{4}-\d{2} {2}from 2\.50\n9999 requests/m,
    );
  });

  test('prints the error message of the service', async () => {
    const { status, stderr } = await run('rest-client', ['12']);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^Invalid parameter: .*13 or 14 digits/)]);
  });
});

describe('the GraphQL example, sending only hashes', () => {
  test('shows the price of a product, and its changes as they happen', async () => {
    const child = start('graphql-client', [EAN], { SEND_HASHES: 'true' });
    const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
    const next = async () => (await lines.next()).value;
    try {
      expect(await next()).toBe('Marker, from 2.5 EUR');
      expect(await next()).toBe('       2.50  Shop (in_stock)');
      expect(await next()).toMatch(/^Listening/);
      await expect.poll(() => gateway.services.metrics.subscriptions.get()).toMatchObject({ values: [{ value: 1 }] });
      await gateway.importRows('Shop', [marker('1.75 EUR')]);
      expect(await next()).toMatch(/^\S+Z {2}Marker: from 2\.5 to 1\.75$/);
    } finally {
      child.kill();
    }
  });

  test('says when no product has the EAN', async () => {
    const { status, stderr } = await run('graphql-client', ['4012345678901'], { SEND_HASHES: 'true' });
    expect([status, stderr]).toEqual([1, 'No product has the EAN 4012345678901.\n']);
  });

  test('is refused when it sends the text of the documents instead', async () => {
    const { status, stderr } = await run('graphql-client', [EAN]);
    expect([status, stderr]).toEqual([1, expect.stringContaining('trusted documents only')]);
  });
});

describe('the copy of a shop', () => {
  test('has its offers, and follows each change', async () => {
    const other = { id: 'b', title: 'Pencil', price: '1 EUR' };
    await gateway.importRows('Mirrored', [feedRow({ id: 'a', price: '2 EUR' }), feedRow(other)]);
    const child = start('mirror', ['merchant=mirrored']);
    const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
    const next = async () => (await lines.next()).value;
    try {
      expect(await next()).toBe('2 offers');
      await gateway.importRows('Mirrored', [feedRow({ id: 'a', price: '1.80 EUR' }), feedRow(other)]);
      expect(await next()).toBe('Mirrored: 1.8 EUR');
      await gateway.importRows('Mirrored', [feedRow(other)], { isForced: true });
      expect(await next()).toMatch(/^off_\w+ was withdrawn$/);
    } finally {
      child.kill();
    }
    const { status, stdout, stderr } = await run('mirror', ['merchant=mirrored'], { ONCE: 'true' });
    expect([status, stdout, stderr]).toEqual([0, '1 offers\n', '']);
  });
});

describe('the listener for webhooks', () => {
  test('prints messages with a valid signature, once each, and refuses all others', async () => {
    const secret = makeSigningSecret();
    const child = start('webhook-listener', [], { WEBHOOK_SECRET: secret, PORT: '0' });
    const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
    const next = async () => (await lines.next()).value;
    try {
      const [, port] = /^Listening on port (\d+)\.$/.exec(await next()) ?? [];
      const send = async (id: string, price: number, signedWith: string) => {
        const example = examplePayload(
          'new_low',
          { publicUrl: gateway.address, currency: 'EUR' },
          { webhookId: 'whk_1', at: '2026-01-31T08:00:00Z' },
        );
        const body = JSON.stringify({ ...example, data: { ...example.data, min: price } });
        const headers = signedHeaders(signedWith, id, body, Date.now());
        return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
      };
      const challenge = JSON.stringify({ type: 'webhook.verify', data: { challenge: 'Repeat this.' } });
      const headers = signedHeaders(secret, 'msg_0', challenge, Date.now());
      const confirmed = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: challenge });
      expect(await confirmed.text()).toBe('Repeat this.');
      expect(await send('msg_1', 1, makeSigningSecret())).toBe(401);
      for (const id of ['msg_2', 'msg_2']) expect(await send(id, 19.99, secret)).toBe(204);
      expect(await send('msg_3', 18.5, secret)).toBe(204);
      expect(await next()).toBe('2026-01-31T08:00:00Z  new_low  A product: from 24.99 to 19.99 EUR');
      expect(await next()).toBe('2026-01-31T08:00:00Z  new_low  A product: from 24.99 to 18.5 EUR');
    } finally {
      child.kill();
    }
  });
});
