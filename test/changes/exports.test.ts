/** Exports over REST: their lines, filters, price and limits. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Access } from '../../src/access/access.ts';
import type { OfferLine } from '../../src/catalogue/offer/offer-line.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { openStreams } from '../../src/http/streams.ts';
import { openTraffic } from '../../src/http/traffic.ts';
import { encodeChangesCursor } from '../../src/ledger/changes/changes-cursor.ts';
import { forgetChanges } from '../../src/ledger/changes/forget-changes.ts';
import { readExtent } from '../../src/ledger/changes/read-changes.ts';
import { exportRoutes } from '../../src/rest/exports/serve-exports.ts';
import { writeExport } from '../../src/rest/exports/write-export.ts';
import { encodeCursor } from '../../src/values/cursor.ts';
import { eventually } from '../harness/eventually.ts';
import { exported } from '../harness/exports.ts';
import { feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const MANY = 1_250;
/** The number of a row in its id. */
const numberOf = (id: string) => BigInt(Number.parseInt(id.split('_')[1] ?? '', 36));

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
const rows = [
  feedRow({
    id: 'a',
    title: 'Blue lamp',
    gtin: '4006381333931',
    brand: 'Lumen',
    price: '12.50 EUR',
    shipping: 'DE:::2.50 EUR',
    color: 'Blue',
    description: 'A lamp.',
  }),
  feedRow({ id: 'b', title: 'Red lamp', brand: 'Lumen', mpn: 'R1', price: '30 EUR', availability: 'out_of_stock' }),
];
await gateway.importRows('Lamp Shop', rows, { observedAt: new Date(Date.now() - 3 * 86_400_000) });
await gateway.importRows('Other Shop', [feedRow({ id: 'x', gtin: '4006381333931', price: '11 EUR' })]);
await gateway.importRows(
  'Big Shop',
  Array.from({ length: MANY }, (_, n) => feedRow({ id: `${n}`, title: `Item ${n}`, brand: 'Mass' })),
);

const take = (path: string, asking: Parameters<typeof exported>[2] = {}) => exported(gateway, path, { key, ...asking });
/** Requests of a key that were deducted. */
const used = async (id: string) => {
  const [row] = await gateway.database.query<{ used: bigint }>(
    'SELECT COALESCE(sum(used), 0) AS used FROM usage_counter WHERE key_id = $1::bigint',
    [numberOf(id)],
  );
  return Number(row?.used);
};
const useUp = (id: string, left: number) =>
  gateway.database.query('UPDATE usage_counter SET used = quota - $2::bigint WHERE key_id = $1::bigint', [
    numberOf(id),
    left,
  ]);

describe('an export of offers', () => {
  test('has each listed offer as in the list of its product, and the product’s id', async () => {
    const { lines, end, headers, status } = await take('offers?brand=lumen');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    expect(lines).toHaveLength(3);
    const { body } = await gateway.get('/api/v1/products/blue-lamp/offers', { key });
    const { body: product } = await gateway.get('/api/v1/products/blue-lamp', { key });
    for (const { seenAt: _, reduction: _reduction, ...offer } of body.data) {
      expect(lines).toContainEqual({ ...offer, productId: product.data.id });
    }
    expect(end).toEqual({ end: true, count: 3, cursor: headers.get('changes-cursor') });
  });

  test('is in the order of ids, without repetition, over many pages', async () => {
    const { lines, end } = await take('offers');
    expect(end.count).toBe(MANY + 3);
    const numbers = lines.map(({ id }) => Number(numberOf(id)));
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  });

  test.each([
    ['merchant=lamp-shop', ['12.5', '30']],
    ['merchant=lamp-shop&availability=in_stock', ['12.5']],
    ['brand=lumen&minPrice=15', ['12.5', '30']],
    ['brand=lumen&maxPrice=15', ['12.5', '11']],
    ['brand=lumen&merchant=other-shop', ['11']],
    ['brand=nobody', []],
    ['category=nothing', []],
    ['merchant=nobody', []],
  ])('with %s has only the offers that match', async (query, prices) => {
    const { lines, end } = await take(`offers?${query}`);
    expect(lines.map(({ price }) => String(price))).toEqual(prices);
    expect(end).toMatchObject({ end: true, count: prices.length });
  });
});

