/** Variants that a shop states for goods of others: its groups alone must not put its goods on their pages. */
import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startGateway } from '../../src/gateway.ts';
import { eventually } from '../harness/eventually.ts';
import { gtinOf } from '../harness/fuzz.ts';
import { ask, type FeedRowFields, feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
const environment = { PORT: '0', LOG_LEVEL: 'silent', ANSWER_CACHE_MB: '8', DRAIN_DELAY_SECONDS: '0', FEEDS: 'off' };
const keeping = await forFile(startGateway(readConfig(environment), { ...gateway.database, close: async () => {} }));

// Each test has shops of its own.
let shops = 0;
beforeEach(() => {
  shops += 1;
});
const feed = (shop: string, rows: readonly FeedRowFields[], day: number, mode: 'full' | 'delta' = 'delta') =>
  gateway.importRows(`${shop} ${shops}`, rows, { observedAt: new Date(Date.UTC(2026, 0, day)), mode, isForced: true });

/** What the detail, the page and GraphQL show as variants, by their names; the three agree. */
async function variantsOf(slug: string, { address } = gateway as { address: string }): Promise<string[]> {
  const query = `{ product(id: "${slug}") { variants { name } } }`;
  const headers = { 'content-type': 'application/json' };
  const [detail, page, graphql] = await Promise.all([
    ask(`${address}/api/v1/products/${slug}`, { key }),
    ask(`${address}/products/${slug}`),
    ask(`${address}/graphql`, { method: 'POST', key, headers, body: JSON.stringify({ query }) }),
  ]);
  const names = (variants: { name: string }[]) => variants.map(({ name }) => name);
  const lists = [...page.text.matchAll(/<ul class="variants">(.*?)<\/ul>/gs)].map(([, list]) => list).join('');
  const shown = { graphql: names(graphql.body.data.product.variants), links: [...lists.matchAll(/href=/g)].length };
  const variants = names(detail.body.data.variants);
  // The caches of a gateway may know of a change at different moments.
  if (isDeepStrictEqual(shown, { graphql: variants, links: variants.length })) return variants;
  return [`the detail shows ${variants}, and others ${JSON.stringify(shown)}`];
}

const idOf = (name: string) => name.toLowerCase().replaceAll(' ', '-');
const goods = (name: string, group: string | undefined, fields: FeedRowFields = {}): FeedRowFields =>
  feedRow({ id: idOf(name), title: name, ...(group !== undefined && { item_group_id: group }), ...fields });
const branded = (name: string, n: number, group?: string) =>
  goods(name, group, { brand: 'Acme', gtin: gtinOf(400_000_000_000 + n) });
const many = (count: number, name: string, fields: FeedRowFields) =>
  Array.from({ length: count }, (_, n) => goods(`${name} ${n}`, 'g', { ...fields, mpn: `${name}-${n}` }));
const names = (count: number, name: string) => Array.from({ length: count }, (_, n) => `${name} ${n}`);

describe.each([
  ['with a brand', { brand: 'Acme' }],
  ['without one', {}],
])('a shop that states a group with the product of another one, %s', (kind, brand) => {
  const name = `Drill ${kind}`;
  const slug = idOf(name);
  const own = { ...brand, gtin: gtinOf(410_000_000_000 + kind.length) };
  const cheaper = many(40, `CHEAPER AT ${kind}`, { ...brand, price: '0.01 EUR' });

  test('shows none of its goods there, and takes none of the founder’s away', async () => {
    await feed('Honest', [goods(name, 'drills', own), goods(`${name} L`, 'drills', brand)], 1);
    await feed('Attacker', [goods('mine', 'g', own), ...cheaper], 2);
    expect(await variantsOf(slug)).toEqual([`${name} L`]);
    expect(await variantsOf(`${slug}-l`)).toEqual([name]);
  });
});

test('a second shop that states the same grouping makes the variants appear, and its withdrawal removes them, also from kept answers', async () => {
  const shown = (...expected: string[]) =>
    Promise.all(
      [gateway, keeping].map(async (from) =>
        expect(
          await eventually(
            () => variantsOf('saw', from),
            (variants) => String(variants) === String(expected),
          ),
        ).toEqual(expected),
      ),
    );
  await feed('Honest', [branded('Saw', 1, 'saws'), branded('Saw L', 2, 'saws')], 1);
  await shown('Saw L');
  const [saw, large] = [branded('Saw', 1, 'a'), branded('Saw XL', 3, 'a')];
  await feed('Second', [saw, large], 2);
  await shown('Saw L');
  await feed('Third', [{ ...saw, item_group_id: 'b' }, branded('Saw XL', 3)], 3);
  await shown('Saw L');
  await feed('Third', [branded('Saw XL', 3, 'b')], 4);
  await shown('Saw L', 'Saw XL');
  await feed('Second', [{ ...saw, item_group_id: 'elsewhere' }], 5);
  await shown('Saw L');
  await feed('Second', [saw], 6);
  await shown('Saw L', 'Saw XL');
  await feed('Third', [saw], 7, 'full');
  await shown('Saw L');
});

test('two offers of one shop in two groups are one statement', async () => {
  const rows = ['a', 'b'].flatMap((group) =>
    [branded('Plane', 10, group), branded('Plane L', 11, group)].map((row) => ({ ...row, id: `${row.id} ${group}` })),
  );
  await feed('Honest', [branded('Plane', 10)], 1);
  await feed('Attacker', rows, 2);
  expect(await variantsOf('plane')).toEqual([]);
  expect(await variantsOf('plane-l')).toEqual(['Plane']);
});

test('goods without a brand have variants only of the shop that founded both, even if two others state more', async () => {
  const bare = (name: string, n: number) => goods(name, 'g', { gtin: gtinOf(420_000_000_000 + n) });
  await feed('Honest', [bare('File', 1), bare('File L', 2)], 1);
  for (const shop of ['Second', 'Third']) await feed(shop, [bare('File', 1), bare('File XL', 3)], 2);
  expect(await variantsOf('file')).toEqual(['File L']);
  await feed('Honest', [bare('File XL', 3)], 3);
  expect(await variantsOf('file')).toEqual(['File L']);
  expect(await variantsOf('file-xl')).toEqual([]);
});

test('at most five variants are shown that only one shop lists, the oldest of them, and all that others list too', async () => {
  const known = Array.from({ length: 3 }, (_, n) => branded(`Known ${n}`, 30 + n, 'g'));
  const alone = many(8, 'Alone', { brand: 'Acme' });
  await feed('Founder', [branded('Axe', 20, 'g'), ...alone, ...known], 1);
  const few = names(5, 'Alone');
  expect(await variantsOf('axe')).toEqual(few);
  await feed('Second', [...known, branded('Axe', 20)].map(withoutGroup), 2);
  expect(await variantsOf('axe')).toEqual([...few, ...names(3, 'Known')]);
  await feed('Second', [goods('first', undefined, { brand: 'Acme', mpn: 'Alone-0' })], 3);
  expect(await variantsOf('axe')).toEqual([...names(6, 'Alone'), ...names(3, 'Known')]);
});

const withoutGroup = ({ item_group_id: _, ...row }: FeedRowFields) => row;

test('the groups of one shop cannot keep those of others from counting', async () => {
  await feed('Honest', [branded('Vice', 50)], 1);
  const flood = Array.from({ length: 20 }, (_, n) => ({ ...branded('Vice', 50, `${n}`), id: `${n}` }));
  await feed('Attacker', flood, 2);
  await feed('Honest', [branded('Vice', 50, 'g'), branded('Vice L', 51, 'g')], 3);
  for (const shop of ['Second', 'Third']) await feed(shop, [branded('Vice', 50, 'g'), branded('Vice XL', 52, 'g')], 4);
  expect(await variantsOf('vice')).toEqual(['Vice L', 'Vice XL']);
});

test('a product whose founder was not recorded has only the variants that two shops state', async () => {
  await feed('Old', [branded('Tongs', 60, 'g'), branded('Tongs L', 61, 'g')], 1);
  await gateway.database.query("UPDATE product SET merchant_id = NULL WHERE slug LIKE 'tongs%'");
  expect(await variantsOf('tongs')).toEqual([]);
  await feed('Second', [branded('Tongs', 60, 'g'), branded('Tongs L', 61, 'g')], 2);
  expect(await variantsOf('tongs')).toEqual(['Tongs L']);
});
