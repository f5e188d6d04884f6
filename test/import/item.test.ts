// Normalising a row of a feed: into an offer with checked values, or the reason for its rejection.

import { describe, expect, test } from 'vitest';

import { type FeedItem, isRejection, LONGEST, normaliseItem } from '../../src/import/item.ts';
import { priceAt } from '../../src/import/item-price.ts';
import { parseAvailability, parseCondition } from '../../src/import/offer-words.ts';
import { LONGEST_VALUE } from '../../src/import/product-fields.ts';
import type { FeedFields, ShippingOption } from '../../src/import/readers/feed-row.ts';
import { REJECT_REASON, REJECT_REASONS } from '../../src/import/reject.ts';

const MARKET = { currency: 'EUR', country: 'PT', observedAt: new Date('2025-11-28T12:00:00Z') };
const FIELDS: FeedFields = {
  id: 'lamp-1',
  title: 'Lamp',
  link: 'https://shop.example/lamp',
  price: '20.00 EUR',
  availability: 'in stock',
};

function outcome(fields: FeedFields = {}, shipping: ShippingOption[] = []) {
  return normaliseItem({ line: 7, fields: { ...FIELDS, ...fields }, shipping }, MARKET);
}

function offer(fields: FeedFields = {}, shipping: ShippingOption[] = []): FeedItem {
  const item = outcome(fields, shipping);
  if (isRejection(item)) throw new Error(`${item.reason}: ${item.detail}`);
  return item;
}

function reasonFor(fields: FeedFields, shipping: ShippingOption[] = []): string {
  const item = outcome(fields, shipping);
  return isRejection(item) ? item.reason : 'accepted';
}

/** The outcome without one of the fields. */
function without(field: keyof FeedFields) {
  const { [field]: _, ...fields } = FIELDS;
  const item = normaliseItem({ line: 7, fields, shipping: [] }, MARKET);
  return isRejection(item) ? item.reason : 'accepted';
}

test('a row with the required fields is an offer without further fields', () => {
  expect(offer()).toEqual({
    line: 7,
    sku: 'lamp-1',
    title: 'Lamp',
    link: 'https://shop.example/lamp',
    price: 2000,
    total: 2000,
    availability: 'in_stock',
    condition: 'new',
    product: {},
  });
});

test('a row with all fields keeps them all', () => {
  const fields: FeedFields = {
    description: 'A lamp',
    image_link: 'https://shop.example/lamp.jpg',
    condition: 'used',
    brand: 'Lumen',
    gtin: '4006381333931',
    asin: 'b00005n5pf',
    mpn: 'L-1',
    google_product_category: '594 > Home & Garden >Lighting',
    product_type: 'Lamps > Small',
    color: ' Warm  white ',
    size: 'n/a',
    material: '',
    pattern: 'x'.repeat(300),
  };
  expect(offer(fields, [{ country: 'PT', price: '4.90 EUR' }])).toMatchObject({
    shipping: 490,
    total: 2490,
    condition: 'used',
    gtin: '04006381333931',
    asin: 'B00005N5PF',
    product: {
      description: 'A lamp',
      image: 'https://shop.example/lamp.jpg',
      brand: 'Lumen',
      mpn: 'L-1',
      category: { id: 594, path: 'Home & Garden > Lighting', productType: 'Lamps > Small' },
      attributes: { color: 'Warm white', pattern: expect.stringMatching(/^x{200}$/) },
    },
  });
});

