/** `/api/v1/categories`, `/api/v1/brands` and `/api/v1/merchants` (contract §4). */
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLoaders } from '../src/catalogue/loaders.ts';
import { readVersion } from '../src/catalogue/version.ts';
import { fillCatalogue, importTaxonomyText, namesOf, TAXONOMY } from './harness/catalogue.ts';
import { type Answer, expectInvalid, feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';
import { versionAt } from './harness/version.ts';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await fillCatalogue(gateway);

const get = (path: string): Promise<Answer> => gateway.get(`/api/v1/${path}`, { key });

interface Node {
  id: string;
  slug: string;
  name: string;
  productCount: number;
  children: Node[];
}
const outline = (nodes: Node[]): unknown[] =>
  nodes.map(({ slug, productCount, children }) => [slug, productCount, outline(children)]);

describe('the category tree', () => {
  test('contains a new category even while an older catalogue version is known', async () => {
    const { database } = gateway;
    const before = await readVersion(database);
    const loaders = openLoaders(
      database,
      versionAt(() => before),
    );
    await loaders.categoryTree();
    const [made] = await database.query<{ id: bigint }>(
      "INSERT INTO category (google_id, slug, name, path) VALUES (999999, 'new', 'New', 'New') RETURNING id",
    );
    onTestFinished(async () => void (await database.query("DELETE FROM category WHERE slug = 'new'")));
    await database.query('UPDATE catalogue_version SET version = version + 1');
    expect((await loaders.category.load(made?.id ?? 0n))?.name).toBe('New');
  });

  test('is nested, sorted by name, and counts the products of each category and its subcategories', async () => {
    const { status, body } = await get('categories');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data']);
    expect(Object.keys(body.data[0])).toEqual(['id', 'slug', 'name', 'productCount', 'children']);
    expect(outline(body.data)).toEqual([
      [
        'electronics',
        4,
        [
          [
            'audio',
            4,
            [
              ['headphones', 1, []],
              ['speakers', 2, []],
            ],
          ],
        ],
      ],
      ['software', 1, []],
      ['sporting-goods', 0, []],
    ]);
  });

  test('has the same counts as the list of products', async () => {
    for (const slug of ['electronics', 'audio', 'speakers', 'sporting-goods']) {
      const [node] = (await get(`categories?root=${slug}`)).body.data;
      expect(node.productCount).toBe((await get(`products?category=${slug}`)).body.page.total);
    }
  });

  test('starts at a root that is given by slug or id', async () => {
    const bySlug = (await get('categories?root=audio')).body.data;
    expect(bySlug).toHaveLength(1);
    expect(bySlug[0].name).toBe('Audio');
    expect((await get(`categories?root=${bySlug[0].id}`)).body.data).toEqual(bySlug);
  });

  test('is empty for an unknown root', async () => {
    expect((await get('categories?root=boats')).body).toEqual({ data: [] });
    expect((await get('categories?root=%00')).body).toEqual({ data: [] });
  });

  test('ends at the given depth, where children are empty', async () => {
    expect(outline((await get('categories?depth=1')).body.data)).toEqual([
      ['electronics', 4, []],
      ['software', 1, []],
      ['sporting-goods', 0, []],
    ]);
    expect(outline((await get('categories?root=electronics&depth=2')).body.data)).toEqual([
      ['electronics', 4, [['audio', 4, []]]],
    ]);
  });

  test('changes with a new taxonomy and new products', async () => {
    const other = await forTest(startTestGateway());
    const own = await other.makeKey('enterprise');
    const tree = async () => outline((await other.get('/api/v1/categories', { key: own.key })).body.data);
    await importTaxonomyText(other.database, TAXONOMY);
    expect((await tree()).at(-1)).toEqual(['sporting-goods', 0, []]);
    await other.importRows('Alpha', [feedRow({ id: '1', google_product_category: '988' })]);
    expect((await tree()).at(-1)).toEqual(['sporting-goods', 1, []]);
    await importTaxonomyText(other.database, `${TAXONOMY}990 - Sporting Goods > Athletics\n`);
    expect((await tree()).at(-1)).toEqual(['sporting-goods', 1, [['athletics', 0, []]]]);
    await importTaxonomyText(other.database, TAXONOMY.replace('988 - Sporting Goods', '988 - Software > Sports'));
    expect((await tree()).at(-1)).toEqual(['software', 1, [['sporting-goods', 1, [['athletics', 0, []]]]]]);
    const renamed = await other.get('/api/v1/products?q=sports', { key: own.key });
    expect(renamed.body.page.total).toBe(1);
  });

  test.each([
    ['root', 'root='],
    ['depth', 'depth=0'],
    ['depth', 'depth=9'],
    ['depth', 'depth=all'],
  ])('refuses an invalid %s: "%s"', async (parameter, query) => {
    expectInvalid(await get(`categories?${query}`), parameter);
  });
});

describe('the brands', () => {
  test('are listed by name with their product counts', async () => {
    const { status, body } = await get('brands');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        { id: expect.stringMatching(/^brd_/), slug: 'aurelio', name: 'Aurelio', productCount: 2 },
        { id: expect.any(String), slug: 'donner-sohne', name: 'Donner & Söhne', productCount: 2 },
        { id: expect.any(String), slug: 'zvuk', name: 'Звук', productCount: 1 },
      ],
      page: { limit: 20 },
    });
  });

  test('have the same counts as the list of products', async () => {
    for (const { slug, productCount } of (await get('brands')).body.data) {
      expect(productCount).toBe((await get(`products?brand=${slug}`)).body.page.total);
    }
  });

  test.each([
    ['au', ['Aurelio']],
    ['DONNER & SO', ['Donner & Söhne']],
    ['зв', ['Звук']],
    ['sohne', []],
    ['&', []],
  ])('are filtered by the prefix "%s"', async (q, found) => {
    expect(namesOf((await get(`brands?q=${encodeURIComponent(q)}`)).body)).toEqual(found);
  });
});

