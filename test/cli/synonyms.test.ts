/** `pda synonyms` as operators and scripts use it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHome } from '../harness/home.ts';
import { folderForFile, forFile } from '../harness/lifetime.ts';
import { run } from '../harness/process.ts';

const file = () => join(folder, 'synonyms.txt');
const write = (text: string) => writeFileSync(file(), text);
const synonyms = (...words: string[]) => run('pda', ['synonyms', ...words], home.environment);
const listed = async () => JSON.parse((await synonyms('--list', '--json')).stdout);

const folder = folderForFile('pda-synonyms-cli-');
const home = await forFile(makeHome());

test('a file replaces all synonyms, which are then shown and removed', async () => {
  write('# Furniture\nsofa, couch\ntv => television\n');
  const dry = await synonyms(file(), '--dry-run', '--json');
  expect([dry.status, JSON.parse(dry.stdout)]).toEqual([0, { terms: 3, before: 0 }]);
  expect(await listed()).toEqual([]);
  expect(await synonyms(file())).toEqual({ status: 0, stdout: '3 terms with synonyms, before 0\n', stderr: '' });
  expect(await listed()).toEqual([
    { term: 'couch', meanings: ['sofa'] },
    { term: 'sofa', meanings: ['couch'] },
    { term: 'tv', meanings: ['television'] },
  ]);
  expect((await synonyms('--clear')).stdout).toBe('0 terms with synonyms, before 3\n');
  expect(await listed()).toEqual([]);
});

test('a bad line is refused with its number, and changes nothing', async () => {
  write('sofa, couch\nlonely\n');
  const { status, stdout, stderr } = await synonyms(file());
  expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  expect(stderr).toContain('line 2');
  expect(await listed()).toEqual([]);
});

test('a missing file, and none of FILE, --list and --clear, are refused with what to do', async () => {
  const missing = await synonyms(join(folder, 'missing.txt'));
  expect([missing.status, missing.stdout]).toEqual([3, '']);
  expect(missing.stderr).toContain('missing.txt');
  const { status, stderr } = await synonyms();
  expect([status, stderr]).toEqual([2, expect.stringContaining('Choose one of FILE, --list and --clear')]);
});
