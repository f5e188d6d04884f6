/** `/api/v1/articles`: guides, newest first (contract §4). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importArticles } from '../src/import/articles.ts';
import { fillCatalogue } from './harness/catalogue.ts';
import { type Answer, expectInvalid, startTestGateway } from './harness/gateway.ts';
import { folderForFile, forFile } from './harness/lifetime.ts';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await fillCatalogue(gateway);
const folder = folderForFile('pda-articles-');
const write = (name: string, frontMatter: string, body: string) =>
  writeFileSync(join(folder, `${name}.md`), `---\n${frontMatter}\n---\n${body}\n`);
write(
  'choosing-headphones',
  'title: Choosing Headphones\nsummary: Open or closed?\ncategory: headphones\nproducts: [echo-headphones-black, echo-mini]\npublished: 2026-03-01',
  '## Fit\n\nComfort comes first — *really*.',
);
write(
  'loud',
  'title: How loud is loud?\nsummary: Décibels.\ncategory: 249\npublished: 2026-05-01T08:30:00+02:00',
  'On speakers.',
);
write('general', 'title: Comparing prices\nsummary: Shipping counts.\npublished: 2026-04-01', 'Look at the total.');
await importArticles(gateway.database, folder);

const list = (query = ''): Promise<Answer> => gateway.get(`/api/v1/articles?${query}`, { key });
const slugs = async (query: string) => (await list(query)).body.data.map(({ slug }: { slug: string }) => slug);

describe('an article', () => {
  test('is returned in full', async () => {
    const { status, body } = await list('slug=choosing-headphones');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          id: expect.stringMatching(/^art_/),
          slug: 'choosing-headphones',
          title: 'Choosing Headphones',
          summary: 'Open or closed?',
          body: '## Fit\n\nComfort comes first — *really*.',
          category: { id: expect.stringMatching(/^cat_/), slug: 'headphones', name: 'Headphones' },
          products: ['echo-headphones-black', 'echo-mini'],
          publishedAt: '2026-03-01T00:00:00Z',
          updatedAt: expect.stringMatching(/Z$/),
          url: `${gateway.address}/api/v1/articles?slug=choosing-headphones`,
        },
      ],
      page: { limit: 20 },
    });
  });

  test('omits its category when it has none, and has an empty list when it has no products', async () => {
    const [article] = (await list('slug=general')).body.data;
    expect(article).not.toHaveProperty('category');
    expect(article.products).toEqual([]);
  });

  test('can be fetched at its URL', async () => {
    const [{ url }] = (await list('slug=loud')).body.data;
    expect((await gateway.get(url.slice(gateway.address.length), { key })).body.data[0].slug).toBe('loud');
  });

  test('has its products over GraphQL, and is a node', async () => {
    const { body } = await gateway.graphql(
      '{ articles(filter: { slug: "choosing-headphones" }) { nodes { id products { name offers { totalPrice } } category { name } } } }',
      { key },
    );
    const [article] = body.data.articles.nodes;
    expect(article.products.map(({ name }: { name: string }) => name)).toEqual(['Écho Headphones Black', 'Echo Mini']);
    const node = await gateway.graphql(`{ node(id: "${article.id}") { ... on Article { title } } }`, { key });
    expect(node.body.data.node).toEqual({ title: 'Choosing Headphones' });
  });
});

describe('the list', () => {
  test.each([
    ['nothing, newest first', '', ['loud', 'general', 'choosing-headphones']],
    ['a word in the title', 'q=choosing', ['choosing-headphones']],
    ['a word in the summary without its accent', 'q=decibels', ['loud']],
    ['the beginning of a word in the text', 'q=comf', ['choosing-headphones']],
    ['several words', 'q=look+total', ['general']],
    ['words that no article has together', 'q=look+comfort', []],
    ['punctuation', 'q=%3F', []],
    ['a category', 'category=speakers', ['loud']],
    ['a category and its subcategories', 'category=audio', ['loud', 'choosing-headphones']],
    ['an unknown category', 'category=boats', []],
    ['an unknown slug', 'slug=nothing', []],
    ['a text that cannot be a slug', 'slug=%00', []],
  ])('filtered by %s', async (_what, query, expected) => {
    expect(await slugs(query)).toEqual(expected);
  });

  test('is paginated', async () => {
    const first = await list('limit=2');
    expect(first.body.page).toEqual({ limit: 2, nextCursor: expect.any(String) });
    expect(first.headers.get('link')).toContain('rel="next"');
    expect(await slugs(`limit=2&cursor=${first.body.page.nextCursor}`)).toEqual(['choosing-headphones']);
  });

  test.each([
    ['q', 'q='],
    ['q', `q=${'a'.repeat(101)}`],
    ['category', 'category='],
    ['slug', 'slug='],
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['cursor', 'cursor=x'],
  ])('refuses an invalid %s: "%s"', async (parameter, query) => {
    expectInvalid(await list(query), parameter);
  });
});