describe('the merchants', () => {
  test('are listed by name with their offer counts and websites', async () => {
    const observedAt = expect.stringMatching(/Z$/);
    expect((await get('merchants')).body).toEqual({
      data: [
        { id: expect.stringMatching(/^mer_/), slug: 'alpha', name: 'Alpha', offerCount: 4, observedAt },
        { id: expect.any(String), slug: 'beta', name: 'Beta', offerCount: 3, observedAt },
        {
          id: expect.any(String),
          slug: 'gamma',
          name: 'Gamma',
          offerCount: 0,
          url: 'https://gamma.example',
          observedAt,
        },
      ],
      page: { limit: 20 },
    });
  });

  test('are filtered by a prefix', async () => {
    expect(namesOf((await get('merchants?q=B')).body)).toEqual(['Beta']);
  });
});

describe.each(['brands', 'merchants'])('the list of %s', (list) => {
  test('is paginated', async () => {
    const all = namesOf((await get(list)).body);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { body, headers } = await get(`${list}?limit=1${cursor ? `&cursor=${cursor}` : ''}`);
      found.push(...namesOf(body));
      cursor = body.page.nextCursor;
      expect(headers.get('link') ?? '').toEqual(cursor ? expect.stringContaining('rel="next"') : '');
    } while (cursor);
    expect(found).toEqual(all);
  });

  test.each([
    ['q', 'q='],
    ['q', `q=${'a'.repeat(101)}`],
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=x'],
    ['cursor', 'cursor=damaged'],
    ['cursor', 'cursor='],
  ])('refuses an invalid %s: "%s"', async (parameter, query) => {
    expectInvalid(await get(`${list}?${query}`), parameter);
  });

  test('refuses a cursor from a list with another prefix', async () => {
    const { nextCursor } = (await get(`${list}?limit=1`)).body.page;
    expect((await get(`${list}?q=a&cursor=${nextCursor}`)).body.parameter).toBe('cursor');
  });
});
