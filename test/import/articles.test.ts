/** `importArticles`: importing a folder of guides, and the files that it refuses (docs/importing.md, Articles). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseArticle } from '../../src/import/article-file.ts';
import { importArticles } from '../../src/import/articles.ts';
import { BrokenFeed } from '../../src/import/reject.ts';
import { openTestDatabase } from '../harness/database.ts';
import { feedRow, importRows } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

let folder: string;
const database = await forFile(openTestDatabase());
expect(await importRows(database, 'A Shop', [feedRow({ id: '1', title: 'Lamp Red' })])).toMatchObject({ new: 1 });
await database.script(
  `INSERT INTO category (google_id, slug, name, path) VALUES (249, 'speakers', 'Speakers', 'Speakers')`,
);
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pda-articles-'));
  await database.script('TRUNCATE article');
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (file: string, content: string) => writeFileSync(join(folder, file), content);
const guide = (frontMatter = 'title: A guide\nsummary: Short.\npublished: 2026-03-01', body = 'Text.') =>
  `---\n${frontMatter}\n---\n${body}\n`;
const run = () => importArticles(database, folder);
const stored = () =>
  database.query<{ slug: string; title: string; body: string; published_at: Date; updated_at: Date }>(
    'SELECT slug, title, body, published_at, updated_at FROM article ORDER BY slug',
  );

describe('a folder of articles', () => {
  test('is imported from its *.md files, each identified by its file name or its slug', async () => {
    write('one.md', guide());
    write('two.md', guide('title: Two\nslug: other-name\nsummary: Short.\npublished: 2026-03-01'));
    write('notes.txt', 'no article');
    expect(await run()).toEqual({ read: 2, new: 2, changed: 0, same: 0 });
    expect((await stored()).map(({ slug }) => slug)).toEqual(['one', 'other-name']);
  });

  test('imported again changes nothing', async () => {
    write('one.md', guide());
    await run();
    const before = await stored();
    expect(await run()).toEqual({ read: 1, new: 0, changed: 0, same: 1 });
    expect(await stored()).toEqual(before);
  });

  test('updates changed articles, and keeps those whose files are gone', async () => {
    write('one.md', guide());
    write('two.md', guide());
    await run();
    rmSync(join(folder, 'two.md'));
    write('one.md', guide(undefined, 'Another text.'));
    expect(await run()).toEqual({ read: 1, new: 0, changed: 1, same: 0 });
    expect((await stored()).map(({ slug, body }) => [slug, body])).toEqual([
      ['one', 'Another text.'],
      ['two', 'Text.'],
    ]);
  });

  test('is refused as a whole if one file is invalid', async () => {
    write('one.md', guide());
    write('two.md', guide('title: Two\npublished: 2026-03-01'));
    await expect(run()).rejects.toThrow(BrokenFeed);
    expect(await stored()).toEqual([]);
  });

  test.each<[string, Record<string, string>, string]>([
    [
      'two files of one slug',
      { 'one.md': guide(), 'two.md': guide('title: Two\nslug: one\nsummary: Short.\npublished: 2026-03-01') },
      'two.md, line 3: the slug one is also that of one.md: give one of them another.',
    ],
    [
      'an unknown category',
      { 'one.md': guide('title: A\nsummary: B\ncategory: boats\npublished: 2026-03-01') },
      'one.md, line 4: there is no category boats: take its slug from /api/v1/categories, or import the taxonomy first.',
    ],
    [
      'an unknown product',
      { 'one.md': guide('title: A\nsummary: B\npublished: 2026-03-01\nproducts:\n  - lamp-red\n  - lamp-blue') },
      'one.md, line 5: there is no product lamp-blue: take its slug from /api/v1/products, or import its feed first.',
    ],
  ])('is refused for %s, with file and line, and nothing is changed', async (_what, files, message) => {
    for (const [name, content] of Object.entries(files)) write(name, content);
    await expect(run()).rejects.toThrow(message);
    expect(await stored()).toEqual([]);
  });

  test('may name a category by its slug or its Google id, and products by their slugs', async () => {
    write('one.md', guide('title: A\nsummary: B\ncategory: speakers\nproducts: [lamp-red]\npublished: 2026-03-01'));
    write('two.md', guide('title: A\nsummary: B\ncategory: 249\npublished: 2026-03-01'));
    expect(await run()).toMatchObject({ new: 2 });
  });

  test('is refused without a Markdown file, or if it does not exist', async () => {
    await expect(run()).rejects.toThrow(`The folder ${folder} has no Markdown file (*.md).`);
    await expect(importArticles(database, join(folder, 'none'))).rejects.toThrow(/cannot be read: no such file/);
  });
});

describe('an article file', () => {
  const members = { title: 'A', summary: 'B', published: '2026-03-01' };
  const file = (changes: Record<string, string | undefined>) =>
    guide(
      Object.entries({ ...members, ...changes })
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    );

  test('may have a byte order mark and Windows line endings', () => {
    const content = `\uFEFF${guide(undefined, '## Title\n\nText.')}`.replaceAll('\n', '\r\n');
    expect(parseArticle('one.md', content)).toMatchObject({ slug: 'one', title: 'A guide', body: '## Title\n\nText.' });
  });

  test('may have horizontal rules in the text', () => {
    expect(parseArticle('one.md', guide(undefined, 'Above.\n\n---\n\nBelow.')).body).toBe('Above.\n\n---\n\nBelow.');
  });

  test.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T08:30Z', '2026-03-01T08:30:00.000Z'],
    ['2026-03-01T08:30:00+02:00', '2026-03-01T06:30:00.000Z'],
  ])('published %s has the date %s', (published, moment) => {
    expect(parseArticle('one.md', file({ published })).publishedAt.toISOString()).toBe(moment);
  });

  test.each<[string, string, string]>([
    ['no front matter', '# Title\n\nText.', 'line 1: the front matter is missing'],
    ['front matter without an end', '---\ntitle: A\n', 'line 1: the front matter is missing'],
    ['no content', '', 'line 1: the front matter is missing'],
    ['empty front matter', '---\n---\nText.', 'line 1: `title` must be a text of 1 to 200 characters'],
    ['a list as front matter', guide('- title'), 'line 2: the front matter must be members such as `title: A title`'],
    ['front matter that is not valid YAML', guide('title: A\nsummary: "B'), 'line 3: this is not valid YAML: '],
    ['a member given twice', guide('title: A\nsummary: B\ntitle: C'), 'line 4: this is not valid YAML: '],
    ['no title', file({ title: undefined }), 'line 1: `title` must be a text of 1 to 200 characters'],
    ['an empty title', file({ title: '" "' }), 'line 2: `title` must be a text of 1 to 200 characters'],
    ['a title that is too long', file({ title: 'a'.repeat(201) }), 'line 2: `title` must be'],
    ['a number as title', file({ title: '7' }), 'line 2: `title` must be a text'],
    ['a summary that is too long', file({ summary: 'a'.repeat(501) }), 'line 3: `summary` must be a text of 1 to 500'],
    ['a day that does not exist', file({ published: '2026-02-30' }), 'line 4: `published` must be a day such as'],
    ['a time without a zone', file({ published: '2026-02-01T08:00:00' }), 'line 4: `published` must be a day such as'],
    ['no day of publication', file({ published: undefined }), 'line 1: `published` must be a day such as'],
    ['a slug with capitals', file({ slug: 'One' }), 'line 5: `slug` must be lower-case letters, digits and hyphens'],
    ['a list as category', file({ category: '[a]' }), 'line 5: `category` must be the slug or the Google id'],
    ['products that are not a list', file({ products: 'lamp' }), 'line 5: `products` must be a list of product slugs'],
    ['a product named twice', file({ products: '[a, a]' }), 'line 5: `products` names a product twice'],
    ['an unknown member', file({ author: 'Me' }), 'line 5: `author` is unknown: the members are title, summary'],
    ['no text', guide(undefined, ''), 'line 5: there is no text after the front matter'],
  ])('with %s is refused with file name and line', (_what, content, message) => {
    expect(() => parseArticle('one.md', content)).toThrow(`one.md, ${message}`);
  });
});
