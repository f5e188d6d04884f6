/** The first start with its demo, even if it is killed while it imports; the printed commands; later starts; starts without a demo. */
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageVersion } from '../src/package-root.ts';
import { eventually } from './harness/eventually.ts';
import { ask } from './harness/gateway.ts';
import { run } from './harness/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'pda-first-'));
const root = join(import.meta.dirname, '..');
let keysAfterKill: unknown;
/** What the starts print: the one that is killed while it imports the present, the one that is killed while it imports the past, and the last. */
let firstSaid = '';
let said = '';
let lastSaid = '';
/** The answers to the printed commands, which are run while the past is imported. */
let answers: string[] = [];
let address = '';
let server: ChildProcess | undefined;

/** Starts the server outside production. @returns a function that waits until the server has printed `words`, and returns all that it has printed. */
function startServer(environment: Record<string, string>): (words: string) => Promise<string> {
  const starting = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  server = starting;
  let printed = '';
  const printing = new EventEmitter();
  const listen = (chunk: Buffer) => {
    printed += chunk;
    printing.emit('more');
  };
  starting.stdout.on('data', listen);
  starting.stderr.on('data', listen);
  const ended = once(starting, 'exit').then(([status]) => Promise.reject(new Error(`status ${status}:\n${printed}`)));
  ended.catch(() => {}); // A test may end the server that it does not wait for.
  return async (words) => {
    while (!printed.includes(words)) await Promise.race([once(printing, 'more'), ended]);
    return printed;
  };
}

const startUntil = (words: string, environment: Record<string, string>) => startServer(environment)(words);