describe('an export of products', () => {
  test('has their fields without prices', async () => {
    const { lines } = await take('products?merchant=other-shop');
    expect(lines).toEqual([
      {
        id: expect.stringMatching(/^prd_/),
        slug: 'blue-lamp',
        name: 'Blue lamp',
        brand: 'Lumen',
        identifier: { ean: '4006381333931' },
        identifiers: { ean: ['4006381333931'], asin: [] },
        description: 'A lamp.',
        attributes: [{ name: 'color', value: 'Blue' }],
        url: `${gateway.address}/products/blue-lamp`,
        createdAt: expect.any(String),
      },
    ]);
  });

  test('takes the filters of the list of products', async () => {
    const namesOf = async (query: string) => (await take(`products?${query}`)).lines.map(({ name }) => name);
    expect(await namesOf('brand=lumen')).toEqual(['Blue lamp', 'Red lamp']);
    expect(await namesOf('brand=lumen&availability=out_of_stock')).toEqual(['Red lamp']);
    expect(await namesOf('brand=lumen&maxPrice=11')).toEqual(['Blue lamp']);
    expect(await namesOf('brand=lumen&maxPrice=10.99')).toEqual([]);
    expect((await take('products')).end.count).toBe(MANY + 2);
  });
});

describe('an export of the history', () => {
  test('has an entry for each change of an offer, and its end', async () => {
    const now = Date.now();
    const day = (ago: number) => new Date(now - ago * 86_400_000);
    const row = (price: string) => feedRow({ id: 'h', title: 'Historic', brand: 'Old', price });
    await gateway.importRows('History Shop', [row('10 EUR')], { observedAt: day(9) });
    await gateway.importRows('History Shop', [row('9 EUR')], { observedAt: day(6) });
    // Replaces what the feed before said of the same time.
    await gateway.importRows('History Shop', [row('8 EUR')], { observedAt: day(6) });
    await gateway.importRows('History Shop', [], { observedAt: day(2), isForced: true });
    const { lines, end } = await take('history?merchant=history-shop');
    expect(lines.map(({ listed, totalPrice, price }) => [listed, totalPrice, price])).toEqual(
      expect.arrayContaining([
        [true, 10, 10],
        [true, 8, 8],
        [false, undefined, undefined],
      ]),
    );
    expect(lines.at(0)).toEqual({
      id: expect.any(String),
      productId: expect.stringMatching(/^prd_/),
      offerId: expect.stringMatching(/^off_/),
      merchant: { id: expect.stringMatching(/^mer_/), slug: 'history-shop', name: 'History Shop' },
      observedAt: expect.stringContaining(day(9).toISOString().slice(0, 10)),
      listed: true,
      price: 10,
      totalPrice: 10,
      currency: 'EUR',
      availability: 'in_stock',
      condition: 'new',
    });
    expect(new Set(lines.map(({ observedAt }) => observedAt)).size).toBe(end.count);
    const from = day(6).toISOString().slice(0, 10);
    const to = day(3).toISOString().slice(0, 10);
    const some = await take(`history?merchant=history-shop&from=${from}&to=${to}`);
    expect(some.lines.map(({ totalPrice }) => totalPrice)).toEqual([8]);
    expect((await take('history?from=2030-02-01&to=2030-01-01')).body).toMatchObject({ parameter: 'from' });
    const all = await take('history?merchant=history-shop&from=0001-01-01&to=9999-12-31');
    expect(all.lines).toEqual(lines);
    expect((await take('history?from=0000-12-31')).body).toMatchObject({ parameter: 'from' });
  });
});

