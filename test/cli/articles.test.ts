/** `pda articles` as operators and scripts use it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHome } from '../harness/home.ts';
import { folderForFile, forFile } from '../harness/lifetime.ts';
import { run } from '../harness/process.ts';

const write = (text: string) => writeFileSync(join(folder, 'guides', 'lamps.md'), text);
const articles = (...words: string[]) => run('pda', ['articles', join(folder, 'guides'), ...words], home.environment);

const folder = folderForFile('pda-articles-cli-');
const home = await forFile(makeHome());
mkdirSync(join(folder, 'guides'));

test('a folder of guides is imported, and the result is reported to people and to scripts', async () => {
  write('---\ntitle: Lamps\nsummary: Light.\npublished: 2026-03-01\n---\nText.\n');
  expect(await articles()).toEqual({ status: 0, stdout: '1 article: 1 new, 0 changed, 0 unchanged\n', stderr: '' });
  const again = await articles('--json');
  expect(JSON.parse(again.stdout)).toEqual({ read: 1, new: 0, changed: 0, same: 1 });
});

test('bad front matter is refused with file and line', async () => {
  write('---\ntitle: Lamps\nsummary: Light.\npublished: yesterday\n---\nText.\n');
  const { status, stdout, stderr } = await articles();
  expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  expect(stderr).toContain('lamps.md, line 4: `published` must be a day such as 2026-01-31');
});
