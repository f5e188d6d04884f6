/** The ten shops of the demo: what each sells, in which format it writes, and the habits of its feed. */
import type { Product } from './products.ts';
import { randomOf } from './random.ts';

export type Format = 'rss' | 'atom' | 'tsv' | 'csv' | 'jsonl';

export interface Shop {
  merchant: string;
  slug: string;
  url: string;
  format: Format;
  /** How prices are written, such as `15,00 EUR`. */
  price: (cents: number) => string;
  /** The shop's words for available and not. */
  words: { inStock: string; outOfStock: string };
  /** Shipping in cents; free above `freeFrom`. */
  shipping: { cents: number; freeFrom: number } | undefined;
  /** Share of the catalogue that it sells. */
  share: number;
  /** How its prices stand to the base price. */
  level: number;
  sellsRefurbished: boolean;
}

const plain = (cents: number) => `${(cents / 100).toFixed(2)} EUR`;
const comma = (cents: number) => `${german(cents)} EUR`;
const before = (cents: number) => `EUR ${(cents / 100).toFixed(2)}`;
const sign = (cents: number) => `€${(cents / 100).toFixed(2)}`;
const german = (cents: number) =>
  (cents / 100)
    .toFixed(2)
    .replace('.', ',')
    .replace(/\B(?=(\d{3})+,)/g, '.');

const shop = (
  merchant: string,
  slug: string,
  format: Format,
  rest: Omit<Shop, 'merchant' | 'slug' | 'url' | 'format'>,
): Shop => ({
  merchant,
  slug,
  url: `https://www.${slug}.example`,
  format,
  ...rest,
});

const google = { inStock: 'in_stock', outOfStock: 'out_of_stock' };
const spaced = { inStock: 'in stock', outOfStock: 'out of stock' };
const schema = { inStock: 'https://schema.org/InStock', outOfStock: 'https://schema.org/SoldOut' };
const camel = { inStock: 'InStock', outOfStock: 'OutOfStock' };

export const SHOPS: readonly Shop[] = [
  shop('Kaufrausch24', 'kaufrausch24', 'rss', {
    price: plain,
    words: google,
    shipping: { cents: 490, freeFrom: 5000 },
    share: 0.6,
    level: 1,
    sellsRefurbished: false,
  }),
  shop('Nordlicht Versand', 'nordlicht-versand', 'tsv', {
    price: comma,
    words: spaced,
    shipping: { cents: 395, freeFrom: 2900 },
    share: 0.45,
    level: 1.02,
    sellsRefurbished: false,
  }),
  shop('Bon Marché Direct', 'bonmarche-direct', 'atom', {
    price: before,
    words: schema,
    shipping: { cents: 590, freeFrom: 10_000 },
    share: 0.4,
    level: 0.97,
    sellsRefurbished: false,
  }),
  shop('TechTonne', 'techtonne', 'jsonl', {
    price: plain,
    words: camel,
    shipping: undefined,
    share: 0.45,
    level: 0.94,
    sellsRefurbished: true,
  }),
  shop('Haus & Herd', 'haus-und-herd', 'csv', {
    price: comma,
    words: spaced,
    shipping: { cents: 450, freeFrom: 4000 },
    share: 0.35,
    level: 1.05,
    sellsRefurbished: false,
  }),
  shop('Preisperle', 'preisperle', 'tsv', {
    price: plain,
    words: google,
    shipping: { cents: 299, freeFrom: 1900 },
    share: 0.5,
    level: 0.96,
    sellsRefurbished: false,
  }),
  shop('Bücherwurm & Bleistift', 'buecherwurm-bleistift', 'rss', {
    price: sign,
    words: spaced,
    shipping: { cents: 250, freeFrom: 2000 },
    share: 0.3,
    level: 1.08,
    sellsRefurbished: false,
  }),
  shop('Магазин Берлин', 'magazin-berlin', 'jsonl', {
    price: plain,
    words: google,
    shipping: { cents: 490, freeFrom: 6000 },
    share: 0.35,
    level: 0.99,
    sellsRefurbished: false,
  }),
  shop('Sportsfreund', 'sportsfreund', 'rss', {
    price: comma,
    words: schema,
    shipping: { cents: 399, freeFrom: 5000 },
    share: 0.35,
    level: 1.03,
    sellsRefurbished: false,
  }),
  shop('Zweitglück', 'zweitglueck', 'csv', {
    price: plain,
    words: camel,
    shipping: { cents: 350, freeFrom: 3500 },
    share: 0.25,
    level: 0.82,
    sellsRefurbished: true,
  }),
];

/**
 * Which shops sell a product. Nobody else sells every ninth, so that some goods have one offer; the README's product is
 * sold by most.
 */
export function sellersOf(product: Product): Shop[] {
  if (product.number === 0) return SHOPS.slice(0, 8);
  const random = randomOf(`sellers ${product.number}`);
  if (product.number % 9 === 4) return [random.pick(SHOPS)];
  const sellers = SHOPS.filter((each) => random.chance(each.share));
  return sellers.length > 1
    ? sellers
    : [SHOPS[product.number % 2], SHOPS[2 + (product.number % 3)]].filter((each) => each !== undefined);
}
