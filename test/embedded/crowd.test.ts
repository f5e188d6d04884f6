/** Twenty processes that enter and leave the embedded database at random, some of them killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EmbeddedFolder, makeEmbeddedFolder } from '../harness/embedded.ts';

const VISITORS = 20;
const RUN_MS = 30_000;
const SHARE_KILLED = 0.2;
const LONGEST_LIFE_MS = 4_000;

let home: EmbeddedFolder;
beforeEach(() => {
  home = makeEmbeddedFolder();
});
afterEach(() => home.remove());

test('every visit that ends by itself has written, and the last one stops the database', async () => {
  const until = Date.now() + RUN_MS;
  const seen = { whole: 0, killed: 0, failed: [] as string[] };
  const visit = async (): Promise<void> => {
    const words = ['dist/pda.js', 'keys', 'create', '--name', 'visitor', '--plan', 'free'];
    const child = spawn(process.execPath, words, {
      cwd: join(import.meta.dirname, '..', '..'),
      env: { PATH: process.env.PATH, DATA_DIR: home.folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const isKilled = Math.random() < SHARE_KILLED;
    const killing = isKilled ? setTimeout(() => child.kill('SIGKILL'), Math.random() * LONGEST_LIFE_MS) : undefined;
    const [status, signal] = await once(child, 'close');
    clearTimeout(killing);
    if (status === 0) seen.whole += 1;
    else if (signal === 'SIGKILL') seen.killed += 1;
    else seen.failed.push(said);
  };
  const visitor = async () => {
    while (Date.now() < until) await visit();
  };
  await Promise.all(Array.from({ length: VISITORS }, visitor));
  expect(seen.failed).toEqual([]);
  expect(seen.whole).toBeGreaterThan(0);
  const { stdout } = await home.pda(['keys', 'list', '--json']);
  const keys = JSON.parse(stdout).length;
  expect(keys).toBeGreaterThanOrEqual(seen.whole);
  expect(keys).toBeLessThanOrEqual(seen.whole + seen.killed);
  expect(home.process()).toBeUndefined();
});