/** Runs a printed command. @returns what it prints; `undefined` on a machine without curl, where other tests cover these requests. */
async function runPrinted(command: string): Promise<string | undefined> {
  const child = spawn('sh', ['-c', command.trim().replace('curl', 'curl -sS')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let answer = '';
  child.stdout.on('data', (chunk) => {
    answer += chunk;
  });
  const [status] = await once(child, 'close');
  return status === 127 ? undefined : answer;
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill(signal);
  await ended;
}

async function json(words: readonly string[], dataDir = folder) {
  const { status, stdout } = await run('pda', [...words, '--json'], { DATA_DIR: dataDir });
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

/** Runs `work` with an empty data folder, and ends the server that it started. */
async function withFolder(work: (empty: string) => Promise<void>): Promise<void> {
  const empty = mkdtempSync(join(tmpdir(), 'pda-empty-'));
  try {
    await work(empty);
  } finally {
    await end('SIGKILL');
    rmSync(empty, { recursive: true, force: true });
  }
}

// Importing the demo takes most of the time here, so the tests share one first start, which is killed twice and repeated.
beforeAll(async () => {
  firstSaid = await startUntil('Importing the demo catalogue: 1 of ', { DATA_DIR: folder });
  await end('SIGKILL');
  keysAfterKill = await json(['keys', 'list']);
  const until = startServer({ DATA_DIR: folder });
  const commands = (await until('Or in a browser:')).match(/^ {2}curl .*$/gm) ?? [];
  answers = (await Promise.all(commands.map(runPrinted))).filter((answer) => answer !== undefined);
  said = await until('Importing the past of the demo catalogue: 1 of ');
  await end('SIGKILL');
  lastSaid = await startUntil('Importing the past of the demo catalogue: 100 of 100 feeds', { DATA_DIR: folder });
  address = /http:\/\/127\.0\.0\.1:\d+/.exec(lastSaid)?.[0] ?? '';
}, 1_800_000);
afterAll(async () => {
  await end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const keyOf = (plan: string) => new RegExp(`${plan}\\s+(pda_\\w+)`).exec(said)?.[1] ?? '';

test('the first line is printed before the database is opened', () => {
  expect(JSON.parse(firstSaid.split('\n')[0] ?? '')).toMatchObject({ msg: 'Starting', version: packageVersion() });
});

test('a first start that is killed while it imports the present creates no keys, and the next start completes it', () => {
  expect(keysAfterKill).toEqual([]);
  expect(said).toContain('A demo catalogue was imported');
  expect(said).toMatch(/Importing the demo catalogue: (\d) of \1 feeds/);
});

test('a server that is killed while it imports the past continues at its next start, and prints the keys no more', () => {
  expect(lastSaid).not.toMatch(/pda_\w{38}/);
  expect(lastSaid).not.toContain('Importing the past of the demo catalogue: 1 of 100 feeds');
});

test('the first start prints a key for each plan and three commands to try', () => {
  for (const plan of ['free', 'starter', 'pro', 'enterprise']) expect(keyOf(plan)).toMatch(/^pda_\w{38}$/);
  expect(said.match(/^ {2}curl /gm)).toHaveLength(3);
});

test('each of the three commands, run as printed at once, returns the product', () => {
  for (const answer of answers) expect(answer).toContain('Markina Glow Line Highlighter Yellow');
});

test('the demo has usage, a product with several offers, and past prices', async () => {
  // One of each plan, and the public one of the front page.
  expect(await json(['usage'])).toHaveLength(5);
  const { body } = await ask(`${address}/api/v1/lookup?asin=B0DEMO0001`, { key: keyOf('pro') });
  expect(body.data.offers.length).toBeGreaterThanOrEqual(6);
  expect(body.data.priceStats.lowestEver).toBeLessThanOrEqual(body.data.priceStats.min);
});

test('the front page has a key with which a visitor can look products up, another one than was printed', async () => {
  const { text } = await ask(`${address}/`, { headers: { accept: 'text/html' } });
  const key = /value="(pda_\w{38})"/.exec(text)?.[1] ?? '';
  expect(said).not.toContain(key);
  const { status, headers } = await ask(`${address}/api/v1/lookup?ean=4006381333931`, { key });
  expect([status, headers.get('x-quota-limit')]).toEqual([200, '0']);
  expect(text).toContain('Current deals');
});

test('clients of the running server see a new import', async () => {
  const feed =
    'id\ttitle\tlink\tprice\tavailability\tgtin\na\tA\thttps://x.example\t0.49 EUR\tin stock\t4006381333931\n';
  const { status } = await run('pda', ['import', '-', '--merchant', 'New Shop'], { DATA_DIR: folder }, feed);
  expect(status).toBe(0);
  const lowest = async () => {
    const { body } = await ask(`${address}/api/v1/lookup?ean=4006381333931`, { key: keyOf('enterprise') });
    return body.data.priceStats.min;
  };
  // For up to a second, the response may come from the cache.
  expect(await eventually(lowest, (price) => price === 0.49)).toBe(0.49);
});

test('a later start keeps all data, even after the server was killed, and prints no keys', async () => {
  await end('SIGKILL');
  const printed = await startUntil('"msg":"Listening"', { DATA_DIR: folder });
  expect(printed).not.toMatch(/pda_\w{38}/);
  const later = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
  const { status, body } = await ask(`${later}/api/v1/lookup?ean=4006381333931`, { key: keyOf('pro') });
  expect(status).toBe(200);
  expect(body.data.offers[0]).toMatchObject({ merchant: 'New Shop', totalPrice: 0.49 });
  expect(await json(['keys', 'list'])).toHaveLength(5);
});

test('`pda demo` creates new keys for an existing demo', async () => {
  const { keys } = await json(['demo']);
  expect(keys.map(({ name }: { name: string }) => name)).toEqual([
    'demo free',
    'demo starter',
    'demo pro',
    'demo enterprise',
  ]);
  expect(await json(['keys', 'list'])).toHaveLength(9);
  await end('SIGTERM');
});

describe('no demo is imported', () => {
  test('in production', () =>
    withFolder(async (empty) => {
      await startUntil('Listening', { DATA_DIR: empty, NODE_ENV: 'production' });
      expect(await json(['keys', 'list'], empty)).toEqual([]);
    }));

  test('in a market other than EUR, and a message says so', () =>
    withFolder(async (empty) => {
      const printed = await startUntil('Listening', { DATA_DIR: empty, MARKET_CURRENCY: 'CHF' });
      expect(printed).toMatch(
        /^The demo catalogue was not imported: its prices are in EUR, but MARKET_CURRENCY is CHF\.$/m,
      );
      expect(await json(['keys', 'list'], empty)).toEqual([]);
      const environment = { DATA_DIR: empty, MARKET_CURRENCY: 'CHF' };
      const { status, stdout, stderr } = await run('pda', ['demo', '--json'], environment);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain('MARKET_CURRENCY');
    }));

  test('when the operator has already created a key', () =>
    withFolder(async (empty) => {
      await json(['keys', 'create', '--name', 'mine', '--plan', 'free'], empty);
      expect(await startUntil('Listening', { DATA_DIR: empty })).not.toMatch(/demo catalogue/);
      expect(await json(['keys', 'list'], empty)).toHaveLength(1);
    }));
});
