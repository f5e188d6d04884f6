/** The ten shops of the demo: what each sells, in which format it writes, and the habits of its feed. */
import { type Aisle, EVERY_AISLE, holds } from './aisles.ts';
import type { Product } from './products.ts';
import { randomOf } from './random.ts';

export type Format = 'rss' | 'atom' | 'tsv' | 'csv' | 'semicolon-csv' | 'jsonl';

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
  aisles: readonly Aisle[];
  /** Share of the goods in its aisles that it sells. */
  share: number;
  /** How its prices stand to the base price. */
  level: number;
  sellsSecondHand: boolean;
  /** Whether its feed says which goods are variants of one model. */
  namesGroups: boolean;
  /** What it adds to a product's name in its titles. */
  titleSuffix: (product: Product) => string;
  /** The identifiers that its feed never has, or has only now and then. */
  omits: { gtin: 'never' | 'at times'; asin: 'never' | 'always' };
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

/** What only some shops do. */
type Habit = 'sellsSecondHand' | 'namesGroups' | 'titleSuffix' | 'omits';

const shop = (
  merchant: string,
  slug: string,
  format: Format,
  rest: Omit<Shop, 'merchant' | 'slug' | 'url' | 'format' | Habit> & Partial<Pick<Shop, Habit>>,
): Shop => ({
  merchant,
  slug,
  url: `https://www.${slug}.example`,
  format,
  sellsSecondHand: false,
  namesGroups: false,
  titleSuffix: () => '',
  omits: { gtin: 'never', asin: 'never' },
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
    aisles: EVERY_AISLE,
    share: 0.6,
    level: 1,
  }),
  shop('Nordlicht Versand', 'nordlicht-versand', 'tsv', {
    price: comma,
    words: spaced,
    shipping: { cents: 395, freeFrom: 2900 },
    aisles: EVERY_AISLE,
    share: 0.5,
    level: 1.02,
    namesGroups: true,
  }),
  shop('Bon Marché Direct', 'bonmarche-direct', 'atom', {
    price: before,
    words: schema,
    shipping: { cents: 590, freeFrom: 10_000 },
    aisles: ['kitchen', 'home', 'care', 'food', 'outdoors', 'baby', 'pets', 'play'],
    share: 0.55,
    level: 0.97,
  }),
  shop('TechTonne', 'techtonne', 'jsonl', {
    price: plain,
    words: camel,
    shipping: undefined,
    aisles: ['electronics', 'kitchen', 'home', 'care', 'baby'],
    share: 0.6,
    level: 0.94,
    titleSuffix: ({ mpn }) => (mpn === undefined ? '' : ` (${mpn})`),
  }),
  shop('Haus & Herd', 'haus-und-herd', 'semicolon-csv', {
    price: comma,
    words: spaced,
    shipping: { cents: 450, freeFrom: 4000 },
    aisles: ['kitchen', 'home', 'office', 'food', 'pets'],
    share: 0.6,
    level: 1.05,
  }),
  shop('Preisperle', 'preisperle', 'tsv', {
    price: plain,
    words: google,
    shipping: { cents: 299, freeFrom: 1900 },
    aisles: EVERY_AISLE,
    share: 0.5,
    level: 0.96,
    namesGroups: true,
  }),
  shop('Bücherwurm & Bleistift', 'buecherwurm-bleistift', 'rss', {
    price: sign,
    words: spaced,
    shipping: { cents: 250, freeFrom: 2000 },
    aisles: ['office', 'play', 'food', 'baby'],
    share: 0.6,
    level: 1.08,
    namesGroups: true,
    titleSuffix: () => ' – 1 Stück',
  }),
  shop('Магазин Берлин', 'magazin-berlin', 'jsonl', {
    price: plain,
    words: google,
    shipping: { cents: 490, freeFrom: 6000 },
    aisles: ['electronics', 'kitchen', 'home', 'food', 'play', 'care'],
    share: 0.5,
    level: 0.99,
  }),
  shop('Sportsfreund', 'sportsfreund', 'rss', {
    price: comma,
    words: schema,
    shipping: { cents: 399, freeFrom: 5000 },
    aisles: ['outdoors', 'care', 'electronics', 'baby'],
    share: 0.55,
    level: 1.03,
    omits: { gtin: 'never', asin: 'always' },
  }),
  shop('Zweitglück', 'zweitglueck', 'csv', {
    price: plain,
    words: camel,
    shipping: { cents: 350, freeFrom: 3500 },
    aisles: ['electronics', 'kitchen', 'home', 'play', 'baby', 'outdoors'],
    share: 0.4,
    level: 0.82,
    sellsSecondHand: true,
    omits: { gtin: 'at times', asin: 'never' },
  }),
];

/**
 * Which shops sell a product. Nobody else sells every ninth, so that some goods have one offer; the README's product is
 * sold by most.
 */
export function sellersOf(product: Product): Shop[] {
  if (product.number === 0) return SHOPS.slice(0, 8);
  const random = randomOf(`sellers ${product.number}`);
  const rivals = SHOPS.filter(({ aisles }) => holds(aisles, product.department.category));
  if (product.number % 9 === 4) return [random.pick(rivals)];
  const sellers = rivals.filter(({ share }) => random.chance(share));
  const first = product.number % (rivals.length - 1);
  return sellers.length > 1 ? sellers : rivals.slice(first, first + 2);
}
