/** What a stranger meets: the first start with its demo, a lookup over both faces, and later starts that keep everything. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from './harness/eventually.ts';
import { ask } from './harness/gateway.ts';
import { run, startServerProcess } from './harness/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'pda-first-'));
const root = join(import.meta.dirname, '..');
let said = '';
let address = '';
let stop: () => Promise<void>;

beforeAll(async () => {
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  while (!said.includes('Or in a browser:')) await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? '';
  stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
});
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

const keyOf = (plan: string) => new RegExp(`${plan}\\s+(pda_\\w+)`).exec(said)?.[1] ?? '';

test('the first start prints a key for each plan and three commands to try', () => {
  for (const plan of ['free', 'starter', 'pro', 'enterprise']) expect(keyOf(plan)).toMatch(/^pda_\w{38}$/);
  expect(said.match(/^ {2}curl /gm)).toHaveLength(3);
});

test('each of the three commands, typed as printed, answers with the product', async () => {
  for (const command of said.match(/^ {2}curl .*$/gm) ?? []) {
    const child = spawn('sh', ['-c', command.trim().replace('curl', 'curl -sS')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let answer = '';
    child.stdout.on('data', (chunk) => {
      answer += chunk;
    });
    const [status] = await once(child, 'close');
    if (status === 127) continue; // A machine without curl: the requests are covered by the other tests.
    expect(answer).toContain('Markina Glow Line Highlighter Yellow');
  }
});

test('the demo has what a look around needs', async () => {
  const { status, stdout } = await run('pda', ['usage', '--json'], { DATA_DIR: folder });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toHaveLength(4);
  const { body } = await ask(`${address}/api/v1/lookup?asin=B0DEMO0001`, { key: keyOf('pro') });
  expect(body.data.offers.length).toBeGreaterThanOrEqual(6);
  expect(body.data.priceStats.lowestEver).toBeLessThanOrEqual(body.data.priceStats.min);
});

test('an import beside the running server is seen by its clients', async () => {
  const feed =
    'id\ttitle\tlink\tprice\tavailability\tgtin\na\tA\thttps://x.example\t0.49 EUR\tin stock\t4006381333931\n';
  const { status } = await run('pda', ['import', '-', '--merchant', 'New Shop'], { DATA_DIR: folder }, feed);
  expect(status).toBe(0);
  const lowest = async () => {
    const { body } = await ask(`${address}/api/v1/lookup?ean=4006381333931`, { key: keyOf('enterprise') });
    return body.data.priceStats.min;
  };
  // Within a second: until then, a kept answer may be given.
  expect(await eventually(lowest, (price) => price === 0.49)).toBe(0.49);
});

test('a later start keeps everything, and prints no keys', async () => {
  await stop();
  const server = await startServerProcess({ DATA_DIR: folder, NODE_ENV: '' });
  stop = async () => void (await server.stop());
  const { status, body } = await ask(`${server.address}/api/v1/lookup?ean=4006381333931`, { key: keyOf('pro') });
  expect(status).toBe(200);
  expect(body.data.offers[0]).toMatchObject({ merchant: 'New Shop', totalPrice: 0.49 });
  const { stdout } = await run('pda', ['keys', 'list', '--json'], { DATA_DIR: folder });
  expect(JSON.parse(stdout)).toHaveLength(4);
});

test('in production, the first start brings no demo', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'pda-production-'));
  const server = await startServerProcess({ DATA_DIR: empty, NODE_ENV: 'production' });
  const { stdout } = await run('pda', ['keys', 'list', '--json'], { DATA_DIR: empty });
  await server.stop();
  rmSync(empty, { recursive: true, force: true });
  expect(JSON.parse(stdout)).toEqual([]);
});
