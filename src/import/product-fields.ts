/**
 * The product fields that feeds may supply: a new one needs a migration, its member of the Prisma model, and a row here. The title is
 * not listed: every row must have one, and a product keeps the name that it was founded with.
 */
import { slugOf } from '../values/slug.ts';
import { foldName, wordsOf } from '../values/words.ts';
import { cutAtWord, oneLine, severalLines, unlessPlaceholder } from './field-text.ts';
import { parseProductCategory } from './product-category.ts';
import { type ProductField, productField, storedIn } from './product-field.ts';
import { LONGEST_ADDRESS, webAddressOf } from './web-address.ts';

/** The longest values that are stored, in characters. A longer description, product type or attribute is cut at a word. */
export const LONGEST_VALUE = { description: 20_000, brand: 200, mpn: 128, productType: 750, attribute: 200 } as const;

const MOST_REMEMBERED = 5_000;

/** What sets goods apart from similar ones, by Google's names. */
const ATTRIBUTES = ['color', 'size', 'material', 'pattern'] as const;

// A feed names the same brands again and again.
const slugOfBrand = remembering((brand) => slugOf(brand, 'brand'));
const wordsOfBrand = remembering(foldName);

const DECLARED = [
  productField({
    name: 'description',
    feedFields: ['description'],
    repeatable: ['description'],
    read: ({ description }) => cutAtWord(severalLines(description ?? ''), LONGEST_VALUE.description) || undefined,
    ...storedIn('description', 'TEXT'),
  }),
  productField({
    name: 'image',
    feedFields: ['image_link'],
    repeatable: ['image_link'],
    read: ({ image_link: link = '' }) => {
      // Shops copy pictures from pages, where the scheme may be left out.
      const address = webAddressOf(link.replace(/^\/\//, 'https://'));
      return address !== undefined && address.length <= LONGEST_ADDRESS ? address : undefined;
    },
    ...storedIn('image_url', 'TEXT'),
  }),
  productField({
    name: 'attributes',
    feedFields: ATTRIBUTES,
    repeatable: ATTRIBUTES,
    read: (fields) => {
      const attributes: Partial<Record<(typeof ATTRIBUTES)[number], string>> = {};
      for (const name of ATTRIBUTES) {
        const value = unlessPlaceholder(cutAtWord(oneLine(fields[name] ?? ''), LONGEST_VALUE.attribute));
        if (value !== undefined) attributes[name] = value;
      }
      return Object.keys(attributes).length > 0 ? attributes : undefined;
    },
    staged: [{ name: 'attributes', type: 'TEXT', of: (attributes) => JSON.stringify(attributes) }],
    columns: [{ name: 'attributes', sql: 'item.attributes', cast: 'jsonb' }],
  }),
  productField({
    name: 'category',
    feedFields: ['google_product_category', 'product_type'],
    repeatable: ['google_product_category', 'product_type'],
    read: (fields) => {
      const google = parseProductCategory(oneLine(fields.google_product_category ?? ''));
      const productType = cutAtWord(oneLine(fields.product_type ?? ''), LONGEST_VALUE.productType);
      const words = { ...google, ...(productType !== '' && { productType }) };
      return Object.keys(words).length > 0 ? words : undefined;
    },
    staged: [{ name: 'category_id', type: 'BIGINT', of: (words, categoryOf) => categoryOf(words) }],
    needsCategories: true,
    columns: [{ name: 'category_id', sql: 'item.category_id' }],
  }),
  productField({
    name: 'brand',
    feedFields: ['brand'],
    longest: LONGEST_VALUE.brand,
    read: ({ brand }) => unlessPlaceholder(oneLine(brand ?? '')),
    staged: [
      { name: 'brand', type: 'TEXT', of: (brand) => brand },
      { name: 'brand_slug', type: 'TEXT', of: slugOfBrand },
      { name: 'brand_key', type: 'TEXT', of: (brand) => brand.toLowerCase() },
      { name: 'brand_words', type: 'TEXT', of: wordsOfBrand },
    ],
    // Matching adds new brands and finds the known ones.
    columns: [{ name: 'brand_id', sql: 'matched.brand_id' }],
  }),
  productField({
    name: 'mpn',
    feedFields: ['mpn'],
    longest: LONGEST_VALUE.mpn,
    read: ({ mpn }) => unlessPlaceholder(oneLine(mpn ?? '')),
    staged: [
      { name: 'mpn', type: 'TEXT', of: (mpn) => mpn },
      { name: 'mpn_key', type: 'TEXT', of: (mpn) => mpnKey(mpn) },
      { name: 'mpn_words', type: 'TEXT', of: (mpn) => mpnWords(mpn) },
    ],
    columns: [
      { name: 'mpn_key', sql: 'item.mpn_key' },
      { name: 'mpn', sql: 'item.mpn' },
    ],
    words: 'mpn_words',
  }),
];

/** The feed's fields that {@link PRODUCT_FIELDS} are read from. */
export type ProductFeedField = (typeof DECLARED)[number]['feedFields'][number];

/** All product fields that feeds may supply, in the order in which operators see them. */
export const PRODUCT_FIELDS: readonly ProductField<ProductFeedField>[] = DECLARED;

/** The function, with its last results remembered: at most 5,000 of them. */
function remembering(textOf: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    let text = known.get(name);
    if (text === undefined) {
      text = textOf(name);
      if (known.size === MOST_REMEMBERED) known.clear();
      known.set(name, text);
    }
    return text;
  };
}

/** An MPN without the parts that shops write differently: case, blanks and punctuation. `undefined` if nothing is left. */
export function mpnKey(mpn: string): string | undefined {
  return mpn.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '') || undefined;
}

/** The words of an MPN, which people type with its hyphens or without. */
export function mpnWords(mpn: string): string | undefined {
  return [...new Set([...wordsOf(mpn), ...wordsOf(mpnKey(mpn) ?? '')])].join(' ') || undefined;
}
