/** Lists as CSV over HTTP: the same items as in JSON, one per row, under the same rules as every response (docs/api.md, Tables). */
import { parse } from 'csv-parse/sync';
import { describe, expect, onTestFinished, test } from 'vitest';
import { importDemo } from '../src/demo/demo.ts';
import { digestAll } from '../src/ledger/digest/digest-step.ts';
import { toCsv } from '../src/rest/csv.ts';
import { exampleUrl } from '../src/rest/llms.ts';
import { ROUTES } from '../src/rest/routes.ts';
import { connectAgent } from './harness/agent.ts';
import { type Answer, type Asking, feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const CSV = 'text/csv; charset=utf-8; header=present';
const PRODUCT = '/api/v1/products/markina-glow-line-highlighter-yellow';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await importDemo(gateway.database);
await digestAll(gateway.database);
// Names that a shop may give to its products.
const names = ['=HYPERLINK("http://evil.example","Nasty")', '-Nasty, "quoted"', '+49 Nasty\nin two lines', '@Nasty'];
await gateway.importRows(
  '=Nasty & Sons',
  names.map((title, n) => feedRow({ id: `nasty-${n}`, title, brand: `=Nasty ${n}`, mpn: `-${n}` })),
);

const get = (path: string, accept: string | undefined, asking: Asking = { key }) =>
  gateway.get(path, { ...asking, headers: { ...asking.headers, ...(accept !== undefined && { accept }) } });
const asJson = (path: string) => get(path, 'application/json');
const asCsv = (path: string, asking?: Asking) => get(path, 'text/csv', asking);

const isList = ({ name }: { name: string }) => /^(list|search|compare|find)/.test(name);
// Webhooks belong to a key, and this one has none. Batches are POST requests (test/codes/lookups.test.ts).
const READ = ROUTES.filter(({ access, method }) => access !== 'keyed' && method === undefined);
// A stream of changes has items of several shapes, so it is no table.
const isTable = ({ name }: { name: string }) => name !== 'listChanges';
const LISTS = READ.filter((route) => (isList(route) && isTable(route)) || route.name.startsWith('getPrice'));
// The candidates of a code are a table (test/codes/resolve.test.ts).
const OTHERS = READ.filter((route) => !LISTS.includes(route) && route.name !== 'resolveCode');

type Item = Record<string, unknown>;

/** The text with a `'` before each formula, at its start and after each character that may separate cells. */
function withoutFormulas(text: string): string {
  const inner = text.replace(/([;\t\r\n][\s"']*)(?!(?<=\n)[-+] )([=+\-@])/g, "$1'$2");
  return /^[=+\-@\t\r]/.test(inner) ? `'${inner}` : inner;
}

/** An item's members by column name, as a table shows them. Independent of the service's own code. */
function flat(item: Item, prefix = ''): Record<string, string> {
  const cells = Object.entries(item).map(([name, value]): Record<string, string> => {
    const column = prefix + name;
    if (Array.isArray(value)) return { [column]: value.join('|') };
    if (typeof value === 'object' && value !== null) return flat(value as Item, `${column}.`);
    if (typeof value === 'string') return { [column]: withoutFormulas(value) };
    return { [column]: value === null ? '' : String(value) };
  });
  return Object.assign({}, ...cells);
}

/** A body's items in the order of the table. */
function itemsOf({ data }: { data: Item | Item[] }): Item[] {
  if (Array.isArray(data)) return data.flatMap((item) => branch(item));
  if ('windows' in data) {
    const { windows, isLowest: _isLowest, isLowest90: _isLowest90, ...beside } = data;
    return (windows as Item[]).map((window) => ({ ...window, ...beside }));
  }
  const { points, currency, interval } = data;
  return (points as Item[]).map((point) => ({ ...point, ...(currency !== undefined && { currency }), interval }));
}

function branch({ children, ...item }: Item, parent?: unknown): Item[] {
  const own = parent === undefined ? item : { ...item, parent: { slug: parent } };
  return [own, ...((children ?? []) as Item[]).flatMap((child) => branch(child, item.slug))];
}

const rowsOf = ({ text }: Answer): Record<string, string>[] => parse(text, { columns: true });
const withoutEmpty = (row: Record<string, string>) =>
  Object.fromEntries(Object.entries(row).filter(([, v]) => v !== ''));
const headerOf = ({ text }: Answer) => (parse(text, { to: 1 })[0] as unknown as string[]) ?? [];

describe.each(LISTS.map((route) => [exampleUrl(route), route] as const))('%s', (path, route) => {
  const asking = () => (route.access === 'metered' ? { key } : {});

  test('has the same items in CSV as in JSON, one per row', async () => {
    const [json, csv] = [await asJson(path), await asCsv(path)];
    expect([csv.status, csv.headers.get('content-type')]).toEqual([200, CSV]);
    const items = itemsOf(json.body);
    expect(items.length).toBeGreaterThan(0);
    expect(rowsOf(csv).map(withoutEmpty)).toEqual(items.map((item) => withoutEmpty(flat(item))));
    for (const item of items) expect(headerOf(csv)).toEqual(expect.arrayContaining(Object.keys(flat(item))));
  });

  test('returns JSON unless the client prefers CSV', async () => {
    const usual = await asJson(path);
    for (const accept of [
      undefined,
      '*/*',
      'application/json, text/plain, */*',
      'application/pdf',
      'text/html',
      ';;q',
    ]) {
      const { headers, text } = await get(path, accept, asking());
      expect([accept, headers.get('content-type')]).toEqual([accept, 'application/json']);
      expect(text).toBe(usual.text);
    }
    for (const accept of [
      'text/csv, */*;q=0.1',
      'application/json;q=0.5, text/csv',
      'text/csv;header=present',
      'Text/CSV',
    ]) {
      const { headers } = await get(path, accept, asking());
      expect([accept, headers.get('content-type')]).toEqual([accept, CSV]);
    }
  });

  test('has an entity tag for each format, and varies by Accept', async () => {
    const [json, csv] = [await asJson(path), await asCsv(path)];
    const tagOf = ({ headers }: Answer) => headers.get('etag') ?? '';
    const [jsonTag, csvTag] = [tagOf(json), tagOf(csv)];
    expect(csvTag).not.toBe(jsonTag);
    for (const { headers } of [json, csv]) {
      expect(headers.get('vary')?.split(', ')).toEqual(
        route.access === 'metered' ? ['x-api-key', 'Accept', 'Accept-Encoding'] : ['Accept', 'Accept-Encoding'],
      );
      expect(headers.get('cache-control')).toBe(json.headers.get('cache-control'));
    }
    const again = await asCsv(path, { key, headers: { 'if-none-match': csvTag } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', csvTag]);
    const other = await asCsv(path, { key, headers: { 'if-none-match': jsonTag } });
    expect([other.status, other.text]).toEqual([200, csv.text]);
  });

  test('is described in OpenAPI with its columns and an example', async () => {
    const { body } = await gateway.get('/api/v1/openapi.json');
    const described = body.paths[route.path].get.responses[200].content['text/csv'];
    const columns = headerOf(await asCsv(path));
    expect(described.schema.type).toBe('string');
    for (const column of columns) expect(described.schema.description).toContain(`\`${column}\``);
    expect(headerOf({ text: described.example } as Answer)).toEqual(columns);
    expect(rowsOf({ text: described.example } as Answer).length).toBeGreaterThan(0);
  });
});

describe.each(LISTS.filter(({ access }) => access === 'metered').map((route) => [exampleUrl(route)]))('%s', (path) => {
  test('is charged in CSV as in JSON, and is refused with problem documents', async () => {
    const own = await gateway.makeKey('free');
    const first = await asCsv(path, { key: own.key });
    expect([first.status, first.headers.get('x-quota-remaining')]).toEqual([200, '99']);
    expect(first.headers.get('ratelimit')).toMatch(/^"minute";r=/);
    const hurried = await gateway.makeKey('free', { rateLimit: 1 });
    await asCsv(path, { key: hurried.key });
    const refused = [
      await asCsv(path, {}),
      await asCsv(path, { key: hurried.key }),
      await asCsv('/api/v1/nothing', { key }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      [401, 'missing_api_key'],
      [429, 'rate_limited'],
      [404, 'not_found'],
    ]);
    for (const { headers } of refused) expect(headers.get('content-type')).toBe('application/problem+json');
  });
});

describe.each(OTHERS.map((route) => [exampleUrl(route)]))('%s', (path) => {
  test('is not a list, and has only one format', async () => {
    const [usual, asked] = [await gateway.get(path, { key }), await asCsv(path)];
    expect(asked.status).toBe(200);
    expect(asked.headers.get('content-type')).toBe(usual.headers.get('content-type'));
    expect(asked.text).toBe(usual.text);
    expect(asked.headers.get('vary')).toBe(usual.headers.get('vary'));
  });
});

test('the lookup varies only by key and encoding', async () => {
  const { headers } = await asCsv('/api/v1/lookup?ean=4006381333931');
  expect([headers.get('content-type'), headers.get('vary')]).toEqual([
    'application/json',
    'x-api-key, Accept-Encoding',
  ]);
});

describe('an empty list', () => {
  test.each([
    ['/api/v1/products?brand=nobody', '/api/v1/products'],
    ['/api/v1/brands?q=zzzz', '/api/v1/brands'],
    ['/api/v1/merchants?q=zzzz', '/api/v1/merchants'],
    ['/api/v1/articles?category=nowhere', '/api/v1/articles'],
    ['/api/v1/categories?root=nowhere', '/api/v1/categories'],
    ['/api/v1/search?q=%C2%A7', '/api/v1/search?q=a'],
    [`${PRODUCT}/price-stats?merchant=nobody`, `${PRODUCT}/price-stats`],
    [`${PRODUCT}/price-history?from=2001-01-01&to=2001-01-31`, `${PRODUCT}/price-history`],
    ['/api/v1/price-index?category=nowhere', '/api/v1/price-index?category=audio'],
    ['/api/v1/merchant-comparison?brand=nobody', '/api/v1/merchant-comparison?category=audio'],
  ])('%s still has its header line', async (empty, full) => {
    const [nothing, something] = [await asCsv(empty), await asCsv(full)];
    expect([nothing.status, rowsOf(nothing)]).toEqual([200, []]);
    expect(rowsOf(something).length).toBeGreaterThan(0);
    expect(nothing.text).toBe(something.text.slice(0, something.text.indexOf('\r\n') + 2));
  });
});

test('the links to the next page lead through the whole list, whose length is X-Total-Count', async () => {
  const path = '/api/v1/products?sort=name&limit=100';
  const slugs: string[] = [];
  let next: string | undefined = path;
  let total = 0;
  while (next !== undefined) {
    const answer: Answer = await asCsv(next);
    slugs.push(...rowsOf(answer).map(({ slug = '' }) => slug));
    total = Number(answer.headers.get('x-total-count'));
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  const { body } = await asJson(path);
  expect(total).toBe(body.page.total);
  expect([slugs.length, new Set(slugs).size]).toEqual([total, total]);
});

test('X-Total-Count is omitted when the total is not exact', async () => {
  const other = await forTest(startTestGateway());
  const own = await other.makeKey('enterprise');
  await other.database.query(
    `INSERT INTO product (slug, name, sort_name) SELECT 'p' || n, 'P' || n, 'p' || n FROM generate_series(1, 10001) AS n`,
  );
  const { headers } = await other.get('/api/v1/products', { key: own.key, headers: { accept: 'text/csv' } });
  expect(headers.get('content-type')).toBe(CSV);
  expect(headers.get('x-total-count')).toBeNull();
});

test('product names cannot run as formulas in a spreadsheet, and are unchanged in JSON', async () => {
  const path = '/api/v1/products?q=nasty&sort=name';
  const names = rowsOf(await asCsv(path)).map(({ name }) => name);
  const { body } = await asJson(path);
  expect(names).toHaveLength(4);
  expect(names.filter((name = '') => name.startsWith("'"))).toEqual(body.data.map(({ name }: Item) => `'${name}`));
});

/** The cells as seen by a program that splits at `;` and honours quotes only at the start of a cell, such as a German Excel. */
function germanCells(text: string): string[] {
  const cells: string[] = [];
  let rest = text;
  while (rest !== '') {
    const [cell = ''] = /^"[^"]*"?[^;\t\r\n]*|^[^;\t\r\n]*/.exec(rest) ?? [];
    cells.push(cell);
    rest = rest.slice(cell.length + 1);
  }
  return cells;
}

test('no formula can run in a spreadsheet that splits cells at semicolons, tabs or line breaks', async () => {
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '"=1+1"', ' =1+1', "'=1", ';=1', '\uff1d1'];
  const texts = [';', '\t', '\n', '\r'].flatMap((separator) =>
    formulas.map((formula) => `Phone${separator}${formula};x`),
  );
  const csv = toCsv(
    ['name', 'price', 'other'],
    texts.map((text) => [text, -5, text]),
  );
  const dangerous = germanCells(csv).filter((cell) => /^[\s"']*[=+\-@\uff1d]/.test(cell) && !/^[\s"']*'/.test(cell));
  expect(dangerous).toEqual([]);
  const rows: string[][] = parse(csv, { from: 2 });
  expect(rows).toHaveLength(texts.length);
  for (const [index, row] of rows.entries()) {
    const [name = '', price, other] = row;
    expect([row.length, price, other]).toEqual([3, '-5', name]);
    expect(name.replaceAll("'", '')).toBe(texts[index]?.replaceAll("'", ''));
  }
  expect(toCsv(['a'], [['Phone; 5-port, =rated'], ['a-b;c=d']])).toBe('a\r\n"Phone; 5-port, =rated"\r\n"a-b;c=d"\r\n');
});

test('invalid parameters and unknown products are answered with problem documents', async () => {
  const wrong = await asCsv('/api/v1/products?limit=x');
  expect([wrong.status, wrong.body.parameter]).toEqual([400, 'limit']);
  const unknown = await asCsv('/api/v1/products/nothing-of-that-name/offers');
  expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found']);
});

test('the cache keeps CSV and JSON responses apart', async () => {
  const keeping = await forTest(startTestGateway({ ANSWER_CACHE_MB: '1' }));
  await keeping.importRows(
    'A Shop',
    Array.from({ length: 20 }, (_, n) => feedRow({ id: `${n}`, title: `Kettle ${n}` })),
  );
  const own = await keeping.makeKey('starter');
  const answers: Answer[] = [];
  for (const accept of ['text/csv', 'application/json', 'text/csv', '*/*', 'text/csv']) {
    for (const encoding of ['identity', 'br']) {
      const headers = { accept, 'accept-encoding': encoding };
      answers.push(await keeping.get('/api/v1/products', { key: own.key, headers }));
    }
  }
  const types = answers.map(({ headers }) => headers.get('content-type'));
  expect(types).toEqual([
    CSV,
    CSV,
    ...Array(2).fill('application/json'),
    CSV,
    CSV,
    ...Array(2).fill('application/json'),
    CSV,
    CSV,
  ]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(2);
  expect(answers[0]?.text).toMatch(/^id,slug,name,/);
  expect(answers[2]?.text).toMatch(/^\{"data":/);
  expect(answers.map(({ headers }) => Number(headers.get('x-quota-remaining')))).toEqual(
    answers.map((_, asked) => 9_999 - asked),
  );
});

test('a tool call returns JSON, whatever the agent’s client accepts', async () => {
  const likesTables: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('accept', 'text/csv, application/json;q=0.9, text/event-stream;q=0.9');
    return fetch(input, { ...init, headers });
  };
  const agent = await connectAgent(gateway.address, { 'x-api-key': key }, '2025-11-25', likesTables);
  onTestFinished(() => agent.client.close());
  const { structuredContent } = await agent.call('list_merchants', { limit: 3 });
  expect(structuredContent).toEqual((await asJson('/api/v1/merchants?limit=3')).body);
});
