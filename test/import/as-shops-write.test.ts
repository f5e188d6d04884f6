/** Feeds as shops' software really writes them, and what clients then get. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { importFeed } from '../../src/import/import-feed.ts';
import type { ImportRequest, ImportSummary } from '../../src/import/import-request.ts';
import { importTaxonomyText } from '../harness/catalogue.ts';
import { type FeedRowFields, feedRow, startTestGateway } from '../harness/gateway.ts';
import { folderForFile, forFile } from '../harness/lifetime.ts';
import { rss } from './feed-text.ts';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await importTaxonomyText(gateway.database, '1 - Home & Garden\n2 - Home & Garden > Kitchen & Dining\n');
/** Each test has its own shop, because the tests share a database. */
let shop: string;
beforeEach(() => {
  shop = `shop-${randomBytes(4).toString('hex')}`;
});
const folder = folderForFile('pda-feeds-');
const rejectsFile = join(folder, 'rejects');
const rejection = () => JSON.parse(readFileSync(rejectsFile, 'utf8'));

/** Imports the text of a feed as the shop's. */
function importText(text: string | Buffer, options: Partial<ImportRequest> = {}, market = EUR): Promise<ImportSummary> {
  const feed = join(folder, 'feed');
  writeFileSync(feed, text);
  const request = { feed, merchant: shop, mode: 'full' as const, observedAt: new Date(), ...options };
  return importFeed(gateway.database, market, request);
}
const EUR = { currency: 'EUR', country: 'DE' };

/** A feed of XML from one row. */
const asItem = (fields: Iterable<readonly [string, unknown]>) =>
  rss([...fields].map(([name, value]) => `<g:${name}>${value}</g:${name}>`).join(''));

interface Detail {
  name: string;
  slug: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of any shape.
  [member: string]: any;
}

/** The shop's products with all details, by name. */
async function products(merchant = shop): Promise<Detail[]> {
  const list = await gateway.get(`/api/v1/products?merchant=${merchant}&sort=name`, { key });
  const details = list.body.data.map(async ({ slug }: Detail) => {
    const { body } = await gateway.get(`/api/v1/products/${slug}`, { key });
    return body.data;
  });
  return Promise.all(details);
}

/** Where an offer's link leads. */
const target = async (product: Detail | undefined) =>
  (await gateway.get(product?.offers[0].url)).headers.get('location');

