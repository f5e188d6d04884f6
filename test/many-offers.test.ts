/** A product with more offers than a GraphQL list returns. */
import { describe, expect, test } from 'vitest';
import { feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const EAN = '4006381333931';
const SHOPS = 6;
const OFFERS_OF_SHOP = 20;
const ALL = SHOPS * OFFERS_OF_SHOP;

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
for (let shop = 0; shop < SHOPS; shop += 1) {
  // Prices repeat within and between shops, so offers are also ordered by the name of the shop and by their id.
  const rows = Array.from({ length: OFFERS_OF_SHOP }, (_, n) =>
    feedRow({ id: `${shop}-${n}`, title: 'Marker', gtin: EAN, price: `${10 + (n % 7)}.00 EUR` }),
  );
  await gateway.importRows(`Shop ${shop}`, rows);
}

const ask = (selection: string) => gateway.graphql(`{ product(id: "marker") { ${selection} } }`, { key });
const ids = async (selection: string): Promise<string[]> =>
  (await ask(selection)).body.data.product.offers.map(({ id }: { id: string }) => id);
const everyId = async (): Promise<string[]> =>
  (await gateway.get('/api/v1/products/marker/offers', { key })).body.data.map(({ id }: { id: string }) => id);

describe('over REST', () => {
  test.each([
    ['lookup', `/api/v1/lookup?ean=${EAN}`],
    ['detail', '/api/v1/products/marker'],
  ])('the %s has all offers', async (_what, path) => {
    const { body } = await gateway.get(path, { key });
    expect(body.data.offers).toHaveLength(ALL);
    expect(body.data.priceStats.offerCount).toBe(ALL);
  });

  test('the list of offers has all offers', async () => {
    expect(new Set(await everyId()).size).toBe(ALL);
  });
});

describe('over GraphQL', () => {
  test('`offers` returns the first 100, or as many as requested', async () => {
    const all = await everyId();
    expect(await ids('offers { id }')).toEqual(all.slice(0, 100));
    expect(await ids('offers(first: 3) { id }')).toEqual(all.slice(0, 3));
    const { body } = await gateway.graphql(
      `{ lookup(ean: "${EAN}") { all: offers { id } two: offers(first: 2) { id } } }`,
      { key },
    );
    expect([body.data.lookup.all.length, body.data.lookup.two.length]).toEqual([100, 2]);
  });

  test.each([0, -1, 101])('`offers(first: %i)` is refused with the allowed range', async (first) => {
    const { body } = await ask(`offers(first: ${first}) { id }`);
    expect(body.errors[0]).toMatchObject({
      message: expect.stringContaining(`must be 1 to 100; got ${first}`),
      extensions: { code: 'invalid_parameter', parameter: 'first' },
    });
  });

  test('`offersConnection` pages through all offers, forwards and backwards, in the order of the list', async () => {
    const all = await everyId();
    const pages = async (size: string, from: 'after' | 'before', next: 'endCursor' | 'startCursor') => {
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const page = (
          await ask(
            `offersConnection(${size}: 50 ${cursor && `${from}: "${cursor}"`}) {
               totalCount nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`,
          )
        ).body.data.product.offersConnection;
        expect(page.totalCount).toBe(ALL);
        const shown = page.nodes.map(({ id }: { id: string }) => id);
        if (from === 'after') seen.push(...shown);
        else seen.unshift(...shown);
        if (!page.pageInfo[from === 'after' ? 'hasNextPage' : 'hasPreviousPage']) return seen;
        cursor = page.pageInfo[next];
      }
    };
    expect(await pages('first', 'after', 'endCursor')).toEqual(all);
    expect(await pages('last', 'before', 'startCursor')).toEqual(all);
  });

  test('a cursor of another product is refused', async () => {
    await gateway.importRows('Other', [feedRow({ id: 'x', title: 'Pencil' })]);
    const { body } = await gateway.graphql(
      '{ product(id: "pencil") { offersConnection(first: 1) { edges { cursor } } } }',
      { key },
    );
    const [{ cursor }] = body.data.product.offersConnection.edges;
    const refused = await ask(`offersConnection(first: 1, after: "${cursor}") { nodes { id } }`);
    expect(refused.body.errors[0].extensions).toMatchObject({ code: 'invalid_parameter', parameter: 'after' });
  });

  test('nested lists of offers are estimated at 100 offers each', async () => {
    const { status, body } = await ask('offers { product { offers { product { offers { id } } } } }');
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'operation_too_complex']);
    expect((await ask('offers { product { offers { id } } }')).status).toBe(200);
  });
});

test('the product page shows the first 100 offers, and says how many there are', async () => {
  const { text } = await gateway.get('/products/marker', { headers: { accept: 'text/html' } });
  expect(text.match(/href="\/go\//g)).toHaveLength(100);
  expect(text).toContain('the 100 cheapest of 120 offers');
});