describe('an interrupted export', () => {
  test.each([
    'products',
    'offers',
    'history',
  ])('of %s continues after its last line, with the same cursor', async (kind) => {
    const whole = await take(kind);
    const middle = whole.lines[700];
    await gateway.importRows('Late Shop', [feedRow({ id: kind, title: `Late ${kind}` })], { mode: 'delta' });
    const { end, lines, headers } = await take(`${kind}?after=${middle.id}&cursor=${whole.end.cursor}`);
    expect(headers.get('changes-cursor')).toBe(whole.end.cursor);
    const known = whole.lines.slice(701);
    expect(lines.slice(0, known.length)).toEqual(known);
    expect(end).toEqual({ end: true, count: lines.length, cursor: whole.end.cursor });
  });

  test('is refused with a damaged cursor or id, or without its cursor', async () => {
    const { end, lines } = await take('offers?brand=lumen');
    const after = lines[0].id;
    for (const [query, parameter] of [
      [`cursor=${end.cursor}x`, 'cursor'],
      [`cursor=${encodeCursor('changes', ['x'])}`, 'cursor'],
      [`after=${after}`, 'cursor'],
      [`after=prd_1&cursor=${end.cursor}`, 'after'],
    ]) {
      const { status, body } = await take(`offers?${query}`);
      expect([query, status, body.code, body.parameter]).toEqual([query, 400, 'invalid_parameter', parameter]);
    }
    for (const id of [
      after,
      encodeCursor('history', ['x', '1', 1, '1']),
      encodeCursor('history', ['1', '1', 'x', '1']),
      encodeCursor('history', ['1', '1', -8.64e15, '1']),
    ]) {
      const { status, body } = await take(`history?after=${id}&cursor=${end.cursor}`);
      expect([status, body.parameter]).toEqual([400, 'after']);
    }
  });

  test('cannot continue once the changes after its cursor were deleted, or if they never were there', async () => {
    const { end } = await take('offers?brand=lumen');
    await gateway.importRows('Later Shop', [feedRow({ id: 'l' })]);
    await gateway.database.query("UPDATE change SET at = at - INTERVAL '2 days'");
    await forgetChanges(gateway.database, 1);
    const { status, body } = await take(`offers?cursor=${end.cursor}`);
    expect([status, body.code]).toEqual([410, 'cursor_expired']);
    expect(body.detail).toContain('start a new export');
    // As after the restore of a backup.
    const future = encodeChangesCursor((await readExtent(gateway.database)).head + 1n);
    expect((await take(`offers?cursor=${future}`)).body.code).toBe('cursor_expired');
  });
});

describe('the price of an export', () => {
  test('is a request for each 100 lines begun, and one without lines', async () => {
    const { id, key: mine } = await gateway.makeKey('enterprise');
    expect((await take('offers?brand=nobody', { key: mine })).end.count).toBe(0);
    expect(await used(id)).toBe(1);
    const { end } = await take('offers?brand=mass', { key: mine });
    expect(end.count).toBe(MANY);
    expect(await used(id)).toBe(1 + 13);
    await take('products?brand=lumen', { key: mine });
    expect(await used(id)).toBe(1 + 13 + 1);
  });

  test('of a HEAD request is one, and it has the headers', async () => {
    const { id, key: mine } = await gateway.makeKey('pro');
    const { status, headers, text } = await take('offers', {
      key: mine,
      method: 'HEAD',
      headers: { 'accept-encoding': 'gzip' },
    });
    expect([status, text]).toEqual([200, '']);
    expect(headers.get('changes-cursor')).toMatch(/./);
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(headers.get('x-quota-remaining')).toBe(String(100_000 - 1));
    expect(await used(id)).toBe(1);
  });

  test('cuts the export where the quota ends, from where it continues', async () => {
    const { id, key: mine } = await gateway.makeKey('free');
    await take('offers?brand=nobody', { key: mine });
    await useUp(id, 7);
    const { lines, end } = await take('offers?brand=mass', { key: mine });
    expect(lines).toHaveLength(700);
    expect(end).toEqual({
      end: false,
      code: 'quota_exhausted',
      count: 700,
      cursor: expect.any(String),
      after: lines.at(-1)?.id,
    });
    expect((await take('offers', { key: mine })).body).toMatchObject({ code: 'quota_exhausted' });
    await useUp(id, 6);
    // A gateway knows for two seconds that a key is used up.
    const resume = () => take(`offers?brand=mass&after=${end.after}&cursor=${end.cursor}`, { key: mine });
    const rest = await eventually(resume, (taken) => taken.status === 200);
    expect(rest.end).toMatchObject({ end: true, count: MANY - 700 });
    await expect(useUp(id, 0).then(() => take('offers', { key: mine }))).resolves.toMatchObject({ status: 402 });
  });
});

