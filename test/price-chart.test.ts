/** The price history as an SVG chart: the same request as for JSON, with another `Accept`. */
import { describe, expect, test } from 'vitest';
import { feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';
import { readSvg } from './harness/svg.ts';

const SVG = 'image/svg+xml';
const PATH = '/api/v1/products/marker-co-b-8/price-history';
const NAME = 'Marker & Co < 8"';

const gateway = await forFile(startTestGateway({ ANSWER_CACHE_MB: '4' }));
const { key } = await gateway.makeKey('pro');
const row = (price: string) => [feedRow({ id: 'a', title: NAME, gtin: '4006381333931', price })];
const at = (day: string) => ({ observedAt: new Date(`${day}T00:00:00Z`) });
await gateway.importRows('Alpha', row('12.00 EUR'), at('2026-01-01'));
await gateway.importRows('Beta', row('14.00 EUR'), at('2026-01-03'));
await gateway.importRows('Alpha', row('9.50 EUR'), at('2026-01-05'));
await gateway.importRows('Alpha', [], { ...at('2026-01-08'), isForced: true });
await gateway.importRows('Beta', [], { ...at('2026-01-08'), isForced: true });
await gateway.importRows('Alpha', row('11.00 EUR'), at('2026-01-12'));
const { body } = await gateway.get('/api/v1/lookup?ean=4006381333931', { key });
const slug = new URL(body.data.product.url).pathname.split('/').at(-1) ?? '';

const ask = (query = 'from=2026-01-01&to=2026-01-20', accept: string | undefined = SVG, more = {}) =>
  gateway.get(`/api/v1/products/${slug}/price-history?${query}`, {
    key,
    ...more,
    headers: { ...(accept && { accept }), ...(more as RequestInit).headers },
  });

describe('a price history chart', () => {
  test('is an image with a title, a description, and prices in the currency of the market', async () => {
    const { status, headers, text } = await ask();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(SVG);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    const { root, texts } = readSvg(text);
    expect(root).toMatchObject({ role: 'img', 'aria-labelledby': 'title', 'aria-describedby': 'desc' });
    expect(texts.title).toEqual([`Price history of ${NAME}`]);
    expect(texts.desc).toEqual([
      'Total price by day, 1 Jan 2026 to 20 Jan 2026 (UTC). Lowest in stock €9.50 on 5 Jan. The lowest price was €12.00 on 1 Jan 2026 and €11.00 on 20 Jan 2026. ' +
        'All prices were between €9.50 and €14.00. Lowest ever €9.50 on 5 Jan.',
    ]);
    expect(texts.text).toEqual(
      expect.arrayContaining([
        NAME,
        'Lowest in stock €9.50 on 5 Jan',
        'Lowest ever €9.50 on 5 Jan',
        'Average',
        'Lowest to highest',
      ]),
    );
    expect(texts.text?.filter((label) => /^€\d+$/.test(label)).length).toBeGreaterThan(2);
  });

  test('shows the lowest price in stock, with a gap while everything is sold out, and marks each low', async () => {
    const other = await forTest(startTestGateway());
    const { key: own } = await other.makeKey('pro');
    const day = (date: string) => ({ observedAt: new Date(`${date}T00:00:00Z`) });
    const sell = (price: string, availability: string, date: string) =>
      other.importRows(
        'Alpha',
        [feedRow({ id: 'k', title: 'Kettle', price: `${price} EUR`, availability })],
        day(date),
      );
    await sell('10', 'in_stock', '2026-01-01');
    await sell('5', 'out_of_stock', '2026-01-04');
    await sell('8', 'in_stock', '2026-01-07');
    const { text } = await other.get('/api/v1/products/kettle/price-history?from=2026-01-01&to=2026-01-10', {
      key: own,
      headers: { accept: SVG },
    });
    const { texts, elements } = readSvg(text);
    expect(texts.text).toEqual(
      expect.arrayContaining(['Lowest in stock €8.00 on 7 Jan', 'Lowest ever €5.00 on 4 Jan']),
    );
    expect(text.match(/<path d="([^"]*)" stroke="#1a56b8"/)?.[1]?.match(/M/g)).toHaveLength(2);
    expect(elements.filter(({ name }) => name === 'circle').map(({ attributes }) => attributes.fill)).toEqual([
      '#1a56b8',
      '#14693c',
    ]);
  });

  test('has a gap where there was no price', async () => {
    // Each run of prices is one piece of the line and one of the band.
    const pieces = ({ text }: { text: string }) => text.match(/<path d="[^"]*" stroke="#1a56b8"/)?.[0] ?? '';
    const moves = (path: string) => path.match(/M/g)?.length;
    expect(moves(pieces(await ask('from=2026-01-01&to=2026-01-07')))).toBe(1);
    expect(moves(pieces(await ask('from=2026-01-01&to=2026-01-20')))).toBe(2);
  });

  test('says so when there was no price in the period', async () => {
    const { status, text } = await ask('from=2020-01-01&to=2020-01-31');
    expect(status).toBe(200);
    expect(readSvg(text).texts.text).toContain('No price in this time');
  });

  test.each([
    'interval=week',
    'interval=month',
    'days=1',
    'days=3650',
    'merchant=nobody',
  ])('is well-formed for %s', async (query) => {
    const { status, text } = await ask(query);
    expect(status).toBe(200);
    expect(readSvg(text).texts.title).toEqual([`Price history of ${NAME}`]);
  });

  test('is the same, byte for byte, until the history changes', async () => {
    expect((await ask()).text).toBe((await ask()).text);
  });

  test('and JSON have different entity tags', async () => {
    const picture = await ask();
    const json = await ask(undefined, '*/*');
    expect(json.headers.get('content-type')).toBe('application/json');
    expect(json.body.data.points).toHaveLength(16);
    for (const { headers } of [picture, json]) {
      expect(headers.get('vary')).toBe('x-api-key, Accept, Accept-Encoding');
    }
    expect(picture.headers.get('etag')).not.toBe(json.headers.get('etag'));
    const again = (accept: string, of: typeof json) =>
      ask(undefined, accept, { headers: { 'if-none-match': of.headers.get('etag') } });
    expect((await again(SVG, picture)).status).toBe(304);
    expect((await again('*/*', json)).status).toBe(304);
    expect((await again(SVG, json)).status).toBe(200);
  });

  test('costs one request like JSON, and so does HEAD, which returns its length', async () => {
    const left = ({ headers }: { headers: Headers }) => Number(headers.get('x-quota-remaining'));
    const json = await ask(undefined, 'application/json');
    const picture = await ask(undefined, SVG, { headers: { 'accept-encoding': 'identity' } });
    const head = await ask(undefined, SVG, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
    expect(left(json) - left(picture)).toBe(1);
    expect(left(picture) - left(head)).toBe(1);
    expect(head.text).toBe('');
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(picture.text)));
  });

  test.each([
    ['without a key', `${PATH}`, undefined, 401],
    ['of an unknown product', '/api/v1/products/nothing/price-history', 'known', 404],
    ['of an invalid period', `${PATH}?days=0`, 'known', 400],
  ])('%s is a problem document in JSON', async (_what, path, who, status) => {
    const answer = await gateway.get(path, { headers: { accept: SVG }, ...(who && { key }) });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  test('is in the OpenAPI description', async () => {
    const { body } = await gateway.get('/api/v1/openapi.json');
    const { content } = body.paths['/api/v1/products/{id}/price-history'].get.responses[200];
    expect(Object.keys(content)).toEqual(['application/json', SVG, 'text/csv']);
  });
});
