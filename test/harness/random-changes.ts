/** Random changes of a small catalogue, of every kind that imports and operators make. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importArticles } from '../../src/import/articles.ts';
import { detachIdentifier } from '../../src/import/detach-identifier.ts';
import { allowIdentifier } from '../../src/import/detachment.ts';
import { DetachRefused } from '../../src/import/identifier-binding.ts';
import { type Identifier, IdentifierNotFound } from '../../src/import/identifier-name.ts';
import { importTaxonomyText } from './catalogue.ts';
import { gtinOf, numbers } from './fuzz.ts';
import { type FeedRowFields, feedRow, type TestGateway } from './gateway.ts';

const HOUR_MS = 3_600_000;
const SHOPS = ['One', 'Two', 'Three', 'Four'];
const BRANDS = ['Acme', 'Bolt', 'Corvus'];
export const GTINS = Array.from({ length: 8 }, (_, n) => gtinOf(400_638_133_000 + n));
export const ASINS = Array.from({ length: 4 }, (_, n) => `B0STALE00${n}`);
const NAMES = ['Kettle', 'Toaster', 'Lamp', 'Mixer', 'Kettles', 'Radio', 'Clock', 'Fan'];
const TREES = [
  '1 - Home\n2 - Garden\n3 - Home > Kitchen\n4 - Home > Kitchen > Kettles',
  '1 - Home\n2 - Garden\n3 - Garden > Kitchens\n4 - Garden > Kitchens > Kettles\n5 - Home > Light',
];

/**
 * Returns a function that makes the next change, and describes it. The first call fills the catalogue: four shops, eight products that share
 * brands, categories and, now and then, identifiers.
 */
