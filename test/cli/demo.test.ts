/** The demo where something is in its way: a first start that dies half-way, another market, data of the operator's own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../harness/process.ts';

const root = join(import.meta.dirname, '..', '..');
let folder: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pda-demo-'));
});
afterEach(async () => {
  await end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the server outside production and waits until it has said `words`, on whichever stream. */
async function startUntil(words: string, environment: Record<string, string> = {}): Promise<string> {
  const starting = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = starting;
  let said = '';
  return new Promise((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said += chunk;
      if (said.includes(words)) resolve(said);
    };
    starting.stdout.on('data', listen);
    starting.stderr.on('data', listen);
    starting.once('exit', (status) => reject(new Error(`The server ended with status ${status}. It said:\n${said}`)));
  });
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

const json = async (...words: string[]) => {
  const { status, stdout } = await run('pda', [...words, '--json'], { DATA_DIR: folder });
  expect(status).toBe(0);
  return JSON.parse(stdout);
};

test('a first start that was killed half-way is gone on with by the next, which prints the keys', async () => {
  await startUntil('20 of ');
  await end('SIGKILL');
  expect(await json('keys', 'list')).toEqual([]);
  const said = await startUntil('Or in a browser:');
  expect(said.match(/pda_\w{38}$/gm)).toHaveLength(4);
  await end('SIGKILL'); // What was printed is there for good, however the server ends.
  expect(await json('keys', 'list')).toHaveLength(4);
  const again = await json('demo');
  expect(again.keys.map(({ name }: { name: string }) => name)).toEqual([
    'demo free',
    'demo starter',
    'demo pro',
    'demo enterprise',
  ]);
  expect(await json('keys', 'list')).toHaveLength(8);
}, 900_000); // Hundreds of feeds are imported in all, each committed to the disk.

test('in another market than EUR the first start says in one line why it brings no demo', async () => {
  const said = await startUntil('Listening', { MARKET_CURRENCY: 'CHF' });
  expect(said).toMatch(/^The demo catalogue was not imported: its prices are in EUR, but MARKET_CURRENCY is CHF\.$/m);
  expect(await json('keys', 'list')).toEqual([]);
  const { status, stdout, stderr } = await run('pda', ['demo', '--json'], { DATA_DIR: folder, MARKET_CURRENCY: 'CHF' });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('MARKET_CURRENCY');
});

test("an operator's own key or shop keeps the demo away", async () => {
  await json('keys', 'create', '--name', 'mine', '--plan', 'free');
  expect(await startUntil('Listening')).not.toMatch(/demo catalogue/);
  expect(await json('keys', 'list')).toHaveLength(1);
});