/** A feed of commas from one row and the columns that it adds to the required ones. */
const csv = (...rows: Record<string, string>[]): string => {
  const all = rows.map((row) => feedRow({ id: '1', ...row }));
  const columns = [...new Set(all.flatMap(Object.keys))];
  const cell = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`;
  return [columns, ...all.map((row) => columns.map((column) => row[column]))]
    .map((cells) => `${cells.map(cell).join(',')}\n`)
    .join('');
};

describe('HTML entities that are left in values are resolved', () => {
  const values = (mark: (text: string) => string) => ({
    title: mark('Brown &amp; Sons Caf&eacute; Mug &#8211; blue'),
    description: mark('<p>Holds 0.3&nbsp;l &amp; keeps <b>warm</b>.</p>'),
    link: mark('https://shop.example/p?id=1&amp;colour=blue'),
    image_link: mark('https://shop.example/i.jpg?w=1&#x26;h=2'),
    price: mark('12.50&nbsp;&euro;'),
    brand: mark('Brown &amp; Sons'),
    mpn: mark(`${shop}&#45;1`),
    color: mark('Blue &amp; White'),
    google_product_category: mark('Home &amp; Garden &gt; Kitchen &amp; Dining'),
    shipping: mark(':::1.50&nbsp;EUR'),
  });
  const asIs = (text: string) => text;
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

  test.each<[string, () => string]>([
    ['CDATA', () => asItem(Object.entries(feedRow({ id: 'e', ...values((text) => `<![CDATA[${text}]]>`) })))],
    ['XML that is escaped once more', () => asItem(Object.entries(feedRow({ id: 'e', ...values(escaped) })))],
    ['CSV', () => csv(values(asIs))],
    ['CSV, encoded twice', () => csv(values((text) => text.replaceAll('&', '&amp;')))],
    ['JSON Lines', () => JSON.stringify(feedRow({ id: 'e', ...values(asIs) }))],
  ])('in %s', async (_, feed) => {
    expect(await importText(feed())).toMatchObject({ read: 1, new: 1 });
    const [product] = await products();
    expect(product).toMatchObject({
      name: 'Brown & Sons Café Mug – blue',
      description: 'Holds 0.3\u00a0l & keeps warm.',
      brand: 'Brown & Sons',
      category: { name: 'Kitchen & Dining' },
      attributes: [{ name: 'color', value: 'Blue & White' }],
      identifier: { mpn: `${shop}-1` },
      image: 'https://shop.example/i.jpg?w=1&h=2',
      offers: [{ price: 12.5, shipping: 1.5, totalPrice: 14 }],
    });
    expect(product?.slug).toMatch(/^brown-sons-cafe-mug-blue/);
    expect(await target(product)).toBe('https://shop.example/p?id=1&colour=blue');
  });

  test('so two shops that write a brand differently have one product', async () => {
    await importText(csv({ title: 'Mug', brand: 'Smith &amp; Co', mpn: 'S-1' }));
    const [first] = await products();
    shop = `other-${shop}`;
    await importText(csv({ title: 'The mug', brand: 'Smith & Co', mpn: 'S-1' }));
    expect((await products()).map(({ id }) => id)).toEqual([first?.id]);
  });

  test.each([
    ['Men&#039;s hat &amp;amp; scarf', "Men's hat & scarf"],
    ['R&D kit, 5 < 6, AT&T', 'R&D kit, 5 < 6, AT&T'],
    ['Fish&chips &unknown; &copy now', 'Fish&chips &unknown; &copy now'],
    ['Lamp&#0;&#xFFFD; &#1;new', 'Lamp new'],
  ])('and other text stays: %s', async (title, name) => {
    await importText(csv({ title }));
    expect((await products()).map((product) => product.name)).toEqual([name]);
  });

  test('but not in ids, whose offers go on', async () => {
    expect(await importText(csv({ id: 'a&amp;b' }, { id: 'a&b' }))).toMatchObject({ new: 2 });
  });
});

describe('lines above the header of a delimited feed are skipped', () => {
  const header = 'id,title,link,price,availability\n';
  const row = (id: string, price = '20.00 EUR') => `${id},Kettle,https://shop.example/1,"${price}",in stock\n`;
  const meta =
    '# Required | The number. Limit: 100,# Required | The name,"# Required | Values: in stock, out of stock"\n';

  test.each<[string, string, number]>([
    ['the comments of Meta’s template', meta, 2],
    ['comments in quotes after a byte order mark', `\ufeff"# Pflicht | Nummer","# Pflicht | Name, kurz"\r\n`, 2],
    ['several comments and blank lines', '\n# written by a feed tool\r\n\r\n#\n', 5],
    ['Excel’s separator', 'sep=,\r\n', 2],
  ])('%s', async (_, above, line) => {
    expect(await importText(above + header + row('1') + row('2', 'gratis'), { rejectsFile })).toMatchObject({ new: 1 });
    expect(rejection()).toMatchObject({ line: line + 2, reason: 'invalid_price' });
  });

  test('with tabs and semicolons', async () => {
    const as = (delimiter: string) => (header + row('1')).replaceAll('"', '').replaceAll(',', delimiter);
    expect(await importText(`# by a tool, with commas\n${as('\t')}`)).toMatchObject({ new: 1 });
    expect(await importText(`sep=;\n${as(';')}`)).toMatchObject({ read: 1, rejected: 0 });
  });

  test.each([
    ['Info,Version=1.0\n', 'line 1: found "Info,Version=1.0"; expected .* Delete any lines above the header'],
    ['# only comments\n'.repeat(10_000), 'only blanks and comments'],
  ])('and other lines are not: %#', async (above, message) => {
    await expect(importText(above + header + row('1'))).rejects.toThrow(new RegExp(message));
  });
});