export function openRandomChanges(
  { database, importRows }: Pick<TestGateway, 'database' | 'importRows'>,
  seed: number,
) {
  const next = numbers(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[next(items.length)] as Item;
  const perhaps = (oneIn: number, fields: () => FeedRowFields) => (next(oneIn) === 0 ? fields() : {});
  const feeds = new Map(SHOPS.map((shop) => [shop, new Map<number, FeedRowFields>()]));
  const feedOf = (shop: string) => feeds.get(shop) ?? new Map<number, FeedRowFields>();
  let now = Date.now() - 60 * 24 * HOUR_MS;

  const price = (total: number) => ({ price: `${total}.00 EUR` });
  /** What a row says about its product: a little more with time, and now and then something else. */
  const goods = (n: number): FeedRowFields => ({
    ...(next(6) > 0 && { gtin: GTINS[next(12) === 0 ? next(GTINS.length) : n] }),
    ...perhaps(5, () => ({ asin: pick(ASINS) })),
    ...(next(4) > 0 && { brand: next(8) === 0 ? `Brand ${next(1_000)}` : BRANDS[n % 3], mpn: `M-${n}` }),
    ...perhaps(4, () => ({ google_product_category: `${1 + (n % 4)}` })),
    // Most groups are those of a brand, so that shops often state the same ones.
    item_group_id: `${next(6) === 0 ? next(3) : n % 3}`,
    ...perhaps(2, () => ({ size: pick(['S', 'M']) })),
    ...perhaps(3, () => ({ unit_pricing_measure: pick(['500 g', '1 kg', '750 ml']) })),
    ...perhaps(8, () => ({ description: `About ${n}`, image_link: `https://images.example/${n}.jpg`, color: 'Red' })),
  });
  const row = (n: number) =>
    feedRow({
      id: `${n}`,
      title: `${NAMES[n]} ${n}`,
      ...price(20 + next(30)),
      ...perhaps(4, () => ({ sale_price: '15.00 EUR' })),
      ...perhaps(3, () => ({ shipping: `DE:::${next(4)}.00 EUR` })),
      availability: next(4) === 0 ? 'out_of_stock' : 'in_stock',
      condition: next(6) === 0 ? 'used' : 'new',
      ...goods(n),
    });
  /** Changes some rows of a shop's feed, adds some, and returns them. */
  const alter = (shop: string, count: number): FeedRowFields[] => {
    const altered = new Set(Array.from({ length: count }, () => next(NAMES.length)));
    return [...altered].map((n) => {
      const known = feedOf(shop).get(n);
      const fresh = known && next(3) > 0 ? { ...known, ...price(20 + next(30)) } : row(n);
      feedOf(shop).set(n, fresh);
      return fresh;
    });
  };
  const send = (shop: string, rows: readonly FeedRowFields[], mode: 'full' | 'delta', at = now) => {
    const merchantUrl = next(10) === 0 ? `https://${shop.toLowerCase()}.example/${next(5)}` : undefined;
    return importRows(shop, rows, { mode, observedAt: new Date(at), isForced: true, merchantUrl });
  };
  const sendAll = (shop: string) => send(shop, [...feedOf(shop).values()], 'full');
  const anIdentifier = (): Identifier =>
    next(3) > 0 ? { kind: 'gtin', value: `0${pick(GTINS)}` } : { kind: 'asin', value: pick(ASINS) };
  const unlessExpected = (error: unknown) => {
    if (!(error instanceof IdentifierNotFound) && !(error instanceof DetachRefused)) throw error;
  };

  // The kinds of changes, each with the number of times that it is in the hat.
  const kinds: Record<string, [times: number, make: (shop: string) => Promise<unknown>]> = {
    delta: [6, (shop) => send(shop, alter(shop, 1 + next(2)), 'delta')],
    'unchanged delta': [3, (shop) => send(shop, [...feedOf(shop).values()].slice(0, 2), 'delta')],
    'full feed': [
      3,
      (shop) => {
        alter(shop, 2);
        return sendAll(shop);
      },
    ],
    'unchanged full feed': [2, sendAll],
    withdrawal: [
      3,
      (shop) => {
        feedOf(shop).delete(next(NAMES.length));
        return sendAll(shop);
      },
    ],
    regrouping: [
      3,
      (shop) => {
        for (const [n, known] of feedOf(shop)) {
          if (next(3) === 0) feedOf(shop).set(n, { ...known, item_group_id: `${next(3)}` });
        }
        return send(shop, [...feedOf(shop).values()], 'delta');
      },
    ],
    'archived feed': [
      2,
      (shop) => send(shop, [0, 1, 2].map(row), pick(['full', 'delta'] as const), now - (1 + next(50)) * HOUR_MS),
    ],
    detachment: [
      1,
      (shop) =>
        detachIdentifier(database, { identifier: anIdentifier(), ...(next(2) === 0 && { merchant: shop }) }).catch(
          unlessExpected,
        ),
    ],
    permission: [1, () => allowIdentifier(database, anIdentifier()).catch(unlessExpected)],
    taxonomy: [1, () => importTaxonomyText(database, pick(TREES))],
    article: [1, () => importArticle(`guide-${next(3)}`, `Guide ${next(100)}`)],
    ageing: [
      1,
      () =>
        database.script(`
          UPDATE product SET discounted_on = '2026-01-01', discount = 1 WHERE id % 2 = 0;
          SELECT refresh_aged_figures(200);`),
    ],
  };
  const importArticle = async (slug: string, title: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'pda-articles-'));
    const head = `title: ${title}\nslug: ${slug}\nsummary: About kettles.\npublished: 2026-01-0${1 + next(9)}`;
    writeFileSync(join(folder, `${slug}.md`), `---\n${head}\n---\nText ${title}.\n`);
    await importArticles(database, folder).finally(() => rmSync(folder, { recursive: true }));
  };
  const hat = Object.entries(kinds).flatMap(([name, [times, make]]) =>
    Array.from({ length: times }, () => ({ name, make })),
  );

  let isFilled = false;
  return async (): Promise<string> => {
    now += HOUR_MS;
    if (!isFilled) {
      isFilled = true;
      await importTaxonomyText(database, TREES[0] ?? '');
      for (const shop of SHOPS) {
        alter(shop, 6);
        await sendAll(shop);
      }
      return 'the first feeds';
    }
    const { name, make } = pick(hat);
    const shop = pick(SHOPS);
    await make(shop);
    return `${name} of ${shop}`;
  };
}
