/** Any code: `GET /api/v1/resolve`, and Digital Links at `/01/{gtin}`. */
import { describe, expect, test } from 'vitest';
import { expectInvalid, feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const EAN = '4006381333931';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await gateway.importRows('Shop', [
  feedRow({ id: 'a', title: 'Marker', gtin: EAN, asin: 'B0DEMO0001' }),
  feedRow({ id: 'book', title: 'Book', gtin: '9780306406157' }),
  feedRow({ id: 'glue', title: 'Glue', gtin: '074764632937' }),
  feedRow({ id: 'eight', title: 'Eight', gtin: '11234593' }),
  feedRow({ id: 'twelve', title: 'Twelve', gtin: '112345000093' }),
]);

const resolve = (code: string) => gateway.get(`/api/v1/resolve?code=${encodeURIComponent(code)}`, { key });
const candidatesOf = async (code: string) => {
  const { status, body } = await resolve(code);
  expect(status).toBe(200);
  return body.data.candidates.map(
    ({ match, product }: { match: string; product: { name: string } }) => `${match} ${product.name}`,
  );
};

describe('a code', () => {
  test('is answered with its readings and the product', async () => {
    const { status, body } = await resolve(` ${EAN} `);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      input: ` ${EAN} `,
      readings: [{ kind: 'ean13', normalized: `0${EAN}` }],
      candidates: [
        { match: 'exact', product: { name: 'Marker', identifier: { ean: EAN }, priceStats: { offerCount: 1 } } },
      ],
    });
    expect(body.data).not.toHaveProperty('suggestion');
  });

  test.each([
    ['74764632937', ['padded Glue']],
    ['0-306-40615-2', ['isbn10 Book']],
    ['b0demo0001', ['exact Marker']],
    [`(01)0${EAN}(10)AB`, ['exact Marker']],
    [`https://id.gs1.org/01/0${EAN}`, ['exact Marker']],
    ['1123459', ['upce Twelve']],
    ['11234593', ['exact Eight', 'upce Twelve']],
    ['4012345678901', []],
  ])('such as %s finds %j', async (code, expected) => {
    expect(await candidatesOf(code)).toEqual(expected);
  });

  test('of a case finds the unit, marked as such', async () => {
    expect(await candidatesOf('14006381333938')).toEqual(['case_of Marker']);
  });

  test('with a wrong check digit has a suggestion, and no product', async () => {
    const { status, body } = await resolve('4006381333932');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      readings: [],
      candidates: [],
      suggestion: { normalized: `0${EAN}`, detail: expect.stringContaining('the right one would be 1') },
    });
  });

  test.each([
    '',
    'hello',
    '1.81E+11',
    'x'.repeat(501),
    '\0',
  ])('that cannot be read, such as "%s", is 400', async (code) => {
    expectInvalid(await resolve(code), 'code');
  });

  test('has the same answer over GraphQL', async () => {
    const query =
      '{ resolve(code: "0306406152") { readings { kind normalized } candidates { match product { name } } } }';
    expect((await gateway.graphql(query, { key })).body.data.resolve).toEqual({
      readings: [
        { kind: 'isbn10', normalized: '09780306406157' },
        { kind: 'asin', normalized: '0306406152' },
      ],
      candidates: [{ match: 'isbn10', product: { name: 'Book' } }],
    });
  });

  test('also comes as a table', async () => {
    const { text } = await gateway.get('/api/v1/resolve?code=11234593', { key, headers: { accept: 'text/csv' } });
    const [header = '', ...rows] = text.trim().split('\r\n');
    expect(header).toMatch(/^match,product\.id,.*,input$/);
    expect(rows).toHaveLength(2);
  });
});

describe('a Digital Link', () => {
  const follow = (path: string, headers: Record<string, string> = {}) =>
    fetch(gateway.address + path, { headers, redirect: 'manual' });

  test.each([
    `/01/0${EAN}`,
    `/01/${EAN}`,
    `/01/0${EAN}/10/BATCH?17=261231`,
  ])('%s leads to the product’s page', async (path) => {
    const answer = await follow(path, { accept: 'text/html' });
    expect(answer.status).toBe(307);
    expect(answer.headers.get('location')).toBe(`${gateway.address}/products/marker`);
    expect(answer.headers.get('link')).toContain('rel="linkset"');
  });

  test('lists its links for clients that ask for them', async () => {
    for (const answer of [
      await follow(`/01/${EAN}`, { accept: 'application/linkset+json' }),
      await follow(`/01/${EAN}?linkType=linkset`),
    ]) {
      expect(answer.headers.get('content-type')).toBe('application/linkset+json');
      expect(answer.headers.get('vary')).toContain('Accept');
      expect(await answer.json()).toMatchObject({
        linkset: [
          {
            anchor: `${gateway.address}/01/0${EAN}`,
            'https://gs1.org/voc/defaultLink': [{ href: `${gateway.address}/products/marker`, title: 'Marker' }],
          },
        ],
      });
    }
  });

  test('of an unknown product, with a wrong check digit or without a GTIN is explained to programs and to people', async () => {
    for (const [gtin, status, reason] of [
      ['4012345678901', 404, 'No product has the GTIN 4012345678901'],
      ['4006381333932', 404, 'the right one would be 1'],
      ['hello', 400, '8, 12, 13 or 14 digits'],
    ] as const) {
      const program = await follow(`/01/${gtin}`);
      expect(program.status).toBe(status);
      expect((await program.json()).detail).toContain(reason);
      const person = await follow(`/01/${gtin}`, { accept: 'text/html' });
      expect(person.status).toBe(status);
      expect(await person.text()).toContain(reason);
    }
  });

  test('needs no key, and counts against the limit of the address', async () => {
    const limited = await startTestGateway({ RATE_LIMIT_PUBLIC: '2' });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await fetch(`${limited.address}/01/${EAN}`)).status);
    await limited.stop();
    expect(statuses).toEqual([404, 404, 429]);
  });
});
