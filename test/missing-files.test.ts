/** Files that are missing for a moment, as while a release is copied: whatever fails works again once they are back. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isUnavailable } from '../src/database/database.ts';
import { once, remembered } from '../src/remember.ts';
import { ask } from './harness/gateway.ts';
import { folderForFile, forFile } from './harness/lifetime.ts';
import { startServerProcess } from './harness/process.ts';

const root = join(import.meta.dirname, '..');

/** A server with its own copy of the files. */
const folder = folderForFile('pda-files-');
for (const shared of ['node_modules', 'prisma']) symlinkSync(join(root, shared), join(folder, shared));
copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
mkdirSync(join(folder, 'home'));
for (const own of ['dist', 'docs']) expect(spawnSync('cp', ['-r', join(root, own), folder]).status).toBe(0);
const server = await forFile(startServerProcess({ DATA_DIR: join(folder, 'home') }, folder));

const stylesheet = () => readdirSync(join(root, 'dist', 'web')).find((file) => file.endsWith('.css')) ?? '';

test.each([
  ['a page of the documentation', () => join('docs', 'errors.md'), () => '/docs/errors'],
  ['an asset', () => join('dist', 'web', stylesheet()), () => `/assets/${stylesheet()}`],
])('%s is an internal error while its file is missing, and works again once it is back', async (_, fileOf, pathOf) => {
  const file = join(folder, fileOf());
  const get = () => ask(server.address + pathOf(), { headers: { accept: 'text/html, */*;q=0.1' } });
  renameSync(file, `${file}.away`);
  const { status, text, headers } = await get();
  expect([status, headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
  expect(text).toContain('<h1>Internal error</h1>');
  expect(text).not.toContain('database');
  renameSync(`${file}.away`, file);
  expect((await get()).status).toBe(200);
});

test('a missing file does not count as a failure of the database, but its missing socket does', async () => {
  const file = await readFile('/no/such/file').catch((error: unknown) => error);
  const socket = await new Promise((resolve) => connect('/no/such/.s.PGSQL.5432').once('error', resolve));
  expect([file, socket].map((error) => (error as { code: string }).code)).toEqual(['ENOENT', 'ENOENT']);
  expect([isUnavailable(file), isUnavailable(socket)]).toEqual([false, true]);
});

test('a value that is computed once is computed again only after a failure', async () => {
  let made = 0;
  const make = once(async () => {
    made += 1;
    if (made === 1) throw new Error('not yet');
    return made;
  });
  const first = [make(), make()];
  for (const one of first) await expect(one).rejects.toThrow('not yet');
  expect(await Promise.all([make(), make()])).toEqual([2, 2]);
  expect(await make()).toBe(2);
});

test('a late failure does not remove a newer value that is cached under its key', async () => {
  const memory = new Map<string, Promise<number>>();
  let fail = () => {};
  const failing = remembered(
    memory,
    'key',
    () =>
      new Promise<number>((_, reject) => {
        fail = () => reject(new Error('late'));
      }),
  );
  memory.clear();
  const later = remembered(memory, 'key', async () => 1);
  fail();
  await expect(failing).rejects.toThrow('late');
  expect(memory.get('key')).toBe(later);
});
