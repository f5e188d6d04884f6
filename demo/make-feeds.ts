/**
 * Makes the demo's feeds and their manifest anew: the same text every time. Run by `npm run demo:feeds`; another folder
 * than `demo/` may be given as the argument.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkCatalogue } from './generator/checks.ts';
import { EXTENSIONS, writeFeed } from './generator/formats.ts';
import { ARCHIVED_DAYS_AGO, FULL_DAYS_AGO, offerHistory } from './generator/history.ts';
import { itemOf } from './generator/items.ts';
import { makeProducts } from './generator/products.ts';
import { SHOPS, sellersOf } from './generator/shops.ts';

const source = join(process.cwd(), 'demo');
const folder = process.argv[2] ?? source;
const categoryPaths = new Map(
  readFileSync(join(source, 'taxonomy.txt'), 'utf8')
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => [Number.parseInt(line, 10), line.slice(line.indexOf(' - ') + 3)]),
);

const products = makeProducts();
checkCatalogue(products, sellersOf);
const sellers = new Map(products.map((product) => [product.number, sellersOf(product)]));
rmSync(join(folder, 'feeds'), { recursive: true, force: true });

let bytes = 0;
const shops = SHOPS.map((shop) => {
  const offers = products
    .filter((product) => sellers.get(product.number)?.includes(shop))
    .map((product) => ({ product, history: offerHistory(product, shop, sellers.get(product.number)?.[0] === shop) }));
  const told = new Map<number, string>();
  const feeds = ARCHIVED_DAYS_AGO.map((daysAgo) => {
    const isFull = FULL_DAYS_AGO.has(daysAgo);
    const items = offers.flatMap(({ product, history }) => {
      const state = history.get(daysAgo);
      if (!state) return [];
      const item = itemOf(product, shop, state, categoryPaths);
      const isChanged = told.get(product.number) !== JSON.stringify(item);
      told.set(product.number, JSON.stringify(item));
      // What changes between full feeds is told briefly, as shops do.
      return isFull ? [item] : isChanged ? [{ ...item, description: undefined, image_link: undefined }] : [];
    });
    const isPacked = daysAgo > 0 && shop.format !== 'tsv';
    const file = `feeds/${shop.slug}/${String(daysAgo).padStart(3, '0')}-days-ago.${EXTENSIONS[shop.format]}${isPacked ? '.gz' : ''}`;
    const text = Buffer.from(writeFeed(shop, items));
    const written = isPacked ? gzipSync(text, { level: 9 }) : text;
    bytes += written.length;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), written);
    return { file, daysAgo, delta: !isFull };
  });
  return { merchant: shop.merchant, url: shop.url, feeds };
});
writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify({ taxonomy: 'taxonomy.txt', shops }, null, 1)}\n`);

const sold = [...sellers.values()];
process.stdout.write(
  [
    `${products.length} products, ${products.filter(({ asin }) => asin !== undefined).length} with an ASIN`,
    `${sold.flat().length} offers now, ${sold.filter((each) => each.length === 1).length} products sold by one shop`,
    `${shops.flatMap(({ feeds }) => feeds).length} feeds, ${bytes} bytes\n`,
  ].join('\n'),
);