describe('a response', () => {
  /** Starts an export, reading only its head. */
  const start = async (path: string, mine: string, headers: Record<string, string> = {}) => {
    const asked = get(`${gateway.address}/api/v1/exports/${path}`, {
      agent: false,
      headers: { 'x-api-key': mine, ...headers },
    });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    return response;
  };
  const bytesOf = async (response: IncomingMessage) => {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  test.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('is compressed with %s as a stream', async (encoding, decompress) => {
    const plain = await take('offers', { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    const response = await start('offers', key, { 'accept-encoding': encoding });
    expect(response.headers).toMatchObject({
      'content-encoding': encoding,
      'transfer-encoding': 'chunked',
      vary: expect.stringContaining('Accept-Encoding'),
    });
    const bytes = await bytesOf(response);
    expect(decompress(bytes).toString()).toBe(plain.text);
    expect(bytes.length).toBeLessThan(plain.text.length / 4);
  });

  test('waits for its client, and a third export of the key is refused until one ends', async () => {
    const { key: mine, id } = await gateway.makeKey('enterprise');
    const open = await Promise.all([start('offers', mine), start('offers', mine)]);
    const third = await take('offers', { key: mine });
    expect([third.status, third.body.code]).toEqual([429, 'too_many_exports']);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    // A refused one costs nothing.
    expect(await used(id)).toBeLessThanOrEqual(2 * 13);
    expect((await take('products?brand=nobody')).status).toBe(200);
    for (const response of open) response.destroy();
    const again = await eventually(
      () => take('offers?brand=nobody', { key: mine }),
      ({ status }) => status === 200,
    );
    expect(again.status).toBe(200);
  });

  test('is cut without its last line when the database fails', async () => {
    await gateway.database.script('ALTER TABLE offer RENAME COLUMN condition TO state');
    try {
      await expect(take('offers')).rejects.toThrow();
    } finally {
      await gateway.database.script('ALTER TABLE offer RENAME COLUMN state TO condition');
    }
    expect((await take('offers')).end).toMatchObject({ end: true });
  });

  test('is cut when its key is revoked meanwhile', async () => {
    const { key: mine, id } = await gateway.makeKey('enterprise');
    const access = new Access(mine, () => '203.0.113.9', gateway.services.access);
    await (await access.admit(1)).settled;
    const page = { length: 1, lineAt: () => ({ id: 'off_1' }) as OfferLine };
    const pages = async function* () {
      yield page;
      await gateway.database.query('UPDATE api_key SET revoked_at = now() WHERE id = $1::bigint', [numberOf(id)]);
      await eventually(
        () => access.isStillValid(),
        (isValid) => !isValid,
      );
      yield page;
    };
    const text: string[] = [];
    const write = async () => {
      const writing = writeExport({
        pages: pages(),
        access,
        breathe: openTraffic().breathe,
        cursor: 'c',
        sent: { lines: 0, after: undefined },
      });
      for await (const chunk of writing) text.push(chunk);
    };
    await expect(write()).rejects.toThrow('no longer valid');
    expect(text).toEqual(['{"id":"off_1"}\n']);
  });

  /** Serves an endless stream. @returns its response, unread. */
  const serveEndless = async (streams: ReturnType<typeof openStreams>, isWhole: boolean) => {
    const chunk = 'x'.repeat(65_536);
    const endless = new Readable({
      read() {
        this.push(chunk);
      },
    });
    const server = createServer((incoming, outgoing: ServerResponse) => {
      outgoing.writeHead(200);
      streams.send({ method: 'GET', incoming, outgoing } as unknown as Exchange, endless, isWhole);
    }).listen(0, '127.0.0.1');
    server.unref();
    await once(server, 'listening');
    const asked = get({ port: (server.address() as AddressInfo).port, agent: false });
    asked.on('error', () => {});
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return { endless, response };
  };

  test('is cut when its client reads nothing for too long', async () => {
    const { endless, response } = await serveEndless(openStreams({ stallMs: 60, graceMs: 0 }), true);
    response.on('error', () => {});
    await once(endless, 'close');
    expect(endless.destroyed).toBe(true);
    response.destroy();
  });

  test.each([
    [true, 'aborted'],
    [false, undefined],
  ])('that must be whole (%s) is cut when the server stops', async (isWhole, error) => {
    const streams = openStreams({ stallMs: 60_000, graceMs: 0 });
    const { response } = await serveEndless(streams, isWhole);
    streams.end();
    const outcome = await bytesOf(response).then(
      () => undefined,
      (thrown: Error) => thrown.message,
    );
    expect(outcome).toBe(error);
  });

  test('is not started by a server that stops', async () => {
    const rows = exportRoutes(gateway.services, { traffic: openTraffic(), isDraining: () => true });
    const access = new Access(key, () => '203.0.113.9', gateway.services.access);
    const exchange = { method: 'GET', search: '', access } as unknown as Exchange;
    await expect(rows[0]?.handle(exchange, {})).rejects.toMatchObject({ code: 'unavailable' });
  });
});