describe('shipping', () => {
  const offerWith = async (shipping: string) => {
    const { reasons } = await importText(csv({ price: '20.00 EUR', shipping }), { rejectsFile });
    const [product] = await products();
    return product?.offers[0] ?? reasons;
  };

  test.each([
    ['semicolons', 'DE::Standard:4.90 EUR;AT::Standard:9.90 EUR'],
    ['semicolons, the own country second', 'AT::Standard:9.90 EUR;DE::Standard:4.90 EUR'],
    ['commas, also for decimals', 'AT::Standard:9,90 EUR, DE::Standard:4,90 EUR,'],
    ['bars', 'AT::Standard:9.90 EUR | DE::Standard:4.90 EUR |'],
    ['lines', 'AT::Standard:9.90 EUR\r\nDE::Standard:4.90 EUR\r\n'],
    ['lines that end with semicolons', 'AT::Standard:9.90 EUR;\n DE::Standard:4.90 EUR;;'],
    ['times behind the price', 'DE::Standard:4.90 EUR:0:1:2:5;AT:::9.90 EUR:::1:14'],
    ['other countries by their names too', 'DE:::4.90 EUR;AUT:::9.90 EUR'],
  ])('may be divided by %s', async (_, shipping) => {
    expect(await offerWith(shipping)).toMatchObject({ shipping: 4.9, totalPrice: 24.9 });
  });

  test('to other countries only leaves it unknown', async () => {
    const offer = await offerWith('AT:::9.90 EUR;CH:::19.90 EUR');
    expect(offer).toMatchObject({ totalPrice: 20 });
    expect(offer).not.toHaveProperty('shipping');
  });

  test.each([
    ['AT::Standard:9.90 EUR / DE::Standard:4.90 EUR', 'is not a price'],
    ['DE::Standard:4.90 EUR: by post', 'is not a price; write it as in "12.50 EUR".'],
    ['DE:::kostenlos', '"kostenlos" is not a price; write it as in "12.50 EUR", and free shipping as 0.00 EUR.'],
    ['DE::Standard:4.90 EUR;9.90 EUR', 'is not a price'],
    ['Germany::Standard:4.90 EUR', '"Germany" is not a country; write its code of two letters, such as DE'],
    ['DEU::Standard:4.90 EUR', '"DEU" is not a country'],
  ])('is never dropped in silence: %s', async (shipping, detail) => {
    expect(await offerWith(shipping)).toEqual({ invalid_price: 1 });
    expect(rejection().detail).toContain(detail);
  });
});

