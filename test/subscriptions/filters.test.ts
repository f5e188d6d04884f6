/** What a subscription to prices reports: by type, category, brand, merchant and size of the change, and its limits. */
import { describe, expect, test } from 'vitest';
import { importTaxonomyText, TAXONOMY } from '../harness/catalogue.ts';
import { eventually } from '../harness/eventually.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { inShort, problemOf, subscribe, take, thing } from './instances.ts';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('pro');
await importTaxonomyText(gateway.database, TAXONOMY);

const headphones = { brand: 'Aurelio', google_product_category: '505771' };
const speakers = { brand: 'Aurelio', google_product_category: '249' };
const software = { brand: 'Bitwise', google_product_category: '2092' };
const game = { brand: 'Aurelio', google_product_category: '2092' };
const PRODUCTS = [headphones, speakers, software, game];
/** A row for each product, at the price of its place. */
const catalogue = (prices: readonly number[]) =>
  PRODUCTS.flatMap((kind, index) => {
    const price = prices[index];
    return price === undefined ? [] : [thing(index + 1, `${price} EUR`, kind)];
  });
const change = (shop: string, prices: readonly number[]) =>
  gateway.importRows(shop, catalogue(prices), { mode: 'delta' });
const reset = async () => {
  await change('Alpha', [100, 100, 100, 100]);
  await change('Beta', [200, 200, 200, 200]);
};
const open = (given: string) => subscribe(gateway, given, key);
describe('a filter', () => {
  test.each([
    ['of a category includes those below it', 'category: "audio"', ['thing-1: 100 to 90', 'thing-2: 100 to 80']],
    ['of a brand reports its products', 'brand: "bitwise"', ['thing-3: 100 to 70']],
    ['of a category and a brand needs both', 'category: "software", brand: "aurelio"', []],
    [
      'of products and a category needs both',
      'productIds: ["thing-1", "thing-3"], category: "software"',
      ['thing-3: 100 to 70'],
    ],
    ['of a merchant reports changes by its feeds', 'merchant: "beta"', []],
    [
      'of the least change reports larger ones, in both directions',
      'merchant: "alpha", minPercent: 20',
      ['thing-2: 100 to 80', 'thing-3: 100 to 70'],
    ],
  ])('%s', async (_what, given, expected) => {
    await reset();
    const stream = await open(given);
    await change('Alpha', [90, 80, 70]);
    // Every filter accepts one of these, after everything else.
    await change('Beta', [1, 1, 1, 1]);
    await change('Alpha', [0.5, 0.5, 0.5, 0.5]);
    const seen: string[] = [];
    for (;;) {
      const event = inShort(await stream.next());
      if (/ to (1|0\.5)$/.test(event)) break;
      seen.push(event);
    }
    expect(seen).toEqual(expected);
  });

  test('of types reports changes of these types, and says which types apply', async () => {
    await reset();
    const stream = await open('productIds: ["thing-1"], types: [availability, offer_withdrawn]');
    await change('Alpha', [90]);
    const soldOut = [thing(1, '80 EUR', { ...headphones, availability: 'out_of_stock' })];
    await gateway.importRows('Alpha', soldOut, { mode: 'delta' });
    await gateway.importRows('Alpha', [], { isForced: true });
    const [first, second] = [await stream.next(), await stream.next()];
    expect(first.data.data.priceChanged).toMatchObject({ types: ['price', 'availability'], previousMin: 90, min: 80 });
    expect(second.data.data.priceChanged).toMatchObject({ types: ['offer_withdrawn'], previousMin: 80, min: 200 });
  });

  test('of the least change counts the first and the last offer as a change of any size', async () => {
    await gateway.importRows('Gamma', [thing(9, '100 EUR')]);
    const stream = await open('productIds: ["thing-9"], minPercent: 1000');
    await gateway.importRows('Gamma', [thing(9, '50 EUR')]);
    await gateway.importRows('Gamma', [], { isForced: true });
    await gateway.importRows('Gamma', [thing(9, '60 EUR')]);
    await gateway.importRows('Gamma', [thing(9, '661 EUR')]);
    expect(await take(stream, 3)).toEqual(['thing-9: 50 to -', 'thing-9: - to 60', 'thing-9: 60 to 661']);
  });

  test('by default leaves out a price whose parts change while its total stays', async () => {
    await gateway.importRows('Gamma', [thing(9, '100 EUR')]);
    const stream = await open('productIds: ["thing-9"]');
    await gateway.importRows('Gamma', [thing(9, '97 EUR', { shipping: 'DE:::3 EUR' })]);
    await gateway.importRows('Gamma', [thing(9, '99 EUR')]);
    expect(await take(stream, 1)).toEqual(['thing-9: 100 to 99']);
  });

  test.each([
    ['nothing', 'types: [price]', 'invalid_parameter', 'productIds'],
    ['no type', 'merchant: "alpha", types: []', 'invalid_parameter', 'types'],
    ['changes of products themselves', 'merchant: "alpha", types: [product]', 'invalid_parameter', 'types'],
    ['no change at all', 'merchant: "alpha", minPercent: 0', 'invalid_parameter', 'minPercent'],
    ['an impossible change', 'merchant: "alpha", minPercent: 1001', 'invalid_parameter', 'minPercent'],
    ['an unknown category', 'category: "nothing"', 'not_found', 'category'],
    ['an unknown brand', 'brand: "nothing"', 'not_found', 'brand'],
    ['an unknown merchant', 'merchant: "nothing"', 'not_found', 'merchant'],
  ])('for %s ends the stream with an error that names the argument', async (_what, given, code, parameter) => {
    await reset();
    expect(await problemOf(await open(given))).toMatchObject({ code, parameter });
  });
});

test('a key may have five subscriptions without products, and more with them', async () => {
  await reset();
  const { key: own } = await gateway.makeKey('pro');
  const streams = await Promise.all(Array.from({ length: 5 }, () => subscribe(gateway, 'merchant: "alpha"', own)));
  const refused = await subscribe(gateway, 'brand: "bitwise"', own);
  expect(refused.response.status).toBe(429);
  expect((await problemOf(refused)).code).toBe('too_many_subscriptions');
  expect((await subscribe(gateway, 'productIds: ["thing-1"]', own)).response.status).toBe(200);
  streams[0]?.leave();
  const reopened = await eventually(
    () => subscribe(gateway, 'merchant: "alpha"', own),
    ({ response }) => response.status === 200,
  );
  expect(reopened.response.status).toBe(200);
});
