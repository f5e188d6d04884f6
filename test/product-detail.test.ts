/** `/api/v1/products/{slug}` and `/api/v1/products/{id}/offers` (contract §4). */
import { describe, expect, test } from 'vitest';
import { fillCatalogue } from './harness/catalogue.ts';
import { startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await fillCatalogue(gateway);

const get = (path: string) => gateway.get(path, { key });

const COMMON = {
  id: expect.stringMatching(/^off_/),
  currency: 'EUR',
  availability: 'in_stock',
  condition: 'new',
  url: expect.stringMatching(/^\/go\/off_/),
  updatedAt: expect.stringMatching(MOMENT),
  seenAt: expect.stringMatching(MOMENT),
};
const OFFERS = [
  {
    ...COMMON,
    merchant: { id: expect.stringMatching(/^mer_/), slug: 'beta', name: 'Beta' },
    price: 45,
    shipping: 5,
    shippingKnown: true,
    totalPrice: 50,
  },
  {
    ...COMMON,
    merchant: { id: expect.stringMatching(/^mer_/), slug: 'alpha', name: 'Alpha' },
    price: 80,
    shippingKnown: false,
    totalPrice: 80,
  },
];

describe('a product', () => {
  test('is returned in full by its slug', async () => {
    const { status, body } = await get('/api/v1/products/echo-headphones-black');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^prd_/),
        slug: 'echo-headphones-black',
        name: 'Écho Headphones Black',
        brand: 'Aurelio',
        category: { id: expect.any(String), slug: 'headphones', name: 'Headphones' },
        identifier: { ean: '4006381333931', asin: 'B0DEMO0001', mpn: 'EC-1' },
        image: 'https://images.example/echo.jpg',
        url: `${gateway.address}/products/echo-headphones-black`,
        priceStats: { currency: 'EUR', min: 50, max: 80, lowestEver: 50, offerCount: 2 },
        description: 'Quiet where you want it.',
        attributes: [
          { name: 'color', value: 'Black' },
          { name: 'size', value: 'M' },
        ],
        categoryPath: [
          { id: expect.any(String), slug: 'electronics', name: 'Electronics' },
          { id: expect.any(String), slug: 'audio', name: 'Audio' },
          { id: expect.any(String), slug: 'headphones', name: 'Headphones' },
        ],
        identifiers: { ean: ['4006381333931'], asin: ['B0DEMO0001'], mpn: 'EC-1' },
        offers: OFFERS,
        variants: [],
        createdAt: expect.stringMatching(MOMENT),
        updatedAt: expect.stringMatching(MOMENT),
      },
    });
  });

  test('is the same by its id', async () => {
    const bySlug = await get('/api/v1/products/echo-headphones-black');
    expect((await get(`/api/v1/products/${bySlug.body.data.id}`)).body).toEqual(bySlug.body);
  });

  test('with few known details has empty lists and omits other members', async () => {
    const { data } = (await get('/api/v1/products/klang-kolonka')).body;
    expect(data).toMatchObject({ categoryPath: [], variants: [], identifiers: { ean: [], asin: [] }, identifier: {} });
    for (const member of ['description', 'attributes', 'category', 'image']) expect(data).not.toHaveProperty(member);
  });

  test('links to its offers and its price history', async () => {
    const { headers, body } = await get('/api/v1/products/echo-headphones-black');
    const links = [...(headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)];
    expect(links.map(([, , relation]) => relation)).toEqual(['collection', 'history']);
    for (const [, path = ''] of links) expect((await get(path)).status).toBe(200);
    expect(links[0]?.[1]).toContain(body.data.id);
  });

  test.each([
    'no-such-thing',
    'prd_zzzzzz',
    'off_1',
    'ÜBER',
    '%00',
    '-',
    'a'.repeat(200),
    'prd_%00',
  ])('that is unknown, %s, is answered 404 with advice on what to do', async (slug) => {
    const { status, body } = await get(`/api/v1/products/${slug}`);
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'not_found', detail: expect.stringContaining('/api/v1/search') });
  });

  test('with a slug that is too long is refused', async () => {
    const { status, body } = await get(`/api/v1/products/${'a'.repeat(201)}`);
    expect([status, body.parameter]).toEqual([400, 'slug']);
  });
});

describe('the links of a lookup', () => {
  test('lead to the product, its offers and its price history', async () => {
    const { headers } = await get('/api/v1/lookup?ean=4006381333931');
    const paths = [...(headers.get('link') ?? '').matchAll(/<([^>]+)>/g)].map(([, path]) => path ?? '');
    expect(paths).toHaveLength(3);
    for (const path of paths) expect((await get(path)).status).toBe(200);
  });
});

describe('the offers of a product', () => {
  test.each(['slug', 'id'])('are returned by its %s, cheapest first', async (member) => {
    const { data } = (await get('/api/v1/products/echo-headphones-black')).body;
    const { status, body } = await get(`/api/v1/products/${data[member]}/offers`);
    expect(status).toBe(200);
    expect(body).toEqual({ data: OFFERS });
  });

  test('at the same price are sorted by the name of the shop', async () => {
    const { body } = await get('/api/v1/products/thunder-speaker/offers');
    expect(body.data.map((offer: { merchant: { name: string } }) => offer.merchant.name)).toEqual(['Alpha', 'Beta']);
  });

  test('are an empty list when all are withdrawn', async () => {
    expect((await get('/api/v1/products/sold-out-thing/offers')).body).toEqual({ data: [] });
  });

  test('of an unknown product are answered 404', async () => {
    expect((await get('/api/v1/products/no-such-thing/offers')).status).toBe(404);
  });

  test('link to the shop', async () => {
    const [{ url }] = (await get('/api/v1/products/echo-headphones-black/offers')).body.data;
    expect((await get(url)).headers.get('location')).toBe('https://shop.example/echo');
  });
});