describe('a brand and MPN that one feed has under several ids', () => {
  const row = (id: string, fields: FeedRowFields = {}) => ({
    id,
    title: 'Breeze 9',
    brand: 'Airowa',
    mpn: shop,
    ...fields,
  });
  const run = (rows: FeedRowFields[], options: Partial<ImportRequest> = {}, merchant = shop) =>
    gateway.importRows(
      merchant,
      rows.map((each) => feedRow({ id: '', ...each })),
      options,
    );
  /** The ids of the shop's products, and the offers at each. */
  const places = async (merchant = shop) => {
    const offers = await gateway.database.query<{ sku: string; product: string }>(
      `SELECT sku, product_id::text AS product FROM offer JOIN merchant ON merchant.id = merchant_id
       WHERE merchant.name = $1 AND withdrawn_at IS NULL ORDER BY offer.id`,
      [merchant],
    );
    return Object.fromEntries(offers.map(({ sku, product }) => [sku, product]));
  };
  const apart = (count: number) => (of: Record<string, string>) => new Set(Object.values(of)).size === count;
  const set = () => row('k1', { title: 'Breeze 9 (indoor and outdoor unit)', price: '899.00 EUR' });
  const part = () => row('k2', { title: 'Breeze 9 indoor unit only', price: '349.00 EUR' });

  test.each<[string, FeedRowFields, FeedRowFields]>([
    ['names', { title: 'Set' }, { title: 'Part' }],
    ['prices', { price: '20.00 EUR' }, { price: '10.00 EUR' }],
    ['colours', { color: 'White' }, { color: 'Black' }],
    ['sizes', { size: 'S' }, { size: 'M' }],
  ])('does not identify with different %s', async (_, one, other) => {
    await run([row('a', one), row('b', other)]);
    expect(await places()).toSatisfy(apart(2));
  });

  test('identifies with the same ones, however they are written', async () => {
    await run([
      row('a', { color: 'White' }),
      row('b', { title: ' BREEZE  9', color: 'white', link: 'https://shop.example/2' }),
    ]);
    expect(await places()).toSatisfy(apart(1));
  });

  test('makes products with their own lowest prices, and variants of a group', async () => {
    const colour = (id: string, color: string, price: string) =>
      row(id, { title: 'Fan', mpn: `${shop}-F`, color, price, item_group_id: 'FAN' });
    await run([set(), part(), colour('k3', 'White', '59.00 EUR'), colour('k4', 'Black', '49.00 EUR')]);
    const all = await products();
    expect(all.map(({ name, priceStats }) => [name, priceStats.min])).toEqual([
      ['Breeze 9 (indoor and outdoor unit)', 899],
      ['Breeze 9 indoor unit only', 349],
      ['Fan', expect.any(Number)],
      ['Fan', expect.any(Number)],
    ]);
    expect(all.slice(2).map(({ variants }) => variants.length)).toEqual([1, 1]);
  });

  test('still identifies in the feeds of other shops', async () => {
    await run([set(), part()]);
    await run([row('x', { title: 'Breeze', price: '850.00 EUR' })], {}, `other-${shop}`);
    expect((await places(`other-${shop}`)).x).toBe((await places()).k1);
  });

  test('stays apart, whatever later feeds list', async () => {
    await run([set()]);
    await run([set(), part()]);
    const first = await places();
    expect(first).toSatisfy(apart(2));
    expect(await run([set(), part()])).toMatchObject({ same: 2 });
    await run([{ ...part(), price: '339.00 EUR' }], { mode: 'delta' });
    await run([row('k5', { title: 'Breeze 9 remote control' })], { mode: 'delta' });
    expect(await places()).toMatchObject(first);
    expect(await places()).toSatisfy(apart(3));
    await run([{ ...part(), price: '329.00 EUR' }], { isForced: true });
    expect(await places()).toEqual({ k2: first.k2 });
  });

  test('parts what an earlier feed or version has joined, unless only the price differs', async () => {
    await run([row('a'), row('b'), row('c')]);
    expect(await places()).toSatisfy(apart(1));
    await run([row('a'), row('b', { title: 'Breeze 9 remote control' }), row('c', { price: '9.00 EUR' })]);
    const { a, b, c } = await places();
    expect([a === c, a === b]).toEqual([true, false]);
    // Rows that an import with older rules has read have other digests.
    await gateway.database.query('UPDATE offer SET product_id = $1, row_digest = NULL WHERE product_id = $2', [a, b]);
    await run([row('a'), row('b', { title: 'Breeze 9 remote control' }), row('c')]);
    expect(await places()).toSatisfy(apart(2));
  });
});

