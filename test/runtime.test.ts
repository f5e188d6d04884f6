/** The service on the version of Node.js that runs the tests: CI runs this file on the oldest and on a newer one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { ask } from './harness/gateway.ts';
import { fillHome, LOOKUP, makeHome } from './harness/home.ts';
import { forFile } from './harness/lifetime.ts';
import { runApart } from './harness/process.ts';

const root = join(import.meta.dirname, '..');
const home = await forFile(makeHome());
const key = await fillHome(home);

test('npm start writes only log entries, and no warning of Node.js, from start to stop', async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const child = spawn(process.execPath, scripts.start.split(' ').slice(1), {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '0', DRAIN_DELAY_SECONDS: '0', ...home.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const printed: string[] = [];
  child.stdout.on('data', (chunk) => printed.push(String(chunk)));
  const entries: Record<string, unknown>[] = [];
  const listening = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (!line.startsWith('{')) return printed.push(line);
      const entry = JSON.parse(line);
      entries.push(entry);
      if (entry.msg === 'Listening') resolve(String(entry.address));
    });
    ended.then(([status]) => reject(new Error(`The server ended with status ${status}: ${printed.join('\n')}`)));
  });
  const address = await listening;

  const graphql = { method: 'POST', key, headers: { 'content-type': 'application/json' } };
  const answers = [
    await ask(address + LOOKUP, { key }),
    await ask(`${address}/api/v1/products`, { key, headers: { accept: 'text/csv' } }),
    await ask(`${address}/graphql`, { ...graphql, body: JSON.stringify({ query: '{ viewer { remaining } }' }) }),
    await ask(`${address}/docs/api`, { headers: { accept: 'text/html', 'accept-encoding': 'br' } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(printed).toEqual([]);
  // On a busy machine, any statement may be slow.
  expect(entries.filter(({ level, msg }) => Number(level) >= 40 && msg !== 'Slow statement')).toEqual([]);
});

test.each([
  [['keys', 'list', '--json']],
  [['doctor', '--json']],
  [['--help']],
])('pda %j writes no warning of Node.js', async (words) => {
  const { stderr } = await runApart('pda', words, home.environment);
  expect(stderr).not.toMatch(/warning|deprecat/i);
});
