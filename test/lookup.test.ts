/** The lookup over REST: contract §2.1 and §4. */
import { describe, expect, test } from 'vitest';
import { type Answer, expectInvalid, feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const EAN = '4006381333931';
const SECOND_EAN = '4006381333948';
const ASIN = 'B0DEMO0001';

const lookup = (query: string): Promise<Answer> => gateway.get(`/api/v1/lookup?${query}`, { key });

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await gateway.importRows('Zeta', [
  feedRow({
    id: 'pen',
    title: 'Marker',
    gtin: EAN,
    asin: ASIN,
    brand: 'Stäbler',
    mpn: 'M-70',
    price: '2.50 EUR',
    shipping: 'DE:::1.25 EUR',
  }),
  feedRow({ id: 'plain', title: 'A thing that only its shop knows' }),
  feedRow({ id: 'eight', title: 'Eight digits', gtin: '73513537' }),
  feedRow({ id: 'case', title: 'A case of twelve', gtin: '14006381333938' }),
  feedRow({ id: 'more', title: 'More' }),
  feedRow({ id: 'upc', gtin: '036000291452', availability: 'backorder' }),
  feedRow({ id: 'two', gtin: '9780306406157', asin: 'B0MULTI001' }),
]);
await gateway.importRows('Alpha', [
  feedRow({ id: '1', gtin: SECOND_EAN, asin: ASIN, price: '3.75 EUR', availability: 'out of stock' }),
  feedRow({ id: '2', gtin: EAN, price: '9.00 EUR', availability: 'preorder' }),
  feedRow({ id: '3', gtin: '9780306406157', asin: 'B0MULTI002' }),
]);
const [yesterday, today] = [new Date(Date.now() - 86_400_000), new Date()];
const risen = { id: 'r', gtin: '8710398527806' };
await gateway.importRows('Dear', [feedRow({ ...risen, price: '5.00 EUR' })], { observedAt: yesterday });
await gateway.importRows('Dear', [feedRow({ ...risen, price: '8.00 EUR' })], { observedAt: today });
await gateway.importRows('Gone', [feedRow({ id: 'x', gtin: '5901234123457', price: '7.00 EUR' })]);
await gateway.importRows('Gone', [], { isForced: true });

describe('a found product', () => {
  test('has exactly the members of the contract', async () => {
    const { status, headers, body } = await lookup(`ean=${EAN}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    const [{ url }] = body.data.offers;
    expect(url).toMatch(/^\/go\/[\w-]+$/);
    expect(body).toEqual({
      data: {
        identifier: { ean: EAN, asin: ASIN, mpn: 'M-70' },
        product: { name: 'Marker', brand: 'Stäbler', url: `${gateway.address}/products/marker` },
        priceStats: { currency: 'EUR', min: 3.75, max: 9, lowestEver: 3.75, offerCount: 3 },
        offers: [
          { merchant: 'Alpha', totalPrice: 3.75, availability: 'out_of_stock', url: expect.any(String) },
          { merchant: 'Zeta', totalPrice: 3.75, availability: 'in_stock', url: expect.any(String) },
          { merchant: 'Alpha', totalPrice: 9, availability: 'preorder', url: expect.any(String) },
        ],
      },
    });
  });

  test('omits unknown members, and never contains null', async () => {
    const { body, text } = await lookup('ean=0000073513537');
    expect(body.data.identifier).toEqual({ ean: '0000073513537' });
    expect(body.data.product).not.toHaveProperty('brand');
    expect(text).not.toContain('null');
  });

  test('without offers has a count of 0, no minimum or maximum, and the lowest price ever', async () => {
    const { body } = await lookup('ean=5901234123457');
    expect(body.data.priceStats).toEqual({ currency: 'EUR', lowestEver: 7, offerCount: 0 });
    expect(body.data.offers).toEqual([]);
  });

  test('still has the lowest price ever after prices have risen', async () => {
    const { body } = await lookup('ean=8710398527806');
    expect(body.data.priceStats).toEqual({ currency: 'EUR', min: 8, max: 8, lowestEver: 5, offerCount: 1 });
  });

  test('links to its details, its offers and its price history', async () => {
    const { headers } = await lookup(`ean=${EAN}`);
    const link = headers.get('link') ?? '';
    expect(link).toMatch(/<\/api\/v1\/products\/marker>; rel="item"/);
    expect(link).toMatch(/<\/api\/v1\/products\/[^/>]+\/offers>; rel="collection"/);
    expect(link).toMatch(/<\/api\/v1\/products\/[^/>]+\/price-history>; rel="history"/);
  });

  test('shows the requested identifier, and the primary one of the other kind', async () => {
    expect((await lookup(`ean=${SECOND_EAN}`)).body.data.identifier).toEqual({
      ean: SECOND_EAN,
      asin: ASIN,
      mpn: 'M-70',
    });
    expect((await lookup(`asin=${ASIN}`)).body.data.identifier).toEqual({ ean: EAN, asin: ASIN, mpn: 'M-70' });
  });
});

describe('a product with several identifiers of a kind', () => {
  test('shows the requested ASIN', async () => {
    const { body } = await lookup('asin=b0multi002');
    expect(body.data.identifier).toEqual({ ean: '9780306406157', asin: 'B0MULTI002' });
  });

  test('shows its primary ASIN when a GTIN was requested', async () => {
    const { body } = await lookup('ean=9780306406157');
    expect(body.data.identifier).toEqual({ ean: '9780306406157', asin: 'B0MULTI001' });
  });
});

describe('the parameter ean', () => {
  test('with a UPC-A padded with a 0 finds a product that a shop lists by the 12 digits', async () => {
    const { status, body } = await lookup('ean=0036000291452');
    expect(status).toBe(200);
    expect(body.data.identifier).toEqual({ ean: '0036000291452' });
    expect(body.data.offers[0].availability).toBe('backorder');
  });

  test('finds the same product by a GTIN-14 with a leading 0 as by its GTIN-13', async () => {
    expect((await lookup(`ean=0${EAN}`)).body).toEqual((await lookup(`ean=${EAN}`)).body);
  });

  test('finds a separate product by the GTIN-14 of a case', async () => {
    const { body } = await lookup('ean=14006381333938');
    expect(body.data.identifier.ean).toBe('14006381333938');
    expect(body.data.product.name).toBe('A case of twelve');
  });

  test.each([
    '73513537',
    '40063813339',
    'four',
    '4006381333931%20',
    '400 6381333931',
    '',
    '４００６３８１３３３９３１',
    '4006381333931000',
  ])('is refused as malformed when it is "%s"', async (ean) => {
    expectInvalid(await lookup(`ean=${ean}`), 'ean');
  });

  test('with 12 digits that are no UPC-A is refused with the EAN that lacks its last digit', async () => {
    const { status, body } = await lookup('ean=400638133393');
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    expect(body.detail).toMatch(/check digit of this UPC-A is wrong; .* it is 4006381333931$/);
  });

  test('with 12 digits is refused with the advice to pad a UPC-A with a 0', async () => {
    const { status, body } = await lookup('ean=036000291452');
    expect(status).toBe(400);
    expect(body.detail).toMatch(/UPC-A.*0036000291452/);
  });

  test('with a wrong check digit finds nothing, and the detail gives the right one', async () => {
    const { status, body } = await lookup('ean=4006381333930');
    expect(status).toBe(404);
    expect(body.code).toBe('not_found');
    expect(body.detail).toMatch(/check digit 0.*right one would be 1/);
  });

  test('is answered 404 if no product has it', async () => {
    const { status, body } = await lookup('ean=4012345678901');
    expect(status).toBe(404);
    expect(body.detail).toContain('4012345678901');
  });
});

describe('the parameter asin', () => {
  test('is accepted in upper or lower case, and returned in upper case', async () => {
    const { body } = await lookup(`asin=${ASIN.toLowerCase()}`);
    expect(body.data.identifier.asin).toBe(ASIN);
  });

  test.each([
    'B0DEMO',
    'B0DEMO00011',
    'B0DEMO-001',
    'B0DEMO000É',
    '',
  ])('is refused as malformed when it is "%s"', async (asin) => {
    expectInvalid(await lookup(`asin=${encodeURIComponent(asin)}`), 'asin');
  });

  test('is answered 404 if no product has it', async () => {
    expect((await lookup('asin=B000000000')).status).toBe(404);
  });
});

describe('a lookup', () => {
  test.each(['', `ean=${EAN}&asin=${ASIN}`])('by "%s" is refused: exactly one identifier is needed', async (query) => {
    const { status, body } = await lookup(query);
    expect(status).toBe(400);
    expect(body.code).toBe('exactly_one_identifier');
  });

  test.each([
    ['ean', `ean=${EAN}&ean=${EAN}`],
    ['asin', `asin=${ASIN}&asin=B0OTHER001`],
  ])('with %s repeated is refused', async (parameter, query) => {
    expectInvalid(await lookup(query), parameter);
  });

  test('ignores unknown parameters', async () => {
    expect((await lookup(`ean=${EAN}&utm_source=x`)).status).toBe(200);
  });
});

describe('money', () => {
  test.each([
    ['JPY', 'JP', '8980 JPY', 'JP:::600 JPY', 9580],
    ['KWD', 'KW', '1.005 KWD', 'KW:::0.100 KWD', 1.105],
    ['EUR', 'DE', '0.10 EUR', 'DE:::0.20 EUR', 0.3],
  ])('has the decimals of %s', async (currency, country, price, shipping, total) => {
    const market = await forTest(startTestGateway({ MARKET_CURRENCY: currency, MARKET_COUNTRY: country }));
    const { key: ownKey } = await market.makeKey('free');
    await market.importRows('Shop', [feedRow({ id: 'a', gtin: EAN, price, shipping })], { currency, country });
    const { body, text } = await market.get(`/api/v1/lookup?ean=${EAN}`, { key: ownKey });
    expect(text).toContain(`"totalPrice":${total},`);
    expect(body.data.priceStats).toEqual({ currency, min: total, max: total, lowestEver: total, offerCount: 1 });
  });
});

test('URLs in bodies start with PUBLIC_URL', async () => {
  const behind = await forTest(startTestGateway({ PUBLIC_URL: 'https://api.example.com/' }));
  const { key: ownKey } = await behind.makeKey('free');
  await behind.importRows('Shop', [feedRow({ id: 'a', title: 'Marker', gtin: EAN })]);
  const { body } = await behind.get(`/api/v1/lookup?ean=${EAN}`, { key: ownKey });
  expect(body.data.product.url).toBe('https://api.example.com/products/marker');
  const refused = await behind.get('/api/v1/lookup');
  expect(refused.body.type).toBe('https://api.example.com/docs/errors#missing_api_key');
});