describe('a row is rejected', () => {
  test.each([
    ['id', 'missing_id'],
    ['title', 'missing_title'],
    ['link', 'missing_link'],
    ['price', 'missing_price'],
    ['availability', 'missing_availability'],
  ] as const)('without %s', (field, reason) => {
    expect(without(field)).toBe(reason);
  });

  test.each<[string, FeedFields]>([
    ['missing_title', { title: '<br/>' }],
    ['invalid_link', { link: 'javascript:alert(1)' }],
    ['invalid_link', { link: '//shop.example/lamp' }],
    ['invalid_link', { link: 'https://shop .example/lamp' }],
    ['invalid_link', { link: 'https://' }],
    ['invalid_price', { price: 'free' }],
    ['other_currency', { price: '20.00 USD' }],
    ['invalid_price', { sale_price: 'soon' }],
    ['invalid_sale_period', { sale_price: '10 EUR', sale_price_effective_date: 'this week' }],
    ['invalid_sale_period', { sale_price: '10 EUR', sale_price_effective_date: '2025-11-01/2025-11-31' }],
    ['invalid_sale_period', { sale_price: '10 EUR', sale_price_effective_date: '0000-01-01/9999-12-31' }],
    ['invalid_sale_period', { sale_price: '10 EUR', sale_price_effective_date: '0001-01-01T00:00+14:00/9999-12-31' }],
    ['invalid_sale_period', { sale_price: '10 EUR', sale_price_effective_date: '2025-11-01/9999-12-31T23:59-14:00' }],
    ['unknown_availability', { availability: 'maybe' }],
    ['unknown_condition', { condition: 'fine' }],
    ['invalid_gtin', { gtin: '4006381333932' }],
    ['invalid_gtin', { gtin: '0000000000000' }],
    ['invalid_asin', { asin: 'B0000' }],
    ['field_too_long', { id: 'a'.repeat(LONGEST.id + 1) }],
    ['field_too_long', { title: 'a'.repeat(LONGEST.title + 1) }],
    ['field_too_long', { link: `https://shop.example/${'a'.repeat(LONGEST.link)}` }],
    ['field_too_long', { link: `https://shop.example/${'a '.repeat(LONGEST.link / 3)}b` }],
    ['field_too_long', { brand: 'a'.repeat(LONGEST_VALUE.brand + 1) }],
    ['field_too_long', { mpn: 'a'.repeat(LONGEST_VALUE.mpn + 1) }],
  ])('for %s: %o', (reason, fields) => {
    expect(reasonFor(fields)).toBe(reason);
  });

  test('for an error that the reader found, with its line and id', () => {
    const fault = { reason: 'ragged_row', detail: 'too many fields' } as const;
    expect(normaliseItem({ line: 9, fields: { id: 'x' }, shipping: [], fault }, MARKET)).toEqual({
      line: 9,
      id: 'x',
      ...fault,
    });
  });

  test('always for a reason that is explained and can be fixed', () => {
    for (const reason of REJECT_REASONS) expect(REJECT_REASON[reason].meaning).toMatch(/^[A-Z].*\.$/);
    for (const reason of REJECT_REASONS) expect(REJECT_REASON[reason].fix).toMatch(/^[A-Z].{20,}\.$/);
    expect(new Set(REJECT_REASONS.map((reason) => REJECT_REASON[reason].fix)).size).toBe(REJECT_REASONS.length);
  });
});

describe('marks that nobody sees', () => {
  test.each([
    ['of direction', 'Lamp \u202egpj.exe\u202c \u2066x\u2069\u200e\u200f\u061c', 'Lamp gpj.exe x'],
    ['of no width', '\ufeffLa\u200bmp\u2060 Nacht\u00adlicht\u200d', 'Lamp Nachtlicht'],
    ['joiners in Latin', 'Lam\u200cp', 'Lamp'],
    ['joiners in Persian', 'کتاب\u200cها', 'کتاب\u200cها'],
    ['joiners in Hindi', 'क्\u200dष', 'क्\u200dष'],
    ['joiners in emoji', '👩🏽\u200d💻 Sticker', '👩🏽\u200d💻 Sticker'],
  ])('%s', (_what, title, shown) => {
    expect(offer({ title, brand: title })).toMatchObject({ title: shown, product: { brand: shown } });
  });
});

describe('the sale price', () => {
  const sale = (effective?: string, price = '15.00 EUR') =>
    offer({ sale_price: price, ...(effective === undefined ? {} : { sale_price_effective_date: effective }) }).price;

  test('applies without a period', () => {
    expect(sale()).toBe(1500);
  });

  test('applies only within its period, with its time zone', () => {
    expect(sale('2025-11-28T13:00+0100/2025-11-30T23:59+0100')).toBe(1500);
    expect(sale('2025-11-28T13:01+0100/2025-11-30T23:59+0100')).toBe(2000);
    expect(sale('2025-11-01T00:00:00Z/2025-11-28T11:59:59Z')).toBe(2000);
    expect(sale('2025-11-01/2025-11-28')).toBe(1500);
    expect(sale('0001-01-01/9999-12-31')).toBe(1500);
    expect(sale('2025-11-27T18:00-0800 / 2025-11-28T04:00-08:00')).toBe(1500);
  });

  test.each([
    // The feed is read at 12:00 UTC, which is 13:00 in Berlin and 07:00 in New York.
    ['DE', undefined, '2025-11-28T13:00/2025-11-30T23:59', 1500],
    ['DE', undefined, '2025-11-28T13:01/2025-11-30T23:59', 2000],
    ['US', undefined, '2025-11-28T07:00/2025-11-30T23:59', 1500],
    ['US', undefined, '2025-11-28T07:01/2025-11-30T23:59', 2000],
    ['DE', 'Asia/Tokyo', '2025-11-28T21:01/2025-11-30T23:59', 2000],
    ['DE', 'Pacific/Kiritimati', '2025-11-29/2025-11-29', 1500],
    ['DE', 'Pacific/Kiritimati', '2025-11-28/2025-11-28', 2000],
  ])('in %s, zone %s, without a zone of its own: %s', (country, timeZone, effective, price) => {
    const fields = { ...FIELDS, price: '20 EUR', sale_price: '15 EUR', sale_price_effective_date: effective };
    expect(priceAt(fields, { ...MARKET, country, timeZone })).toMatchObject({ amount: price });
  });

  test.each([
    ['2025-11-01T00:00Z/2025-11-28T23:59Z', '2025-11-28T23:59:59.999Z', true],
    ['2025-11-01T00:00Z/2025-11-28T23:59Z', '2025-11-29T00:00:00.000Z', false],
    ['2025-11-01T00:00Z/2025-11-28T22:00Z', '2025-11-28T22:00:00.001Z', false],
    ['2025-11-01/2025-11-28', '2025-11-28T23:59:59.999Z', true],
  ])('of %s at %s', (effective, moment, applies) => {
    const fields = { ...FIELDS, price: '20 EUR', sale_price: '15 EUR', sale_price_effective_date: effective };
    const at = { ...MARKET, observedAt: new Date(moment) };
    expect(priceAt(fields, at)).toMatchObject({ amount: applies ? 1500 : 2000 });
  });

  test('is ignored if it is not below the price', () => {
    expect(sale(undefined, '25.00 EUR')).toBe(2000);
  });
});

