// One row of a feed as it was read, before any value is judged: the same for every format.

import type { RejectReason } from '../reject.ts';

/** The fields of Google Merchant product data that an import uses, and `asin`; all others are skipped while reading. */
export const FEED_FIELDS = [
  'id',
  'title',
  'description',
  'link',
  'image_link',
  'price',
  'sale_price',
  'sale_price_effective_date',
  'availability',
  'condition',
  'brand',
  'gtin',
  'mpn',
  'asin',
  'google_product_category',
  'product_type',
  'color',
  'size',
  'material',
  'pattern',
] as const;

/** A field an import uses, under Google's name without prefix. */
export type FeedField = (typeof FEED_FIELDS)[number];

/** The values of a row as written, trimmed; an empty one is absent. */
export type FeedFields = { [field in FeedField]?: string };

/** One way to ship the goods, values as written. */
export interface ShippingOption {
  /** Two-letter country; absent means any. */
  country?: string;
  price?: string;
  /** The order value from which this option applies. */
  minOrderValue?: string;
}

/** A fault of the row itself; the feed goes on behind it. */
export interface RowFault {
  reason: RejectReason;
  detail: string;
}

/** One row of a feed. */
export interface FeedRow {
  /** The line on which it begins, from 1. */
  line: number;
  fields: FeedFields;
  shipping: ShippingOption[];
  /** Set when the row cannot be trusted as a whole; what could be read stands in `fields` to name the row. */
  fault?: RowFault;
}

/** Reads one format from text that comes in pieces cut anywhere; both methods give the rows that became complete. */
export interface RowReader {
  /** @throws BrokenFeed when the text is not the format. */
  push(text: string): FeedRow[];
  /** @throws BrokenFeed when the text ends in the middle of something. */
  end(): FeedRow[];
}

/** The field behind a name as feeds write it: any case, blanks or hyphens for underscores, with or without `g:`. */
export function feedFieldOf(name: string): FeedField | undefined {
  return FIELD_BY_NAME.get(normaliseFieldName(name));
}

/** `Image Link`, `image-link` and `g:image_link` are all `image_link`. */
export function normaliseFieldName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^g:/, '')
    .replace(/[\s-]+/g, '_');
}

/** Fields that may occur several times; the first value counts. */
export const FIRST_VALUE_COUNTS: ReadonlySet<FeedField> = new Set([
  'product_type',
  'color',
  'size',
  'material',
  'pattern',
]);

/** The fault of a row that holds characters its encoding does not have, if it does. */
export function encodingFaultOf(fields: FeedFields): RowFault | undefined {
  for (const name of FEED_FIELDS) {
    if (fields[name]?.includes('\uFFFD')) {
      return {
        reason: 'invalid_encoding',
        detail: `${name} holds bytes that are not text in the encoding of the feed; if it is not UTF-8, import it with --encoding windows-1252 or the encoding it has`,
      };
    }
  }
  return undefined;
}

const FIELD_BY_NAME: ReadonlyMap<string, FeedField> = new Map(FEED_FIELDS.map((name) => [name, name]));
