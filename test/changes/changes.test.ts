/** `GET /api/v1/changes` and `changes` over GraphQL: the stream as clients read it. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { usageOf } from '../../src/access/key-admin.ts';
import { monthOf } from '../../src/access/meter.ts';
import { detachIdentifier } from '../../src/import/detach-identifier.ts';
import { decodeChangesCursor, encodeChangesCursor } from '../../src/ledger/changes/changes-cursor.ts';
import { forgetChanges } from '../../src/ledger/changes/forget-changes.ts';
import { importTaxonomyText, TAXONOMY } from '../harness/catalogue.ts';
import { type Answer, expectInvalid, feedRow, posting, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const PATH = '/api/v1/changes';
const EAN = '4006381333931';
const ASIN = 'B0CHANGE01';

// biome-ignore lint/suspicious/noExplicitAny: a change has an offer or a product before and after.
type Change = any;

const get = (query = '', asked = key) => gateway.get(`${PATH}?${query}`, { key: asked });
const page = async (query = '') => {
  const { status, body } = await get(query);
  expect([status, body.code]).toEqual([200, undefined]);
  return body;
};
const now = async (): Promise<string> => (await page('cursor=now')).page.nextCursor;
const following = async (cursor: string, query = ''): Promise<Change[]> =>
  (await page(`cursor=${cursor}&limit=1000&${query}`)).data;
const echo = (fields: Record<string, unknown> = {}) =>
  feedRow({
    id: 'echo',
    title: 'Echo Mini',
    gtin: EAN,
    brand: 'Aurelio',
    google_product_category: '505771',
    shipping: [{ country: 'DE', price: '4.90 EUR' }],
    ...fields,
  });
const other = feedRow({ id: 'other', title: 'Thunder', asin: ASIN });
const delta = (fields: Record<string, unknown>, shop = 'Alpha') =>
  gateway.importRows(shop, [echo(fields)], { mode: 'delta', observedAt: new Date() });

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await importTaxonomyText(gateway.database, TAXONOMY);
await gateway.importRows('Alpha', [echo(), other, feedRow({ id: 'third' })]);
await gateway.importRows('Beta', [echo({ id: 'b', price: '12 EUR' })]);

describe('a change', () => {
  test('of a price has the offer before and after, as lists of offers show it', async () => {
    const cursor = await now();
    const [offer] = (await gateway.get('/api/v1/products/echo-mini/offers', { key })).body.data;
    await delta({ price: '9 EUR' });
    const [change, ...more] = await following(cursor);
    expect(more).toEqual([]);
    const { seenAt: _, ...shown } = offer;
    const productId = change.productId;
    expect(change).toEqual({
      seq: expect.any(Number),
      at: expect.stringMatching(/Z$/),
      observedAt: expect.stringMatching(/Z$/),
      types: ['price'],
      productId,
      offerId: offer.id,
      before: { ...shown, productId },
      after: { ...shown, productId, price: 9, totalPrice: 13.9, updatedAt: change.after.updatedAt },
    });
    expect(change.after.updatedAt).toBe(change.observedAt);
  });

  test('of a product has its fields before and after, as its page shows them, however often they change', async () => {
    const cursor = await now();
    await delta({ price: '9 EUR', asin: 'B0CHANGE02' });
    await delta({ price: '9 EUR', asin: 'B0CHANGE02', color: 'blue' });
    const changes = (await following(cursor)).filter(({ types }) => types.includes('product'));
    const { body } = await gateway.get('/api/v1/products/echo-mini', { key });
    const {
      priceStats: _,
      categoryPath: _path,
      offers: _offers,
      variants: _variants,
      updatedAt: _at,
      ...detail
    } = body.data;
    expect(changes).toHaveLength(2);
    const [first, second] = changes;
    expect(first.before.identifiers).toEqual({ ean: [EAN], asin: [] });
    expect(first.after.identifiers).toEqual({ ean: [EAN], asin: ['B0CHANGE02'] });
    expect(first.after).not.toHaveProperty('attributes');
    expect(second.before).toEqual(first.after);
    expect(second.after).toEqual(detail);
    expect(second).not.toHaveProperty('offerId');
  });

  test('that adds or withdraws something has null on the other side', async () => {
    const cursor = await now();
    const rows = [feedRow({ id: 'new', title: 'Brand new' })];
    await gateway.importRows('Gamma', rows);
    await gateway.importRows('Gamma', [], { isForced: true });
    const changes = await following(cursor);
    expect(changes.map(({ types, before, after }) => [types, before === null, after === null])).toEqual([
      [['product'], true, false],
      [['offer_created'], true, false],
      [['offer_withdrawn'], false, true],
    ]);
    expect(changes[2].before).toEqual(changes[1].after);
  });

  test('of an offer that moves is found by both products', async () => {
    await gateway.importRows('Delta', [feedRow({ id: 'd', title: 'Thunder', asin: ASIN })]);
    const cursor = await now();
    await detachIdentifier(gateway.database, { identifier: { kind: 'asin', value: ASIN } });
    const moved = (await following(cursor)).filter(({ before, after }) => before?.productId !== after?.productId);
    const offers = moved.filter(({ offerId }) => offerId !== undefined);
    expect(offers.length).toBeGreaterThan(0);
    const [{ seq, before, after }] = offers;
    for (const id of [before.productId, after.productId]) {
      expect((await following(cursor, `product=${id}`)).map((change) => change.seq)).toContain(seq);
    }
  });
});

describe('the filters', () => {
  const seqs = async (query: string) => (await following(encodeChangesCursor(0n), query)).map(({ seq }) => seq);

  test.each<[query: string, selects: (change: Change) => boolean]>([
    ['types=price', ({ types }) => types.includes('price')],
    ['types=offer_created,product', ({ types }) => types.includes('offer_created') || types.includes('product')],
    ['merchant=beta', ({ before, after }) => (after ?? before).merchant?.slug === 'beta'],
    ['product=echo-mini', ({ after, before }) => JSON.stringify([before, after]).includes('echo-mini')],
  ])('%s selects the changes that match', async (query, selects) => {
    const all = await following(encodeChangesCursor(0n));
    const echoId = (await gateway.get('/api/v1/products/echo-mini', { key })).body.data.id;
    const expected = all.filter((change) => selects(change) || (query.includes('echo') && change.productId === echoId));
    expect(expected.length).toBeGreaterThan(0);
    expect(await seqs(query)).toEqual(expected.map(({ seq }) => seq));
  });

  test('category includes what is below it, brand and category are those of the product, and all filters must match', async () => {
    const ofEcho = await seqs('product=echo-mini');
    expect(await seqs('category=electronics')).toEqual(ofEcho);
    expect(await seqs('brand=aurelio&category=audio')).toEqual(ofEcho);
    expect(await seqs('brand=aurelio&product=thunder')).toEqual([]);
    const several = (await following(encodeChangesCursor(0n), 'product=echo-mini,thunder')).map(({ seq }) => seq);
    expect(several).toEqual([...several].sort((one, next) => one - next));
    expect(several.length).toBeGreaterThan(ofEcho.length);
  });

  test.each([
    'merchant',
    'category',
    'brand',
    'product',
  ])('an unknown %s is empty, and comes to the end', async (name) => {
    const { data, page: position } = await page(`${name}=nobody`);
    expect(data).toEqual([]);
    expect(position).toEqual({ limit: 100, nextCursor: await now(), hasMore: false });
  });

  test.each([
    ['types=price,cheaper', 'types'],
    ['types=', 'types'],
    [`product=${Array.from({ length: 101 }, (_, n) => `p${n}`).join(',')}`, 'product'],
    ['limit=1001', 'limit'],
    ['wait=31', 'wait'],
    ['cursor=bm9uc2Vuc2U', 'cursor'],
  ])('%s is refused', async (query, parameter) => {
    expectInvalid(await get(query), parameter);
  });
});

describe('the cursor', () => {
  test('of a page leads to the next one, on the last and on an empty page too', async () => {
    const { body, headers } = await get('limit=1');
    expect(body.data).toHaveLength(1);
    expect(body.page).toEqual({ limit: 1, nextCursor: expect.any(String), hasMore: true });
    expect(headers.get('link')).toContain(`<${PATH}?limit=1&cursor=${body.page.nextCursor}>; rel="next"`);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    const end = await now();
    const empty = await get(`cursor=${end}`);
    expect(empty.body).toEqual({ data: [], page: { limit: 100, nextCursor: end, hasMore: false } });
    expect(empty.headers.get('link')).toContain('rel="next"');
  });

  test('is the same for all filters, and passes what does not match', async () => {
    const cursor = await now();
    await delta({ price: '8 EUR', asin: 'B0CHANGE02' });
    const none = await page(`cursor=${cursor}&merchant=beta`);
    expect(none).toEqual({ data: [], page: { limit: 100, nextCursor: await now(), hasMore: false } });
    expect(await following(cursor, 'merchant=alpha')).toHaveLength(1);
  });

  test('beyond the last change, as after a restored backup, is expired', async () => {
    const beyond = encodeChangesCursor((decodeChangesCursor(await now()) ?? 0n) + 1n);
    for (const query of ['', '&brand=nobody']) {
      const { status, body } = await get(`cursor=${beyond}${query}`);
      expect([status, body.code, body.parameter]).toEqual([410, 'cursor_expired', 'cursor']);
    }
  });

  test('whose changes were deleted is expired, and the answer says what to do', async () => {
    const first = (await page('limit=1')).page.nextCursor;
    const second = (await page(`limit=1&cursor=${first}`)).page.nextCursor;
    await gateway.database.query("UPDATE change SET at = at - INTERVAL '2 days' WHERE seq <= $1", [
      decodeChangesCursor(second),
    ]);
    await forgetChanges(gateway.database, 1);
    const { status, body } = await get(`cursor=${first}`);
    expect([status, body.code]).toEqual([410, 'cursor_expired']);
    expect(body.detail).toMatch(/export the catalogue again/);
    expect((await get(`cursor=${second}`)).status).toBe(200);
    expect((await page('limit=1')).data[0].seq).toBeGreaterThan(Number(decodeChangesCursor(second)));
  });
});

test('paging with any limits and filters returns each change once, in order', async () => {
  const start = encodeChangesCursor((decodeChangesCursor((await page('limit=1')).page.nextCursor) ?? 1n) - 1n);
  const queries = ['', 'types=price', 'merchant=alpha', 'category=audio', 'product=echo-mini'];
  const whole = new Map<string, number[]>();
  for (const query of queries)
    whole.set(
      query,
      (await following(start, query)).map(({ seq }) => seq),
    );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...queries),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      async (query, limits) => {
        const seen: number[] = [];
        let cursor = start;
        for (let n = 0, hasMore = true; hasMore; n += 1) {
          const body = await page(`${query}&cursor=${cursor}&limit=${limits[n % limits.length]}`);
          seen.push(...body.data.map(({ seq }: Change) => seq));
          ({ nextCursor: cursor, hasMore } = body.page);
        }
        expect(seen).toEqual(whole.get(query));
      },
    ),
    { numRuns: 15 },
  );
});

describe('over GraphQL', () => {
  test('changes are the same as over REST', async () => {
    const { body } = await gateway.graphql(
      `query ($types: [ChangeType!], $products: [ID!]) {
        changes(types: $types, products: $products, first: 1000) {
          nodes {
            seq at observedAt types productId offerId
            before { ...State } after { ...State }
          }
          nextCursor
          hasMore
        }
      }
      fragment State on ChangeState {
        ... on OfferState {
          id productId merchant { id slug name } price shipping shippingKnown totalPrice currency availability condition url updatedAt
        }
        ... on ProductState {
          id slug name brand category { id slug name } identifier { ean asin mpn } identifiers { ean asin }
          description attributes { name value } image url createdAt
        }
      }`,
      { key, variables: { types: ['price', 'product'], products: ['echo-mini'] } },
    );
    const rest = await page('types=price,product&product=echo-mini&limit=1000');
    expect(rest.data.length).toBeGreaterThan(2);
    const { nodes, nextCursor, hasMore } = body.data.changes;
    expect(nodes).toMatchObject(rest.data);
    expect({ limit: 1000, nextCursor, hasMore }).toEqual(rest.page);
  });

  test('an expired cursor is an error of the field', async () => {
    const { status, body } = await gateway.graphql('query ($after: String) { changes(after: $after) { hasMore } }', {
      key,
      variables: { after: encodeChangesCursor(10n ** 15n) },
    });
    expect([status, body.errors[0].extensions]).toMatchObject([200, { code: 'cursor_expired', parameter: 'after' }]);
  });
});

describe('the price', () => {
  const many = Array.from({ length: 150 }, (_, n) => feedRow({ id: `many-${n}` }));
  let cursor: string;
  let free: { id: string; key: string };
  beforeAll(async () => {
    cursor = await now();
    await gateway.importRows('Many', many); // 300 changes: each product and its offer.
  });
  const makeKey = async (left: number) => {
    free = await gateway.makeKey('free');
    await gateway.database.query(
      `INSERT INTO usage_counter (key_id, month, quota, used, granted)
       SELECT max(id), $1::text, 100, $2::int, 0 FROM api_key`,
      [monthOf(new Date()), 100 - left],
    );
  };
  const used = async () => Number((await usageOf(gateway.database, { keyId: free.id }))[0]?.used ?? 0);
  const remaining = ({ headers }: Answer) => Number(headers.get('x-quota-remaining'));

  test.each([
    ['an empty page', 'cursor=now', 1],
    ['a full page', 'limit=100', 1],
    ['a change more', 'limit=101', 2],
    ['three hundred changes', 'limit=300', 3],
  ])('of %s (%s) is one request for each 100 changes begun', async (_what, query, price) => {
    await makeKey(50);
    const answer = await get(query.includes('cursor') ? query : `cursor=${cursor}&${query}`, free.key);
    expect(answer.status).toBe(200);
    expect(remaining(answer)).toBe(50 - price);
    expect(await used()).toBe(50 + price);
  });

  test('shortens a page to what remains of the quota, and the next page continues there', async () => {
    await makeKey(2);
    const answer = await get(`cursor=${cursor}&limit=1000`, free.key);
    expect(answer.body.data).toHaveLength(200);
    expect(answer.body.page.hasMore).toBe(true);
    expect(remaining(answer)).toBe(0);
    expect(await used()).toBe(100);
    expect((await get(`cursor=${answer.body.page.nextCursor}`, free.key)).status).toBe(402);
    const seqs = (changes: Change[]) => changes.map(({ seq }) => seq);
    const rest = await following(answer.body.page.nextCursor);
    expect(seqs([...answer.body.data, ...rest])).toEqual(seqs(await following(cursor)));
  });

  test('is the same over GraphQL, for each alias, and several clients never use more than the quota', async () => {
    await makeKey(7);
    const query =
      'query ($after: String) { a: changes(after: $after, first: 300) { nodes { seq } } b: changes(after: $after, first: 50) { nodes { seq } } }';
    const { body, headers } = await gateway.graphql(query, { key: free.key, variables: { after: cursor } });
    expect([body.data.a.nodes.length, body.data.b.nodes.length]).toEqual([300, 50]);
    expect(headers.get('x-quota-remaining')).toBe('3');
    const answers = await Promise.all(Array.from({ length: 5 }, () => get(`cursor=${cursor}&limit=300`, free.key)));
    const lines = answers.flatMap(({ status, body: { data } }) => (status === 200 ? [data.length] : []));
    expect(lines.reduce((sum, length) => sum + length / 100, 0)).toBe(3);
    expect(await used()).toBe(100);
  });

  test('is refunded as a whole if the request fails', async () => {
    await makeKey(50);
    const access = gateway.services.access;
    const { charge } = access.meter;
    let charges = 0;
    access.meter.charge = (...given) => {
      charges += 1;
      if (charges > 1) throw new Error('The second charge fails.');
      return charge(...given);
    };
    const answer = await get(`cursor=${cursor}&limit=300`, free.key).finally(() => {
      access.meter.charge = charge;
    });
    expect([answer.status, remaining(answer)]).toEqual([500, 50]);
  });
});

test('an agent can ask for changes, without waiting, and gets few by default', async () => {
  const call = (args: Record<string, unknown>) =>
    gateway.get('/mcp', {
      key,
      ...posting(
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_changes', arguments: args } },
        { accept: 'application/json, text/event-stream' },
      ),
    });
  const { body } = await call({ types: ['offer_created'] });
  expect(body.result.structuredContent.page).toMatchObject({ limit: 20, hasMore: true });
  expect(body.result.structuredContent.data).toHaveLength(20);
  expect((await call({ wait: 10 })).body.result.isError).toBe(true);
});