describe('shipping', () => {
  test('is the lowest option for the country of the market or for any country', () => {
    const options = [
      { country: 'PT', price: '4.90 EUR' },
      { price: '3.90 EUR' },
      { country: 'ES', price: '1.00 EUR' },
      { country: 'pt', price: '5.90 EUR' },
    ];
    expect(offer({}, options)).toMatchObject({ shipping: 390, total: 2390 });
  });

  test('that is free only above the price does not apply', () => {
    const options = (minOrderValue: string) => [
      { country: 'PT', price: '4.90 EUR' },
      { country: 'PT', price: '0.00 EUR', minOrderValue },
    ];
    expect(offer({}, options('50.00 EUR')).shipping).toBe(490);
    expect(offer({}, options('20.00 EUR'))).toMatchObject({ shipping: 0, total: 2000 });
  });

  test('is absent when no option applies', () => {
    expect(offer({}, [{ country: 'ES', price: 'whatever' }, {}])).not.toHaveProperty('shipping');
  });

  test('that cannot be read rejects the row, because the total would be wrong', () => {
    expect(reasonFor({}, [{ price: '4.909 EUR' }])).toBe('ambiguous_price');
  });
});

describe('texts', () => {
  test('lose markup, control characters and extra whitespace', () => {
    const item = offer({
      title: ' A <b>lamp</b>\u000b\n of\u00a0 steel ',
      description: '<p>One</p><p>5 < 6 & 7</p>\r\nTwo',
    });
    expect(item.title).toBe('A lamp of steel');
    expect(item.product.description).toBe('One  5 < 6 & 7 \nTwo');
  });

  test('are cut at a word if they are too long for a description', () => {
    const description = String(offer({ description: `${'word '.repeat(4000)}more` }).product.description);
    expect(description.length).toBeLessThanOrEqual(LONGEST_VALUE.description);
    expect(description.endsWith('word')).toBe(true);
    expect(offer({ description: '😀'.repeat(10_001) }).product.description).toBe('😀'.repeat(10_000));
  });

  test.each([
    'n/a',
    'N/A',
    'none',
    '-',
    'No Brand',
    'generic',
    ' ',
  ])('that stand for a missing value are absent: %s', (text) => {
    const item = offer({ brand: text, mpn: text, gtin: text });
    expect(item).not.toHaveProperty('gtin');
    expect(item.product).toEqual({});
  });

  test('that are not a web address are no image', () => {
    expect(offer({ image_link: 'lamp.jpg' }).product).toEqual({});
  });
});

test('a number for internal use of a shop is neither a GTIN nor an error', () => {
  expect(offer({ gtin: '2345678901289' })).not.toHaveProperty('gtin');
});

test.each([
  ['469', { id: 469 }],
  ['Health & Beauty > Personal Care', { path: 'Health & Beauty > Personal Care' }],
  ['469 > Health & Beauty', { id: 469, path: 'Health & Beauty' }],
  ['469 - Health & Beauty > Personal Care', { id: 469, path: 'Health & Beauty > Personal Care' }],
])('the category %s is recognized', (written, category) => {
  expect(offer({ google_product_category: written }).product).toEqual({ category });
});

test.each([
  ['in stock', 'in_stock'],
  ['In_Stock', 'in_stock'],
  ['IN-STOCK', 'in_stock'],
  ['InStock', 'in_stock'],
  ['http://schema.org/InStock', 'in_stock'],
  ['https://schema.org/LimitedAvailability', 'in_stock'],
  ['limited availability', 'in_stock'],
  ['OnlineOnly', 'in_stock'],
  ['out of stock', 'out_of_stock'],
  ['SoldOut', 'out_of_stock'],
  ['https://schema.org/Discontinued', 'out_of_stock'],
  ['preorder', 'preorder'],
  ['pre-order', 'preorder'],
  ['PreSale', 'preorder'],
  ['backorder', 'backorder'],
  ['MadeToOrder', 'backorder'],
  ['available for order', 'backorder'],
])('the availability %s is %s', (written, word) => {
  expect(parseAvailability(written)).toBe(word);
});

test.each([
  ['New', 'new'],
  ['https://schema.org/NewCondition', 'new'],
  ['http://schema.org/RefurbishedCondition', 'refurbished'],
  ['used', 'used'],
  ['like new', 'used'],
])('the condition %s is %s', (written, word) => {
  expect(parseCondition(written)).toBe(word);
});
