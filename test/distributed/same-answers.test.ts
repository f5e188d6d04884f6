/** A distributed database gives the answers of a single server, and those for several products at once equal those for each. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportClicks } from '../../src/clicks/click-report.ts';
import type { Database } from '../../src/database/database.ts';
import { isDistributed } from '../../src/database/ledger-home.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { importTaxonomyText, TAXONOMY } from '../harness/catalogue.ts';
import { makeEmptyDatabase } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { exported } from '../harness/exports.ts';
import { feedRow, startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { signInTo } from '../harness/operator.ts';

const DAY_MS = 86_400_000;
const NOW = Date.now();
const day = (ago: number) => new Date(NOW - ago * DAY_MS).toISOString().slice(0, 10);

interface Side {
  gateway: TestGateway;
  database: Database;
  key: string;
}

let cluster: Side;
let single: Side;
let alone: Awaited<ReturnType<typeof makeEmptyDatabase>>;
beforeAll(async () => {
  cluster = await start();
  alone = await makeEmptyDatabase('single');
  const database = openPostgres({ url: alone.url, purpose: 'bulk' });
  await migrate(database);
  single = await start(database);
});
afterAll(async () => {
  await cluster.gateway.stop();
  await single.gateway.stop();
  await alone.drop();
});

/** Starts a gateway with a catalogue, and follows the link of each offer of a product. */
async function start(database?: Database): Promise<Side> {
  const gateway = await startTestGateway({ CONSOLE: 'on' }, database);
  await importTaxonomyText(gateway.database, TAXONOMY);
  const echo = feedRow({
    id: 'echo',
    title: 'Echo',
    brand: 'Aurelio',
    gtin: '4006381333931',
    google_product_category: '505771',
    price: '80 EUR',
  });
  const duo = feedRow({ id: 'duo', title: 'Duo', brand: 'Donner', google_product_category: '249', price: '120 EUR' });
  const mini = feedRow({ id: 'mini', title: 'Mini', brand: 'Aurelio', gtin: '4006381333948', price: '20 EUR' });
  const at = (days: number) => ({ observedAt: new Date(NOW - days * DAY_MS) });
  const dearer = { ...echo, price: '60 EUR', shipping: 'DE:::5.00 EUR' };
  await gateway.importRows('Gamma', [{ ...mini, price: '5 EUR' }], at(40));
  await gateway.importRows('Alpha', [echo, mini, duo], at(30));
  await gateway.importRows('Beta', [dearer, duo], at(20));
  await gateway.importRows('Gamma', [], { ...at(15), isForced: true });
  await gateway.importRows(
    'Beta',
    [
      { ...dearer, price: '45 EUR' },
      { ...duo, availability: 'out_of_stock' },
    ],
    at(10),
  );
  const { key } = await gateway.makeKey('enterprise');
  const { body } = await gateway.get('/api/v1/lookup?ean=4006381333931', { key });
  for (const { url } of body.data.offers) await gateway.get(url);
  await eventually(
    () => gateway.database.query('SELECT offer_id FROM click'),
    ({ length }) => length === body.data.offers.length,
  );
  return { gateway, database: gateway.database, key };
}

/** Expects the same answer of both, but for their random ids. */
async function compare<Result>(ask: (side: Side) => Promise<Result>): Promise<Result> {
  const [one, other] = [await ask(cluster), await ask(single)];
  const plain = (answer: unknown) => JSON.stringify(answer).replaceAll(/(?<=[iI]d":")[^"]+/g, '');
  expect(JSON.parse(plain(one))).toEqual(JSON.parse(plain(other)));
  return one;
}

test('one database is distributed, and the other is not', async () => {
  expect(await isDistributed(cluster.database)).toBe(true);
  expect(await isDistributed(single.database)).toBe(false);
});

describe('the answer is the same', () => {
  const SPAN = `from=${day(60)}&to=${day(1)}`;

  test.each([
    `price-history?${SPAN}&interval=week`,
    `price-history?${SPAN}&condition=new&availability=in_stock`,
    `price-history?${SPAN}&merchant=alpha`,
    `price-history?${SPAN}&merchant=beta&condition=new&interval=month`,
    `price-history?${SPAN}&merchant=gamma`,
    `price-stats?${SPAN}`,
    `price-stats?${SPAN}&merchant=beta`,
  ])('for %s', async (path) => {
    await compare(async ({ gateway, key }) => (await gateway.get(`/api/v1/products/echo/${path}`, { key })).body);
  });

  test.each([
    ['', 9],
    ['merchant=beta', 4],
    ['brand=aurelio', 6],
    ['category=headphones', 3],
    ['merchant=alpha&brand=donner', 1],
    ['minPrice=50&maxPrice=100&availability=in_stock', 3],
    [`from=${day(25)}&to=${day(12)}`, 3],
    ['merchant=nobody', 0],
  ])('for the export of the history with %j', async (query, count) => {
    const entries = async ({ gateway, key }: Side) => (await exported(gateway, `history?${query}`, { key })).lines;
    expect(await compare(entries)).toHaveLength(count);
  });

  test('for the clicks of each shop', async () => {
    const span = { from: day(2), to: day(-1) };
    expect(await compare(({ database }) => reportClicks(database, { ...span, shopId: undefined }))).toHaveLength(2);
  });

  test('for the ledger in the console', async () => {
    const rows = async ({ gateway }: Side) => {
      const operator = await signInTo(gateway);
      const found = await operator.get('/console/products?query=4006381333931');
      const [path] = /\/console\/products\/prd_\w+/.exec(found.text) ?? [];
      const { status, text } = await operator.get(`${path}/ledger`);
      expect(status).toBe(200);
      return text.match(/€\d+\.\d\d/g);
    };
    expect(await compare(rows)).toEqual(expect.arrayContaining(['€80.00', '€65.00', '€50.00']));
  });
});

describe('several products at once', () => {
  const FIELDS = `
    slug
    statistics { low { price } high { price } drops observations }
    priceHistory(from: "${day(60)}", to: "${day(1)}") { lowestEver { price date } points { date min max avg offerCount } }
    alpha: priceHistory(from: "${day(60)}", to: "${day(1)}", merchant: "alpha") { lowestEver { price } points { date min } }`;
  const list = async ({ gateway, key }: Side) =>
    (await gateway.graphql(`{ products(first: 10) { nodes { ${FIELDS} } } }`, { key })).body;

  test('have the histories and statistics that each has by itself', async () => {
    const { data, errors } = await list(cluster);
    expect(errors).toBeUndefined();
    expect(data.products.nodes).toHaveLength(4);
    for (const product of data.products.nodes) {
      const { body } = await cluster.gateway.graphql(`{ product(id: "${product.slug}") { ${FIELDS} } }`, cluster);
      expect(body).toEqual({ data: { product } });
    }
  });

  test('have those of a single server', async () => {
    const { data } = await compare(list);
    expect(JSON.stringify(data)).toContain('"min":50');
  });
});
