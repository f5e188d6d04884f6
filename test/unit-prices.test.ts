/** Unit prices: what a kilogram, a litre or another unit costs, of offers and products, and lists in their order. */
import { beforeEach, describe, expect, test } from 'vitest';
import { importTaxonomyText } from './harness/catalogue.ts';
import { emptyTables } from './harness/database.ts';
import { type Answer, type FeedRowFields, feedRow, type ImportOptions, startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const TAXONOMY = `# Google_Product_Taxonomy_Version: 2021-09-21
412 - Food, Beverages & Tobacco
413 - Food, Beverages & Tobacco > Beverages
2628 - Food, Beverages & Tobacco > Beverages > Juice
2887 - Food, Beverages & Tobacco > Beverages > Water
422 - Food, Beverages & Tobacco > Food Items
536 - Home & Garden
751 - Home & Garden > Electric Kettles
`;

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await importTaxonomyText(gateway.database, TAXONOMY);
const TABLES = 'product, offer, ledger, change, product_identifier, brand, merchant, import_run';
beforeEach(() => emptyTables(gateway.database, TABLES));

const at = (day: number) => ({ observedAt: new Date(Date.UTC(2026, 0, day)) });
const delta = (day: number) => ({ ...at(day), mode: 'delta' }) as const;
const EAN = '4006381333931';

/** An item of a category, with an amount if it states one. */
const item = (title: string, price: string, measure?: string, fields: FeedRowFields = {}): FeedRowFields =>
  feedRow({
    id: title.toLowerCase().replaceAll(' ', '-'),
    title,
    price: `${price} EUR`,
    google_product_category: '413',
    ...(measure !== undefined && { unit_pricing_measure: measure }),
    ...fields,
  });
const load = (rows: readonly FeedRowFields[], options: ImportOptions = at(1), shop = 'One') =>
  gateway.importRows(shop, rows, options);
const get = async (path: string) => (await gateway.get(`/api/v1${path}`, { key })).body;
const unitPriceOf = async (slug: string) => (await get(`/products/${slug}`)).data.unitPrice;
const offerPrices = async (slug: string) =>
  (await get(`/products/${slug}/offers`)).data.map(({ unitPrice }: { unitPrice?: unknown }) => unitPrice);

describe('a unit price', () => {
  test('is that of the total price, of each offer and of the product by its cheapest offer', async () => {
    const cola = (price: string, measure: string) => item('Cola', price, measure, { gtin: EAN });
    await load([{ ...cola('2.00', '750 ml'), shipping: 'DE:::1.00 EUR' }]);
    await load([cola('2.00', '500 ml')], at(1), 'Two');
    expect(await unitPriceOf('cola')).toEqual({ amount: 4, per: 'l' });
    expect(await offerPrices('cola')).toEqual([
      { amount: 4, per: 'l' },
      { amount: 4, per: 'l' },
    ]);
    await load([cola('2.50', '500 ml')], at(2), 'Two');
    expect(await unitPriceOf('cola')).toEqual({ amount: 5, per: 'l' });
    expect((await get('/products')).data[0].unitPrice).toEqual({ amount: 5, per: 'l' });
  });

  test('is read from the name where goods are sold by their amount, and stated amounts come first', async () => {
    await load([
      item('Cola 6 x 330 ml', '3.96'),
      item('Saft 1 l', '2.00', '500 ml'),
      item('Wasser 1 l', '2.00', 'some'),
      item('Kettle 1.7 l', '30.00', undefined, { google_product_category: '751' }),
      item('Limo 6 x 500 ml', '6.00', undefined, { google_product_category: undefined }),
      item('Milk 500 ml', '6.00', undefined, { google_product_category: undefined }),
    ]);
    expect(await unitPriceOf('cola-6-x-330-ml')).toEqual({ amount: 2, per: 'l' });
    expect(await unitPriceOf('saft-1-l')).toEqual({ amount: 4, per: 'l' });
    expect(await unitPriceOf('wasser-1-l')).toEqual({ amount: 2, per: 'l' });
    expect(await unitPriceOf('kettle-1-7-l')).toBeUndefined();
    expect(await unitPriceOf('limo-6-x-500-ml')).toEqual({ amount: 2, per: 'l' });
    expect(await unitPriceOf('milk-500-ml')).toBeUndefined();
  });

  test('per piece, metre, square metre and cubic metre has these units, whatever the base measure', async () => {
    const units = { '10 ct': 'ct', '2 m': 'm', '2 sqm': 'm2', '1 cbm': 'm3', '250 g': 'kg' };
    await load(
      Object.keys(units).map((measure, n) =>
        item(`Thing ${n}`, '10.00', measure, { unit_pricing_base_measure: '100 g' }),
      ),
    );
    for (const [n, per] of Object.values(units).entries()) expect((await unitPriceOf(`thing-${n}`)).per).toBe(per);
  });

  test('that rounds to 0 is none', async () => {
    await load([item('Screws', '0.40', '100 ct'), item('Nails', '0.50', '100 ct')]);
    expect(await unitPriceOf('screws')).toBeUndefined();
    expect(await offerPrices('screws')).toEqual([undefined]);
    expect(await unitPriceOf('nails')).toEqual({ amount: 0.01, per: 'ct' });
    expect((await get('/products?category=beverages&sort=unit_price_asc')).data[0].slug).toBe('nails');
  });

  test('is over GraphQL too, also where a product was looked up', async () => {
    await load([item('Cola', '2.00', '500 ml', { gtin: EAN })]);
    const query = `{
      product(id: "cola") { unitPrice { amount per } offers { unitPrice { amount per } } }
      lookup(ean: "${EAN}") { product { unitPrice { amount per } } }
    }`;
    const unitPrice = { amount: 4, per: 'l' };
    expect((await gateway.graphql(query, { key })).body.data).toEqual({
      product: { unitPrice, offers: [{ unitPrice }] },
      lookup: { product: { unitPrice } },
    });
  });

  test('is in CSV, and on the page of the product', async () => {
    await load([item('Cola', '2.00', '500 ml')]);
    const csv = (path: string) => gateway.get(`/api/v1${path}`, { key, headers: { accept: 'text/csv' } });
    for (const path of ['/products', '/products/cola/offers']) {
      const [head = '', row = ''] = (await csv(path)).text.split('\r\n');
      const cell = (name: string) => row.split(',')[head.split(',').indexOf(name)];
      expect([cell('unitPrice.amount'), cell('unitPrice.per')]).toEqual(['4', 'l']);
    }
    expect((await gateway.get('/products/cola')).text).toContain('€4.00 per l');
  });
});

describe('a product’s unit price follows', () => {
  test('the price, its sale period and the amount', async () => {
    await load([item('Cola', '2.00', '500 ml')]);
    await load([item('Cola', '3.00', '500 ml')], at(2));
    expect(await unitPriceOf('cola')).toEqual({ amount: 6, per: 'l' });
    const sale = { sale_price: '1.00 EUR', sale_price_effective_date: '2026-01-03/2026-01-04' };
    await load([item('Cola', '3.00', '500 ml', sale)], at(3));
    expect(await unitPriceOf('cola')).toEqual({ amount: 2, per: 'l' });
    await load([item('Cola', '3.00', '500 ml', sale)], at(5));
    expect(await unitPriceOf('cola')).toEqual({ amount: 6, per: 'l' });
    expect(await load([item('Cola', '3.00', '1 kg', sale)], at(6))).toMatchObject({ same: 1, changed: 0 });
    expect(await unitPriceOf('cola')).toEqual({ amount: 3, per: 'kg' });
    expect(await offerPrices('cola')).toEqual([{ amount: 3, per: 'kg' }]);
    await load([item('Cola', '3.00', undefined, sale)], at(7));
    expect(await unitPriceOf('cola')).toBeUndefined();
  });

  test('the name and the category of its row', async () => {
    const cola = (title: string, category: string) =>
      item(title, '3.00', undefined, { id: 'cola', google_product_category: category });
    await load([cola('Cola 500 ml', '751')]);
    expect(await unitPriceOf('cola-500-ml')).toBeUndefined();
    await load([cola('Cola 500 ml', '2628')], at(2));
    expect(await unitPriceOf('cola-500-ml')).toEqual({ amount: 6, per: 'l' });
    await load([cola('Cola 1 l', '2628')], at(3));
    expect(await unitPriceOf('cola-500-ml')).toEqual({ amount: 3, per: 'l' });
  });

  test('offers that come, become the cheapest, and go', async () => {
    const cola = (price: string, measure?: string) => item('Cola', price, measure, { gtin: EAN });
    await load([cola('3.00', '500 ml')]);
    await load([cola('2.00')], at(2), 'Two');
    expect(await unitPriceOf('cola')).toBeUndefined();
    await load([cola('3.00', '1 l')], at(3), 'Two');
    // Of equally cheap offers, one that tells the amount counts, and of several amounts always the same one.
    expect(await unitPriceOf('cola')).toEqual({ amount: 6, per: 'l' });
    await load([], { ...at(4), isForced: true });
    expect(await unitPriceOf('cola')).toEqual({ amount: 3, per: 'l' });
    await load([], { ...at(5), isForced: true }, 'Two');
    expect(await unitPriceOf('cola')).toBeUndefined();
  });

  test('a delta feed, and no archived one', async () => {
    await load([item('Cola', '2.00', '500 ml')], at(3));
    await load([item('Cola', '2.00', '1 l')], at(1));
    expect(await unitPriceOf('cola')).toEqual({ amount: 4, per: 'l' });
    await load([item('Cola', '2.00', '1 l')], delta(4));
    expect(await unitPriceOf('cola')).toEqual({ amount: 2, per: 'l' });
  });

  test('and a row that was not read again keeps its amount', async () => {
    const rows = [item('Cola', '2.00', '500 ml')];
    await load(rows);
    expect(await load(rows, at(2))).toMatchObject({ same: 1 });
    expect(await unitPriceOf('cola')).toEqual({ amount: 4, per: 'l' });
  });
});

describe('the order unit_price_asc', () => {
  const ROWS = [
    item('Water C', '3.00', '1 l', { google_product_category: '2887' }),
    item('Water A', '1.00', '1 l', { google_product_category: '2887' }),
    item('Juice B', '1.00', '500 ml', { google_product_category: '2628' }),
    item('Juice B2', '2.00', '1 l', { google_product_category: '2628' }),
    item('Powder', '100.00', '1 kg'),
    item('Straws', '0.10', '1 ct'),
    item('Nothing 1', '0.50', undefined, { google_product_category: '2887' }),
    item('Nothing 2', '0.20'),
    item('Bread', '1.00', '1 kg', { google_product_category: '422' }),
  ];
  const ORDER = ['Powder', 'Water A', 'Juice B', 'Juice B2', 'Water C', 'Straws', 'Nothing 1', 'Nothing 2'];
  const list = (query: string) => get(`/products?sort=unit_price_asc&${query}`);
  const names = async (query: string) => (await list(query)).data.map(({ name }: { name: string }) => name);

  test('groups by unit, cheapest first, products without a unit price last, and equal ones by age', async () => {
    await load(ROWS);
    expect(await names('category=beverages')).toEqual(ORDER);
    expect(await names('category=juice')).toEqual(['Juice B', 'Juice B2']);
    expect(await names('category=juice,food-items')).toEqual(['Bread', 'Juice B', 'Juice B2']);
    expect((await list('category=beverages&limit=3')).page).toMatchObject({ total: 8 });
  });

  test('has other filters too', async () => {
    await load(ROWS);
    await load([item('Milk', '1.50', '1 l')], at(1), 'Two');
    expect(await names('category=beverages&minPrice=1&maxPrice=2')).toEqual(['Water A', 'Milk', 'Juice B', 'Juice B2']);
    expect(await names('category=beverages&merchant=two')).toEqual(['Milk']);
    expect(await names('category=beverages&q=juice')).toEqual(['Juice B', 'Juice B2']);
    expect(await names('category=unknown')).toEqual([]);
  });

  test.each([1, 2, 3])('has pages of %i across units', async (limit) => {
    await load(ROWS);
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { data, page } = await list(`category=beverages&limit=${limit}${cursor && `&cursor=${cursor}`}`);
      seen.push(...data.map(({ name }: { name: string }) => name));
      if (page.nextCursor === undefined) break;
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(ORDER);
  });

  test.each([
    'category: "beverages"',
    'category: "beverages", brand: "nobody"',
    'categories: ["water", "juice", "beverages"]',
  ])('has pages backwards over GraphQL, with {%s}', async (filter) => {
    await load(ROWS);
    const seen: string[] = [];
    for (let before: string | null = null; ; ) {
      const query = `query ($before: String) {
          products(filter: { ${filter} }, sort: unit_price_asc, last: 3, before: $before) {
            nodes { name } pageInfo { hasPreviousPage startCursor }
          }
        }`;
      const answer: Answer = await gateway.graphql(query, { key, variables: { before } });
      const { nodes, pageInfo } = answer.body.data.products;
      seen.unshift(...nodes.map(({ name }: { name: string }) => name));
      if (!pageInfo.hasPreviousPage) break;
      before = pageInfo.startCursor;
    }
    expect(seen).toEqual(filter.includes('nobody') ? [] : ORDER);
  });

  test('without a category is refused', async () => {
    expect((await gateway.get('/api/v1/products?sort=unit_price_asc&brand=x', { key })).body).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      parameter: 'sort',
      detail: 'The order `unit_price_asc` needs a category: send `category` too, or choose another order.',
    });
    const { errors } = (await gateway.graphql('{ products(sort: unit_price_asc) { nodes { id } } }', { key })).body;
    expect(errors[0].extensions).toMatchObject({ code: 'invalid_parameter', parameter: 'sort' });
  });
});
