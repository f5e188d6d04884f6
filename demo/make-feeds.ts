/** Makes the demo's feeds anew: the same text every time. Run by `npm run demo:feeds`. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { EXTENSIONS, type Item, writeFeed } from './generator/formats.ts';
import { ARCHIVED_DAYS_AGO, FULL_DAYS_AGO, type OfferState, offerHistory } from './generator/history.ts';
import { makeProducts, type Product } from './generator/products.ts';
import { SHOPS, type Shop, sellersOf } from './generator/shops.ts';

const folder = join(process.cwd(), 'demo');
const paths = new Map(
  readFileSync(join(folder, 'taxonomy.txt'), 'utf8')
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => [Number.parseInt(line, 10), line.slice(line.indexOf(' - ') + 3)]),
);

const STOCK_WORDS = { preorder: 'preorder', backorder: 'backorder' };

function itemOf(product: Product, shop: Shop, { regular, sale, stock }: OfferState): Item {
  const current = sale ?? regular;
  const { shipping } = shop;
  const cost = shipping && (current >= shipping.freeFrom ? 0 : shipping.cents);
  return {
    id: `${shop.slug.slice(0, 3).toUpperCase()}-${10_000 + product.number}`,
    title: product.title,
    description: product.description,
    link: `${shop.url}/p/${10_000 + product.number}`,
    image_link: product.image,
    availability: stock === 'in' ? shop.words.inStock : stock === 'out' ? shop.words.outOfStock : STOCK_WORDS[stock],
    price: shop.price(regular),
    sale_price: sale === undefined ? undefined : shop.price(sale),
    shipping: cost === undefined ? undefined : `DE::Standard:${(cost / 100).toFixed(2)} EUR`,
    condition: shop.sellsRefurbished && product.number % 5 === 0 ? 'refurbished' : 'new',
    brand: product.brand,
    gtin: product.gtin,
    mpn: product.mpn,
    asin: product.asin,
    // Shops name the category by its number or by its path.
    google_product_category:
      product.number % 2 === 0 ? String(product.department.category) : paths.get(product.department.category),
  };
}

const products = makeProducts();
const sellers = new Map(products.map((product) => [product.number, sellersOf(product)]));
rmSync(join(folder, 'feeds'), { recursive: true, force: true });

const shops = SHOPS.map((shop) => {
  const offers = products
    .filter((product) => sellers.get(product.number)?.includes(shop))
    .map((product) => ({ product, history: offerHistory(product, shop) }));
  const told = new Map<number, string>();
  const feeds = ARCHIVED_DAYS_AGO.map((daysAgo) => {
    const isFull = FULL_DAYS_AGO.has(daysAgo);
    const items = offers.flatMap(({ product, history }) => {
      const state = history.get(daysAgo);
      if (!state) return [];
      const item = itemOf(product, shop, state);
      const isChanged = told.get(product.number) !== JSON.stringify(item);
      told.set(product.number, JSON.stringify(item));
      // What changes between full feeds is told briefly, as shops do.
      return isFull ? [item] : isChanged ? [{ ...item, description: undefined, image_link: undefined }] : [];
    });
    const isPacked = daysAgo > 0 && shop.format !== 'tsv';
    const file = `feeds/${shop.slug}/${String(daysAgo).padStart(3, '0')}-days-ago.${EXTENSIONS[shop.format]}${isPacked ? '.gz' : ''}`;
    const text = writeFeed(shop, items);
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), isPacked ? gzipSync(text, { level: 9 }) : text);
    return { file, daysAgo, delta: !isFull };
  });
  return { merchant: shop.merchant, url: shop.url, feeds };
});
writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify({ taxonomy: 'taxonomy.txt', shops }, null, 1)}\n`);

const single = [...sellers.values()].filter((each) => each.length === 1).length;
const withAsin = products.filter(({ asin }) => asin !== undefined).length;
process.stdout.write(
  `${products.length} products, ${withAsin} with an ASIN, ${single} sold by one shop, ${shops.flatMap(({ feeds }) => feeds).length} feeds\n`,
);