describe('a quoted cell of tab-separated text', () => {
  const header = 'id\ttitle\tdescription\tlink\tprice\tavailability\n';
  const rest = '\thttps://shop.example/1\t20.00 EUR\tin stock\n';
  /** Names and descriptions, by the order of names. */
  const read = async (text: string | Buffer) => {
    const { read: rows, rejected } = await importText(text);
    expect(rejected).toBe(0);
    const all = await products();
    expect(all).toHaveLength(rows);
    return all.map(({ name, description }) => [name, description]).sort();
  };

  test.each<[string, string, (string | undefined)[][]]>([
    [
      'may hold line breaks and doubled quotes',
      `1\tKettle\t"Boils fast.\nHolds 1.7 l, says ""Which"""${rest}2\tPan\tplain${rest}`,
      [
        ['Kettle', 'Boils fast.\nHolds 1.7 l, says "Which"'],
        ['Pan', 'plain'],
      ],
    ],
    ['may hold CRLF and blank lines', `1\tKettle\t"Boils\r\n\r\nfast"${rest}`, [['Kettle', 'Boils\n\nfast']]],
    ['may hold tabs', `1\t"Box\twith a tab"\tx${rest}`, [['Box with a tab', 'x']]],
    [
      'may stand beside others',
      `"1"\t"Kettle\n2000"\t"a\tb\nc"${rest}2\t"Pan"\t""${rest}`,
      [
        ['Kettle 2000', 'a\tb\nc'],
        ['Pan', undefined],
      ],
    ],
    [
      'does not begin with a lone quote',
      `1\t27" monitor\tbig${rest}2\t"Best" lamp\t"bright${rest}3\tPan\t"two\nlines"${rest}`,
      [
        ['"Best" lamp', '"bright'],
        ['27" monitor', 'big'],
        ['Pan', 'two\nlines'],
      ],
    ],
    [
      'never takes rows that are whole without it',
      `1\tLamp\t"12${rest}2\tPan\t12"${rest}`,
      [
        ['Lamp', '"12'],
        ['Pan', '12"'],
      ],
    ],
  ])('%s', async (_, rows, expected) => {
    expect(await read(header + rows)).toEqual(expected.sort());
    shop = `${shop}-utf16`;
    expect(await read(Buffer.from(`\ufeff${header}${rows}`, 'utf16le'))).toEqual(expected);
  });

  test('that nothing closes costs no other row, and rows keep their lines', async () => {
    const lone = `1\tLamp\t"bright${rest}`;
    const many = Array.from({ length: 500 }, (_, n) => `${n + 2}\tPan\tplain${rest}`).join('');
    const bad = `x\tPan\tplain${rest}`.replace('20.00', 'no');
    expect(await importText(header + lone + many + bad, { rejectsFile })).toMatchObject({ new: 501, rejected: 1 });
    expect(rejection().line).toBe(503);
  });
});

describe('a GTIN', () => {
  test.each([
    ['0306406063', '9780306406065'],
    ['030640608X', '9780306406089'],
    ['030640608x', '9780306406089'],
    ['0-306-40615-2', '9780306406157'],
    ['ISBN 0306406152', '9780306406157'],
    ['ISBN-13: 978-0-306-40615-7', '9780306406157'],
    ['9780306406157 51499', '9780306406157'],
    ['0317-8471', '9770317847001'],
    ['ISSN 1050-124X', '9771050124008'],
    ['9770317847001 05', '9770317847001'],
    ['79625031294', '0079625031294'],
  ])('may be written as %s', async (gtin, ean) => {
    await importText(csv({ gtin }));
    shop = `${shop}-other`;
    await importText(csv({ gtin: ean }));
    const [product] = await products();
    expect(product).toMatchObject({ identifiers: { ean: [ean] } });
    expect(product?.offers.map(({ merchant }: Detail) => merchant.slug)).toEqual(
      expect.arrayContaining([shop, shop.replace('-other', '')]),
    );
  });

  test.each([
    ['0-306-40615-3', 'the right one of this ISBN would be 2'],
    ['0306406081', 'the right one would be'],
    ['0317-8472', 'the right one of this ISSN would be 1'],
    ['ISBN 9780306406158', 'the right one would be 7'],
  ])('with a wrong check digit is refused with the right one: %s', async (gtin, detail) => {
    expect(await importText(csv({ gtin }), { rejectsFile })).toMatchObject({ reasons: { invalid_gtin: 1 } });
    expect(rejection().detail).toContain(detail);
  });
});

