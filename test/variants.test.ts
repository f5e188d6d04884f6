/** Variants of a product: the products that shops' feeds put into one group with it (`item_group_id`). */
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { startGateway } from '../src/gateway.ts';
import { detachIdentifier } from '../src/import/detach-identifier.ts';
import { importFeed } from '../src/import/import-feed.ts';
import { emptyTables } from './harness/database.ts';
import { eventually } from './harness/eventually.ts';
import { gtinOf } from './harness/fuzz.ts';
import { ask, type FeedRowFields, feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
const TABLES = 'product, offer, ledger, change, product_identifier, identifier_detachment, brand, merchant, import_run';
beforeEach(() => emptyTables(gateway.database, TABLES));

const at = (day: number) => ({ observedAt: new Date(Date.UTC(2026, 0, day)) });
const delta = (day: number) => ({ ...at(day), mode: 'delta' }) as const;
const get = async (slug: string, from = gateway) => (await from.get(`/api/v1/products/${slug}`, { key })).body.data;
/** The names of a product's variants. */
const variantsOf = async (slug: string, from = gateway): Promise<string[]> =>
  (await get(slug, from)).variants.map(({ name }: { name: string }) => name);

/** A shirt of a group: `Red S` has the id and the slug `red-s`. */
function shirt(title: string, group: string | undefined, fields: FeedRowFields = {}): FeedRowFields {
  const [color, size] = title.split(' ');
  const id = title.toLowerCase().replace(' ', '-');
  return feedRow({
    id,
    title,
    color,
    ...(size && { size }),
    ...(group !== undefined && { item_group_id: group }),
    ...fields,
  });
}

describe('a feed', () => {
  const columns = ['id', 'title', 'link', 'price', 'availability', 'gtin', 'color', 'size', 'item_group_id'];
  const rows = [
    ['1', 'Shirt red S', 'https://shop.example/1', '10.00 EUR', 'in_stock', '4006381333931', 'Red', 'S', 'shirt'],
    ['2', 'Shirt red M', 'https://shop.example/2', '11.00 EUR', 'out_of_stock', '4006381333948', 'red', 'M', 'shirt'],
    ['3', 'Shirt blue M', 'https://shop.example/3', '12.00 EUR', 'preorder', '', 'Blue', 'M', 'shirt'],
    ['4', 'Hat', 'https://shop.example/4', '13.00 EUR', 'in_stock', '', 'Blue', '', ''],
  ];
  const element = (name: string, value = '') => (value === '' ? '' : `<g:${name}>${value}</g:${name}>`);
  const items = rows.map((row) => `<item>${columns.map((name, n) => element(name, row[n])).join('')}</item>`).join('');
  const feeds: Record<string, string> = {
    CSV: [columns, ...rows].map((row) => `${row.join(',')}\n`).join(''),
    TSV: [columns, ...rows].map((row) => `${row.join('\t')}\n`).join(''),
    XML: `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>${items}</channel></rss>`,
    JSON: rows
      .map((row) => `${JSON.stringify(Object.fromEntries(columns.map((name, n) => [name, row[n]])))}\n`)
      .join(''),
  };

  test.each(Object.keys(feeds))('in %s makes variants of the rows of a group, with what differs', async (format) => {
    const bytes = () => Readable.from([Buffer.from(feeds[format] ?? '')]);
    const request = { feed: () => ({ bytes: bytes() }), merchant: 'One', mode: 'full', ...at(1) } as const;
    await importFeed(gateway.database, { currency: 'EUR', country: 'DE' }, request);
    expect((await get('shirt-red-s')).variants).toEqual([
      {
        id: expect.stringMatching(/^prd_/),
        slug: 'shirt-red-m',
        name: 'Shirt red M',
        identifier: { ean: '4006381333948' },
        url: `${gateway.address}/products/shirt-red-m`,
        priceStats: { currency: 'EUR', min: 11, max: 11, lowestEver: 11, offerCount: 1 },
        availability: 'out_of_stock',
        differs: [
          { name: 'color', value: 'red' },
          { name: 'size', value: 'M' },
        ],
      },
      {
        id: expect.stringMatching(/^prd_/),
        slug: 'shirt-blue-m',
        name: 'Shirt blue M',
        identifier: {},
        url: `${gateway.address}/products/shirt-blue-m`,
        priceStats: { currency: 'EUR', min: 12, max: 12, lowestEver: 12, offerCount: 1 },
        availability: 'preorder',
        differs: [
          { name: 'color', value: 'Blue' },
          { name: 'size', value: 'M' },
        ],
      },
    ]);
    expect(await variantsOf('shirt-red-m')).toEqual(['Shirt red S', 'Shirt blue M']);
    expect((await get('hat')).variants).toEqual([]);
  });

  test('that names a group several times counts with its first', async () => {
    await gateway.importRows('One', [shirt('Red S', 'a', { item_group_id: ['a', 'b'] }), shirt('Red M', 'a')], at(1));
    expect(await variantsOf('red-s')).toEqual(['Red M']);
  });

  test('with numbers as ids of groups in JSON makes variants too', async () => {
    await gateway.importRows('One', [shirt('Red S', '7'), shirt('Red M', '', { item_group_id: 7 })], at(1));
    expect(await variantsOf('red-s')).toEqual(['Red M']);
  });
});

describe('what differs', () => {
  test('is compared without regard to case, and leaves out what only some state', async () => {
    await gateway.importRows(
      'One',
      [
        shirt('Red S', 'g', { material: 'Cotton' }),
        shirt('Red M', 'g', { color: 'RED', material: 'cotton', pattern: 'Dots' }),
        shirt('red L', 'g'),
      ],
      at(1),
    );
    const { variants } = await get('red-s');
    expect(variants.map(({ differs }: { differs: unknown }) => differs)).toEqual([
      [{ name: 'size', value: 'M' }],
      [{ name: 'size', value: 'L' }],
    ]);
  });

  test('is empty if the shops state no attributes', async () => {
    const row = (id: string) => feedRow({ id, title: id, item_group_id: 'g' });
    await gateway.importRows('One', [row('one'), row('two')], at(1));
    expect((await get('one')).variants).toMatchObject([{ name: 'two', differs: [] }]);
  });
});

describe('a variant', () => {
  test('has the lowest price and the best availability of all shops', async () => {
    await gateway.importRows(
      'One',
      [shirt('Red S', 'g'), shirt('Red M', 'g', { gtin: '4006381333931', availability: 'out_of_stock' })],
      at(1),
    );
    await gateway.importRows(
      'Two',
      [shirt('Red M', undefined, { gtin: '4006381333931', price: '7.00 EUR', availability: 'backorder' })],
      at(1),
    );
    expect((await get('red-s')).variants).toMatchObject([
      { priceStats: { min: 7, max: 10, offerCount: 2 }, availability: 'backorder' },
    ]);
  });

  test('has the brand of the product, if both have one; a shop may group its own without one', async () => {
    const rows = [
      shirt('Red S', 'g', { brand: 'Acme' }),
      shirt('Red M', 'g', { brand: 'ACME' }),
      shirt('Red L', 'g'),
      shirt('Red XL', 'g', { brand: 'Other' }),
    ];
    await gateway.importRows('One', rows, at(1));
    expect(await variantsOf('red-s')).toEqual(['Red M', 'Red L']);
    expect(await variantsOf('red-xl')).toEqual(['Red L']);
  });
});

describe('groups', () => {
  const goods = (title: string, gtin: string, group?: string) => shirt(title, group, { gtin, brand: 'Acme' });
  const [S, M, L] = ['4006381333931', '4006381333948', '4006381333955'];

  test('belong to a shop: one id in two shops is two groups', async () => {
    await gateway.importRows('One', [shirt('Red S', '1', { id: 'a' }), shirt('Red M', '1', { id: 'b' })], at(1));
    await gateway.importRows('Two', [shirt('Hat', '1'), shirt('Cap', '1')], at(1));
    expect([await variantsOf('red-s'), await variantsOf('hat')]).toEqual([['Red M'], ['Cap']]);
  });

  test('of several shops are united, each variant once', async () => {
    await gateway.importRows('One', [goods('Red S', S, 'x'), goods('Red M', M, 'x')], at(1));
    await gateway.importRows('Two', [goods('Red S', S, 'y'), goods('Red M', M, 'y'), goods('Red L', L, 'y')], at(1));
    await gateway.importRows('Three', [goods('Red L', L, 'z'), goods('Red S', S, 'z'), goods('Red M', M)], at(1));
    expect(await variantsOf('red-s')).toEqual(['Red M', 'Red L']);
    expect(await variantsOf('red-m')).toEqual(['Red S']);
    expect(await variantsOf('red-l')).toEqual(['Red S', 'Red M']);
  });

  test('lose a product when the shop withdraws its offer, and get it back with the offer', async () => {
    const rows = ['Red S', 'Red M', 'Red L'].map((title) => shirt(title, 'g'));
    await gateway.importRows('One', rows, at(1));
    await gateway.importRows('One', rows.slice(0, 2), at(2));
    expect([await variantsOf('red-s'), await variantsOf('red-l')]).toEqual([['Red M'], []]);
    await gateway.importRows('One', rows, at(3));
    expect([await variantsOf('red-s'), await variantsOf('red-l')]).toEqual([
      ['Red M', 'Red L'],
      ['Red S', 'Red M'],
    ]);
  });

  test('change with a delta feed for its rows only', async () => {
    await gateway.importRows('One', [shirt('Red S', 'g'), shirt('Red M', 'g')], at(1));
    await gateway.importRows('One', [shirt('Red L', 'g')], delta(2));
    expect(await variantsOf('red-s')).toEqual(['Red M', 'Red L']);
    await gateway.importRows('One', [shirt('Red M', 'other')], delta(3));
    expect([await variantsOf('red-s'), await variantsOf('red-m')]).toEqual([['Red L'], []]);
  });

  test('stay as they are when an archived feed names others', async () => {
    await gateway.importRows('One', [shirt('Red S', 'g'), shirt('Red M', 'g')], at(9));
    await gateway.importRows('One', [shirt('Red S', 'old'), shirt('Red M', 'older'), shirt('Red L', 'g')], at(5));
    expect(await variantsOf('red-s')).toEqual(['Red M']);
  });

  test('keep an offer that moves to another product with its identifier', async () => {
    await gateway.importRows('One', [goods('Red S', S)], at(1));
    await gateway.importRows('Two', [{ ...goods('Red S', S, 'g'), title: 'Moved' }, goods('Red M', M, 'g')], at(1));
    expect(await variantsOf('red-m')).toEqual(['Red S']);
    await detachIdentifier(gateway.database, { identifier: { kind: 'gtin', value: `0${S}` }, merchant: 'Two' });
    expect(await variantsOf('red-m')).toEqual(['Moved']);
    expect(await variantsOf('red-s')).toEqual([]);
  });
});

describe('a row that changes only its group', () => {
  test('moves its product to the other group, and changes nothing else', async () => {
    const rows = (last: string | undefined) => [shirt('Red S', 'a'), shirt('Blue S', 'b'), shirt('Red M', last)];
    await gateway.importRows('One', rows('a'), at(1));
    const before = await get('red-m');
    const changes = async () => (await gateway.get('/api/v1/changes?from=oldest', { key })).body.data?.length;
    const count = await changes();
    expect(await gateway.importRows('One', rows('b'), at(2))).toMatchObject({ same: 3, changed: 0 });
    expect([await variantsOf('red-s'), await variantsOf('blue-s')]).toEqual([[], ['Red M']]);
    const after = await get('red-m');
    expect(after.variants).toMatchObject([{ name: 'Blue S' }]);
    expect(after).toEqual({ ...before, variants: after.variants, offers: after.offers });
    expect(after.offers).toEqual(before.offers.map((offer: object) => ({ ...offer, seenAt: '2026-01-02T00:00:00Z' })));
    expect(await changes()).toBe(count);
  });

  test.each([
    ['is empty', undefined],
    ['only says that there is none', 'n/a'],
    ['is longer than 128 characters', 'x'.repeat(129)],
  ])('leaves the group if the new id %s', async (_how, group) => {
    const rows = (last: string | undefined) => [shirt('Red S', 'a'), shirt('Red M', last)];
    await gateway.importRows('One', rows('a'), at(1));
    expect(await variantsOf('red-s')).toEqual(['Red M']);
    expect(await gateway.importRows('One', rows(group), at(2))).toMatchObject({ same: 2, rejected: 0 });
    expect([await variantsOf('red-s'), await variantsOf('red-m')]).toEqual([[], []]);
  });

  test('and its price moves as well', async () => {
    await gateway.importRows('One', [shirt('Red S', 'a'), shirt('Red M', 'b')], at(1));
    await gateway.importRows('One', [shirt('Red S', 'a'), shirt('Red M', 'a', { price: '5.00 EUR' })], at(2));
    expect((await get('red-s')).variants).toMatchObject([{ name: 'Red M', priceStats: { min: 5 } }]);
  });
});

test('an id of 128 characters is a group', async () => {
  const id = 'ä'.repeat(128);
  await gateway.importRows('One', [shirt('Red S', id), shirt('Red M', ` ${id} `)], at(1));
  expect(await variantsOf('red-s')).toEqual(['Red M']);
});

describe('the limits', () => {
  // Of more than five variants, another shop must list the goods too.
  const item = (n: number, group = 'g') =>
    feedRow({ id: `${n}`, title: `Item ${n}`, gtin: gtinOf(400_638_133_000 + n), item_group_id: group });
  const many = (count: number, from = 0, group?: string) =>
    Array.from({ length: count }, (_, n) => item(from + n, group));
  const names = (count: number, from = 1) => Array.from({ length: count }, (_, n) => `Item ${from + n}`);

  test('a group of 100 products is listed whole in the order of the products, a larger one not at all', async () => {
    await gateway.importRows('One', many(100), at(1));
    await gateway.importRows('Two', many(101), at(1));
    expect(await variantsOf('item-0')).toEqual(names(99));
    await gateway.importRows('One', [item(100)], delta(2));
    expect(await variantsOf('item-0')).toEqual([]);
    await gateway.importRows('One', many(100), at(3));
    expect(await variantsOf('item-0')).toEqual(names(99));
  });

  test('a product has at most 100 variants, those that were found first', async () => {
    const shared = ['a', 'b'].map((group) => ({ ...item(999, group), id: group, title: 'Shared' }));
    const rows = [...shared, ...many(80, 0, 'a'), ...many(80, 80, 'b')];
    await gateway.importRows('One', rows, at(1));
    await gateway.importRows('Two', rows, at(1));
    expect(await variantsOf('shared')).toEqual(names(100, 0));
  });

  test('all offers of a shop in one group cost a product page no more than a few rows', async () => {
    const rows = Array.from({ length: 3_000 }, (_, n) =>
      feedRow({ id: `${n}`, title: `Item ${n}`, item_group_id: 'all' }),
    );
    await gateway.importRows('One', rows, at(1));
    expect(await variantsOf('item-0')).toEqual([]);
    const plan = await gateway.database.query(
      `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF)
       SELECT DISTINCT product_id
       FROM offer
       WHERE merchant_id = (SELECT id FROM merchant) AND item_group_id = 'all' AND withdrawn_at IS NULL
       ORDER BY product_id
       LIMIT 101`,
    );
    const lines = plan.map((line) => String(Object.values(line as object)[0]));
    const read = lines.find((line) => line.includes('offer_group_idx'));
    expect(Number(/rows=(\d+)/.exec(read ?? '')?.[1])).toBeLessThan(200);
  });
});

describe('over GraphQL', () => {
  const QUERY =
    'query ($first: Int) { product(id: "red-s") { variants(first: $first) { slug differs { name value } product { name brandName } } } }';
  beforeEach(() =>
    gateway.importRows(
      'One',
      ['Red S', 'Red M', 'Red L'].map((title) => shirt(title, 'g')),
      at(1),
    ),
  );

  test('variants are the same, lead to their products, and may be fewer', async () => {
    const { body } = await gateway.graphql(QUERY, { key, variables: { first: 1 } });
    expect(body.data.product.variants).toEqual([
      { slug: 'red-m', differs: [{ name: 'size', value: 'M' }], product: { name: 'Red M', brandName: null } },
    ]);
  });

  test.each([0, 101])('a number of %s is refused', async (first) => {
    const { body } = await gateway.graphql(QUERY, { key, variables: { first } });
    expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_parameter', parameter: 'first' });
  });

  test('those of many products are bounded by the limit on operations', async () => {
    const list = (first: number) =>
      gateway.graphql(
        `{ products(first: 100) { nodes { variants(first: ${first}) { name product { name offers { price } } } } } }`,
        { key },
      );
    expect((await list(100)).body.errors[0].extensions.code).toBe('operation_too_complex');
    const few = await gateway.graphql('{ products(first: 100) { nodes { variants(first: 10) { name } } } }', { key });
    expect(few.body.data.products.nodes.map((node: { variants: unknown[] }) => node.variants.length)).toEqual([
      2, 2, 2,
    ]);
  });
});

test('the page of a product links to its variants with what differs', async () => {
  await gateway.importRows(
    'One',
    [
      shirt('Red S', 'g', { brand: 'A' }),
      shirt('Blue <5', 'g', { brand: 'A', price: '8.00 EUR', shipping: 'DE:::0 EUR', availability: 'out_of_stock' }),
      shirt('Hat', undefined),
    ],
    at(1),
  );
  const page = async (slug: string) => (await gateway.get(`/products/${slug}`)).text;
  const text = await page('red-s');
  const [, list = ''] = /<ul class="variants">(.*?)<\/ul>/s.exec(text) ?? [];
  expect([...list.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([`${gateway.address}/products/blue-5`]);
  expect(list.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ')).toMatch(
    /Red, S ?€10\.00, shipping not stated ?Blue, &lt;5 ?€8\.00 ?Out of stock/,
  );
  expect(await page('hat')).not.toContain('Variants');
});

test('kept answers follow the variants: prices, new ones, withdrawn ones, and other groups', async () => {
  const environment = { PORT: '0', LOG_LEVEL: 'silent', ANSWER_CACHE_MB: '8', DRAIN_DELAY_SECONDS: '0', FEEDS: 'off' };
  const keeping = await forTest(startGateway(readConfig(environment), { ...gateway.database, close: async () => {} }));
  const rows = [shirt('Red S', 'g'), shirt('Red M', 'g')];
  await gateway.importRows('One', rows, at(1));
  const shown = async () => {
    const [{ body, headers }, page] = await Promise.all([
      ask(`${keeping.address}/api/v1/products/red-s`, { key }),
      ask(`${keeping.address}/products/red-s`),
    ]);
    const [, list = ''] = /<ul class="variants">(.*?)<\/ul>/s.exec(page.text) ?? [];
    const variants = body.data.variants.map(
      (each: { name: string; priceStats: { min: number } }) => `${each.name} ${each.priceStats.min}`,
    );
    return {
      variants,
      etag: headers.get('etag'),
      links: (list.match(/href=/g) ?? []).length,
      updatedAt: body.data.updatedAt,
    };
  };
  const expectSoon = async (...expected: string[]) => {
    const seen = await eventually(
      shown,
      ({ variants, links }) => String(variants) === String(expected) && links === expected.length,
    );
    expect(seen).toMatchObject({ variants: expected, links: expected.length });
    return seen;
  };
  const first = await expectSoon('Red M 10');
  await gateway.importRows('Two', [shirt('Hat', 'g')], at(1));
  await gateway.importRows('One', [shirt('Red M', 'g', { price: '9.00 EUR' })], delta(2));
  const second = await expectSoon('Red M 9');
  expect(second.etag).not.toBe(first.etag);
  expect(second.updatedAt).toBe(first.updatedAt);
  await gateway.importRows('One', [shirt('Red L', 'g')], delta(3));
  await expectSoon('Red M 9', 'Red L 10');
  await gateway.importRows('One', [shirt('Red M', 'elsewhere', { price: '9.00 EUR' })], delta(4));
  await expectSoon('Red L 10');
  await gateway.importRows('One', [shirt('Red M', 'g', { price: '9.00 EUR' })], delta(5));
  await expectSoon('Red M 9', 'Red L 10');
  await gateway.importRows('One', [shirt('Red S', 'g'), shirt('Red M', 'g', { price: '9.00 EUR' })], at(6));
  await expectSoon('Red M 9');
  await gateway.importRows('One', [shirt('Red S', undefined)], delta(7));
  await expectSoon();
  await gateway.importRows('One', [shirt('Red S', 'g')], delta(8));
  await expectSoon('Red M 9');
  const gtin = '4006381333931';
  await gateway.importRows('One', [shirt('Red M', 'g', { gtin, price: '9.00 EUR' })], delta(9));
  await gateway.importRows('Two', [shirt('Red M', undefined, { gtin, price: '5.00 EUR' })], delta(9));
  await expectSoon('Red M 5');
});
