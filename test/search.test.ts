/** `/api/v1/search`: typeahead search (contract §4). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillCatalogue, importTaxonomyText, namesOf } from './harness/catalogue.ts';
import { expectInvalid, feedRow, startTestGateway, type TestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await fillCatalogue(gateway);

const search = (q: string, rest = '') => gateway.get(`/api/v1/search?q=${encodeURIComponent(q)}${rest}`, { key });
const found = async (q: string) => namesOf((await search(q)).body);

describe('a suggestion', () => {
  test('has a type and a URL', async () => {
    const { status, body } = await search('speaker');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          type: 'product',
          id: expect.stringMatching(/^prd_/),
          slug: 'thunder-speaker',
          name: 'Thunder Speaker',
          url: `${gateway.address}/products/thunder-speaker`,
        },
        expect.objectContaining({ type: 'product', name: 'Thunder Speaker Duo' }),
        {
          type: 'category',
          id: expect.stringMatching(/^cat_/),
          slug: 'speakers',
          name: 'Speakers',
          url: `${gateway.address}/api/v1/products?category=speakers`,
        },
      ],
    });
  });

  test('of a brand leads to its products', async () => {
    const [brand] = (await search('aurelio')).body.data;
    expect(brand).toMatchObject({
      type: 'brand',
      slug: 'aurelio',
      url: `${gateway.address}/api/v1/products?brand=aurelio`,
    });
    expect((await gateway.get(new URL(brand.url).pathname + new URL(brand.url).search, { key })).body.page.total).toBe(
      2,
    );
  });
});

describe('the search text', () => {
  test.each([
    ['t', 'Thunder Speaker'],
    ['th', 'Thunder Speaker'],
    ['thunder spe', 'Thunder Speaker'],
    ['speaker thunder', 'Thunder Speaker'],
    ['ECHO', 'Écho Headphones Black'],
    ['écho m', 'Echo Mini'],
    ['к', 'Кланг Колонка'],
    ['кло', undefined],
    ['колонк', 'Кланг Колонка'],
    ['колнока', 'Кланг Колонка'],
    ['thundr', 'Thunder Speaker'],
    ['thumd', 'Thunder Speaker'],
    ['hunder', 'Thunder Speaker'],
    ['tthunder', 'Thunder Speaker'],
    ['speakre', 'Thunder Speaker'],
    ['headhpones', 'Écho Headphones Black'],
    ['sohne', 'Donner & Söhne'],
    ['4006381333948', 'Thunder Speaker'],
    ['400 6381 333948', 'Thunder Speaker'],
    ['B0demo0001', 'Écho Headphones Black'],
    ['ec-1', 'Écho Headphones Black'],
    ['tpu', undefined],
    ['xyzzy', undefined],
    ['!?', undefined],
  ])('"%s" finds %s', async (q, name) => {
    const names = await found(q);
    if (name === undefined) expect(names).toEqual([]);
    else expect(names).toContain(name);
  });

  test('finds only the product if it is a GTIN', async () => {
    expect(await found('4006381333931')).toEqual(['Écho Headphones Black']);
  });

  test('finds no brand or category without products', async () => {
    expect(await found('sporting')).toEqual([]);
  });
});

describe('the order', () => {
  let other: TestGateway;
  let own: string;
  beforeAll(async () => {
    other = await startTestGateway();
    own = (await other.makeKey('enterprise')).key;
    await importTaxonomyText(other.database, '1 - Tea\n2 - Tea > Teapots\n');
    const rows = ['Green Tea', 'Black Tea', 'Teapot', 'Team Shirt', 'Teal Shoes'].map((title, n) =>
      feedRow({
        id: String(n),
        title,
        brand: n === 2 ? 'Tea' : 'Plain',
        gtin: `400638133${['3931', '3948', '3955', '3962', '3979'][n]}`,
        google_product_category: n < 2 ? '1' : undefined,
      }),
    );
    await other.importRows('One', rows);
    await other.importRows('Two', rows.slice(1, 2));
    await other.importRows('Three', rows.slice(3, 4));
  });
  afterAll(() => other.stop());

  test('is exact names, then whole words, then prefixes, each by rank', async () => {
    const { body } = await other.get('/api/v1/search?q=tea', { key: own });
    expect(body.data.map(({ type, name }: { type: string; name: string }) => `${type} ${name}`)).toEqual([
      'brand Tea',
      'category Tea',
      'product Black Tea',
      // It has a category.
      'product Green Tea',
      'product Teapot',
      'product Team Shirt',
      'product Teal Shoes',
    ]);
  });

  test('puts matches with a typing error last', async () => {
    const { body } = await other.get('/api/v1/search?q=team', { key: own });
    const names = namesOf(body);
    expect(names[0]).toBe('Team Shirt');
    expect(names).toContain('Teal Shoes');
  });
});

describe('the parameter', () => {
  test('limit is the maximum number of suggestions', async () => {
    expect((await search('t', '&limit=1')).body.data).toHaveLength(1);
    expect((await search('t', '&limit=25')).status).toBe(200);
  });

  test.each([
    ['q', ''],
    ['q', 'q='],
    ['q', `q=${'a'.repeat(101)}`],
    ['q', 'q=a&q=b'],
    ['limit', 'q=a&limit=0'],
    ['limit', 'q=a&limit=26'],
    ['limit', 'q=a&limit=few'],
  ])('%s is refused in "%s"', async (parameter, query) => {
    expectInvalid(await gateway.get(`/api/v1/search?${query}`, { key }), parameter);
  });

  test.each([
    "'; DROP TABLE product; --",
    '\\',
    "a' | 'b",
    ':*',
    'a & !b',
    '%',
    '_',
    '\u0000',
    '😀',
    '�',
    'ﬁﬂ',
    'a'.repeat(100),
    'é'.repeat(100),
    'x y '.repeat(25),
  ])('q may contain anything: %j', async (q) => {
    expect((await search(q)).status).toBe(200);
    expect((await gateway.get(`/api/v1/products?q=${encodeURIComponent(q)}`, { key })).status).toBe(200);
  });
});