describe('an address', () => {
  test.each([
    ['https://shop.example/img/lamp (1).png', 'https://shop.example/img/lamp%20(1).png'],
    ['https://shop.example/lamp?colour=Dark Blue&size=M', 'https://shop.example/lamp?colour=Dark%20Blue&size=M'],
    ['https://shop.example/\n\tlamp\r\n/1.png \n', 'https://shop.example/lamp/1.png'],
    ['https://shop.example/a\u00a0b', 'https://shop.example/a%C2%A0b'],
    ['https://shop.example/a%20b', 'https://shop.example/a%20b'],
  ])('is read as browsers read it: %j', async (written, address) => {
    await importText(csv({ link: written, image_link: written }));
    const [product] = await products();
    expect(product?.image).toBe(address);
    expect(await target(product)).toBe(address);
  });

  test('of a picture may leave out the scheme', async () => {
    await importText(csv({ image_link: '//cdn.example/img/3.png' }));
    expect((await products())[0]?.image).toBe('https://cdn.example/img/3.png');
  });
});

describe('a repeated field', () => {
  const fields = Object.entries(feedRow({ id: '1' })).map(([name, value]): [string, string] => [name, String(value)]);
  const formats: Record<string, (name: string, values: readonly string[]) => string> = {
    XML: (name, values) => asItem([...fields, ...values.map((value) => [name, value] as const)]),
    'JSON Lines': (name, values) => JSON.stringify({ ...Object.fromEntries(fields), [name]: values }),
    CSV: (name, values) => {
      const all = [...fields, ...values.map((value) => [name, value])];
      return `${all.map(([column]) => column).join(',')}\n${all.map(([, value]) => `"${value}"`).join(',')}\n`;
    },
  };
  const names = Object.keys(formats);

  test.each<[string, string[], Record<string, unknown>]>([
    [
      'image_link',
      ['https://shop.example/1.jpg', 'https://shop.example/2.jpg'],
      { image: 'https://shop.example/1.jpg' },
    ],
    ['image_link', ['', 'https://shop.example/2.jpg'], { image: 'https://shop.example/2.jpg' }],
    ['description', ['Short.', 'Long and more.'], { description: 'Short.' }],
    ['google_product_category', ['2', 'Home &amp; Garden'], { category: { name: 'Kitchen & Dining' } }],
    ['brand', ['Lumen', 'LUMEN'], { brand: 'Lumen' }],
    ['unit_pricing_measure', ['500 ml', '0.5 l'], {}],
    ['gtin', ['4006381333931', '04006381333931'], { identifiers: { ean: ['4006381333931'] } }],
  ])('that cannot make the offer wrong counts once: %s %j', async (field, values, expected) => {
    for (const name of names) {
      shop = `${shop}-${name.slice(0, 1).toLowerCase()}`;
      const feed = formats[name]?.(field, values) ?? '';
      expect(await importText(feed), name).toMatchObject({ new: 1 });
      expect((await products())[0], name).toMatchObject(expected);
    }
  });

  test.each([
    ['gtin', ['4006381333931', '4006381333948']],
    ['brand', ['Lumen', 'Other']],
    ['unit_pricing_measure', ['500 ml', '1 l']],
  ])('with two meanings costs the row: %s', async (field, values) => {
    for (const name of names) {
      const feed = formats[name]?.(field, values) ?? '';
      expect(await importText(feed, { isForced: true }), name).toMatchObject({ reasons: { repeated_field: 1 } });
    }
  });
});

