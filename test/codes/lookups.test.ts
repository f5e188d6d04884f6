/** Many lookups in one request: `POST /api/v1/lookups`, the same over GraphQL, and for agents. */
import { beforeEach, describe, expect, test } from 'vitest';
import { usageOf } from '../../src/access/key-admin.ts';
import { monthOf } from '../../src/access/meter.ts';
import { connectAgent, textOf } from '../harness/agent.ts';
import { type Answer, feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const EAN = '4006381333931';
const ASIN = 'B0DEMO0001';

let key: string;
let id: string;

const gateway = await forFile(startTestGateway());
await gateway.importRows('Shop', [
  feedRow({ id: 'a', title: 'Marker', gtin: EAN, asin: ASIN, price: '2.50 EUR' }),
  feedRow({ id: 'book', gtin: '9780306406157' }),
  // One code, two products: an EAN-8 that is also a UPC-E.
  feedRow({ id: 'eight', gtin: '11234593' }),
  feedRow({ id: 'twelve', gtin: '112345000093' }),
]);
for (let n = 1; n <= 7; n += 1) {
  await gateway.importRows(`Shop ${n}`, [feedRow({ id: 'a', gtin: EAN, price: `${3 + n}.00 EUR` })]);
}
beforeEach(async () => {
  ({ id, key } = await gateway.makeKey('enterprise'));
});

const send = (body: unknown): Promise<Answer> =>
  gateway.get('/api/v1/lookups', {
    key,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const used = async () => (await usageOf(gateway.database, { keyId: id }))[0]?.used ?? 0;
const statuses = (body: { data: { status: string }[] }) => body.data.map(({ status }) => status);

describe('a batch of lookups', () => {
  test('has one result per entry, in the order of the entries', async () => {
    const identifiers = [{ code: 'nonsense' }, { ean: EAN }, { asin: 'B0NONE0001' }, { asin: ASIN }, { ean: EAN }];
    const { status, headers, body } = await send({ identifiers });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(statuses(body)).toEqual(['invalid', 'found', 'not_found', 'found', 'found']);
    expect(body.data.map(({ input }: { input: unknown }) => input)).toEqual(identifiers);
  });

  test('has as results what single lookups answer', async () => {
    const { body } = await send({ identifiers: [{ ean: EAN }, { asin: ASIN }] });
    const [byEan, byAsin] = body.data;
    expect(byEan.result).toEqual((await gateway.get(`/api/v1/lookup?ean=${EAN}`, { key })).body.data);
    expect(byAsin.result).toEqual((await gateway.get(`/api/v1/lookup?asin=${ASIN}`, { key })).body.data);
  });

  test('explains entries without a result, each by itself', async () => {
    const { body } = await send({
      identifiers: [
        { ean: '12' },
        {},
        { ean: EAN, asin: ASIN },
        { ean: 4006381333931 },
        null,
        { ean: '4006381333930' },
      ],
    });
    expect(statuses(body)).toEqual(['invalid', 'invalid', 'invalid', 'invalid', 'invalid', 'not_found']);
    const [malformed, empty, , , , wrongDigit] = body.data;
    expect(malformed.problem).toEqual({
      type: `${gateway.address}/docs/errors#invalid_parameter`,
      title: 'Invalid parameter',
      status: 400,
      detail: expect.stringContaining('13 or 14 digits'),
      code: 'invalid_parameter',
      parameter: 'ean',
    });
    expect(empty.problem).toMatchObject({ code: 'exactly_one_identifier', detail: expect.stringContaining('`code`') });
    expect(wrongDigit.problem.detail).toContain('the right one would be 1');
  });

  test('takes any code, and does not guess between two products', async () => {
    const identifiers = [
      { code: '0-306-40615-2' },
      { code: `(01)0${EAN}` },
      { code: '11234593' },
      { code: `1${EAN.slice(0, 12)}8` },
    ];
    const { body } = await send({ identifiers });
    // The last one is a case of the marker, which is not the marker.
    expect(statuses(body)).toEqual(['found', 'found', 'ambiguous', 'not_found']);
    expect(body.data[0].result.identifier.ean).toBe('9780306406157');
    expect(body.data[2].problem).toMatchObject({
      code: 'ambiguous_code',
      detail: expect.stringContaining('00112345000093'),
    });
  });

  test('limits the offers of each product on request', async () => {
    const { body } = await send({ identifiers: [{ ean: EAN }], offers: 2 });
    const [{ result }] = body.data;
    expect(result.offers).toHaveLength(2);
    expect(result.priceStats.offerCount).toBe(8);
  });
});

describe('the price of a batch', () => {
  test('lists at most 10,000 offers: beyond, the cheapest of each product', async () => {
    const crowded = '4006381333948';
    for (let shop = 0; shop < 6; shop += 1) {
      const rows = Array.from({ length: 20 }, (_, n) =>
        feedRow({ id: `c${n}`, gtin: crowded, price: `${shop * 20 + n + 1}.00 EUR` }),
      );
      await gateway.importRows(`Crowd ${shop}`, rows, { mode: 'delta' });
    }
    const prices = async (entries: number) => {
      const { body } = await send({ identifiers: Array.from({ length: entries }, () => ({ ean: crowded })) });
      expect(body.data[0].result.priceStats.offerCount).toBe(120);
      const lists = body.data.map(({ result }: { result: { offers: { totalPrice: number }[] } }) => result.offers);
      return lists.map((list: { totalPrice: number }[]) => [list.length, list.at(-1)?.totalPrice]);
    };
    expect(await prices(83)).toEqual(Array.from({ length: 83 }, () => [120, 120]));
    expect(await prices(84)).toEqual(Array.from({ length: 84 }, () => [119, 119]));
  });

  test('is one request per entry, whatever its result', async () => {
    const { headers } = await send({ identifiers: [{ ean: EAN }, { ean: '12' }, { code: 'nonsense' }] });
    expect(headers.get('x-plan')).toBe('enterprise');
    expect(await used()).toBe(3);
  });

  test.each([
    ['no entries', { identifiers: [] }],
    ['101 entries', { identifiers: Array(101).fill({ ean: EAN }) }],
    ['no list', {}],
    ['an unknown member', { identifiers: [{ ean: EAN }], limit: 5 }],
    ['text that is not JSON', '{"identifiers": ['],
  ])('is one request if it is refused for %s', async (_reason, body) => {
    const answer = await send(body);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('invalid_parameter');
    expect(await used()).toBe(1);
  });

  test('is nothing if the quota has fewer requests left than the batch has entries', async () => {
    ({ id, key } = await gateway.makeKey('free', { rateLimit: 1_000 }));
    await gateway.database.query(
      `INSERT INTO usage_counter (key_id, month, quota, used, granted) SELECT max(id), $1::text, 100, 98, 0 FROM api_key`,
      [monthOf(new Date())],
    );
    const three = { identifiers: [{ ean: EAN }, { ean: EAN }, { ean: EAN }] };
    const refused = await send(three);
    expect([refused.status, refused.body.code]).toEqual([402, 'quota_exhausted']);
    expect(refused.headers.get('x-quota-remaining')).toBe('2');
    expect((await send({ identifiers: three.identifiers.slice(1) })).status).toBe(200);
    expect(await used()).toBe(100);
  });

  test('is nothing without a valid key', async () => {
    key = '';
    expect((await send({ identifiers: [{ ean: EAN }] })).status).toBe(401);
  });
});

describe('the same batch', () => {
  test('has the same outcomes and price over GraphQL', async () => {
    const query = `query($identifiers: [LookupEntry!]!) {
      lookupBatch(identifiers: $identifiers) { status problem { code } result { product { name } } }
    }`;
    const variables = { identifiers: [{ ean: EAN }, { code: 'nonsense' }] };
    const { body } = await gateway.graphql(query, { key, variables });
    expect(body).toEqual({
      data: {
        lookupBatch: [
          { status: 'found', problem: null, result: { product: { name: 'Marker' } } },
          { status: 'invalid', problem: { code: 'invalid_parameter' }, result: null },
        ],
      },
    });
    expect(await used()).toBe(2);
  });

  test('has five offers per product for agents, and more on request', async () => {
    const { client } = await connectAgent(gateway.address, { 'x-api-key': key });
    const call = async (further: object) => {
      const result = await client.callTool({
        name: 'look_up_many',
        arguments: { identifiers: [{ code: EAN }, { code: 'B0NONE0001' }], ...further },
      });
      return JSON.parse(textOf(result));
    };
    const usual = await call({});
    expect(statuses(usual)).toEqual(['found', 'not_found']);
    expect(usual.data[0].result.offers).toHaveLength(5);
    expect((await call({ offers: 8 })).data[0].result.offers).toHaveLength(8);
    expect(await used()).toBe(4);
    await client.close();
  });

  test('is small enough for agents: at most 400 tokens per lookup', async () => {
    const { client } = await connectAgent(gateway.address, { 'x-api-key': key });
    const identifiers = Array(10).fill({ code: EAN });
    const result = await client.callTool({ name: 'look_up_many', arguments: { identifiers } });
    // English and JSON have at least three characters per token.
    expect(textOf(result).length / 10 / 3).toBeLessThan(400);
    await client.close();
  });
});