describe('a price', () => {
  test.each([
    ...['0.00 EUR', '0', '0,00', '€ 0.00', '0 kr', 'EUR', '€', '$', 'N/A', '-', 'none', ' '].map((sale) => [sale, '']),
    ['0.00 EUR', '/'],
    ['n/a', '0000-00-00/0000-00-00'],
  ])('stays without a sale if the sale price says that there is none: "%s", "%s"', async (sale_price, period) => {
    await importText(csv({ price: '20.00 EUR', sale_price, sale_price_effective_date: period }));
    expect((await products())[0]?.offers).toMatchObject([{ price: 20 }]);
  });

  test.each([
    'soon',
    '1O.00 EUR',
    '5.00 USD',
    '５.00 EUR',
  ])('with an unreadable sale price costs the row: %s', async (sale) => {
    expect(await importText(csv({ price: '20.00 EUR', sale_price: sale }))).toMatchObject({ new: 0, rejected: 1 });
  });

  test.each([
    ['1,29,999.00 INR', 129_999],
    ['₹1,29,999', 129_999],
    ['INR 12,34,567.50', 1_234_567.5],
    ['1,00,00,000.00 INR', 10_000_000],
    ['99,999.00 INR', 99_999],
    ['₹ 499/-', 499],
  ])('may be grouped as in India: %s', async (price, amount) => {
    const shipping = `IN:::${price}`;
    await importText(csv({ price, shipping }), {}, { currency: 'INR', country: 'IN' });
    const [offer] = await gateway.database.query<{ price: bigint; shipping: bigint }>(
      `SELECT price, shipping FROM offer JOIN merchant ON merchant.id = merchant_id WHERE merchant.name = $1`,
      [shop],
    );
    expect(offer).toEqual({ price: BigInt(amount * 100), shipping: BigInt(amount * 100) });
  });

  test.each([
    ['$19.99', 'USD', 'write a code such as USD'],
    ['about 20 USD', 'USD', 'write it as in "12.50 USD"'],
    ['20', 'JPY', 'write it as in "1250 JPY"'],
    ['cheap', 'KWD', 'write it as in "12.500 KWD"'],
    ['1,29,99.00 INR', 'INR', 'write it as in "12.50 INR"'],
  ])('that cannot be read gets advice in the currency of the market: %s', async (price, currency, advice) => {
    expect(await importText(csv({ price }), { rejectsFile }, { currency, country: 'US' })).toMatchObject({
      rejected: 1,
    });
    expect(rejection().detail).toContain(advice);
  });
});

describe('U+FFFD that a shop has written', () => {
  const feed = 'id\ttitle\tdescription\tlink\tprice\tavailability\n';
  const row = (description: string) => `1\tLeash\t${description}\thttps://shop.example/1\t20.00 EUR\tin stock\n`;
  const written = feed + row('\ufffd\ufffd Strong leash for walks');
  const json = JSON.stringify(feedRow({ id: '1', title: 'Leash', description: '@ Strong leash for walks' }));

  test.each<[string, string | Buffer]>([
    ['UTF-8', written],
    ['UTF-16', Buffer.from(`\ufeff${written}`, 'utf16le')],
    ['UTF-8 at the end of a piece', feed.padEnd(64 * 1024 - 14, '\n') + row('\ufffd\ufffd Strong leash for walks')],
    ['XML', asItem(Object.entries(JSON.parse(json))).replace('@', '&#xFFFD;')],
    ['JSON, escaped', json.replace('@', '\\ufffd')],
    ['JSON, as half of a character', json.replace('@', '\\ud83d')],
  ])('is dropped in %s', async (_, text) => {
    expect(await importText(text)).toMatchObject({ new: 1 });
    expect((await products())[0]?.description).toBe('Strong leash for walks');
  });

  test.each<[string, Buffer]>([
    ['text', Buffer.from(feed + row('Caf\u00e9'), 'latin1')],
    [
      'text beside it',
      Buffer.concat([Buffer.from(written), Buffer.from(row('Caf\u00e9').replace('1', '2'), 'latin1')]),
    ],
    ['JSON', Buffer.from(json.replace('@', '\u00e9'), 'latin1')],
  ])('does not excuse bytes that are not text: %s', async (_, bytes) => {
    expect(await importText(bytes)).toMatchObject({ new: 0, reasons: { invalid_encoding: expect.any(Number) } });
  });
});

test('a ZIP archive is refused with what to do', async () => {
  await expect(importText(Buffer.from('504b030414000000', 'hex'))).rejects.toThrow(/^this is a ZIP archive; unpack it/);
});
