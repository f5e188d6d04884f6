// One row of a feed as it was read, before any value is checked: the same for every format.
import { readFeedGtin } from '../../values/codes/feed-gtin.ts';
import { encodeMeasure } from '../../values/unit-price.ts';
import { readStatedMeasure } from '../measure/stated-measure.ts';
import { PRODUCT_FIELDS, type ProductFeedField } from '../product-fields.ts';
import type { RejectReason } from '../reject.ts';

/** The longest value of one field, in characters: 1 MiB. Anything larger is not product data. */
export const LONGEST_FIELD = 1024 * 1024;
/** The longest row, in characters: 4 MiB. */
export const LONGEST_ROW = 4 * LONGEST_FIELD;
/** Text is handed to the readers in pieces of at most this many characters or bytes. */
export const PIECE_LENGTH = 64 * 1024;

// What a row states of its offer, and what tells it and its product apart.
const OFFER_FEED_FIELDS = [
  'id',
  'title',
  'link',
  'price',
  'sale_price',
  'sale_price_effective_date',
  'availability',
  'condition',
  'gtin',
  'asin',
  'item_group_id',
  'unit_pricing_measure',
] as const;

/** The fields of Google Merchant product data that an import uses, and `asin`; readers skip all others. */
export const FEED_FIELDS: readonly FeedField[] = [
  ...new Set([...OFFER_FEED_FIELDS, ...PRODUCT_FIELDS.flatMap(({ feedFields }) => feedFields)]),
];

/** A field an import uses, under Google's name without prefix. */
export type FeedField = (typeof OFFER_FEED_FIELDS)[number] | ProductFeedField;

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

/** A fault of the row itself; reading continues after it. */
export interface RowFault {
  reason: RejectReason;
  detail: string;
}

export interface FeedRow {
  /** The line on which the row starts, from 1. */
  line: number;
  fields: FeedFields;
  shipping: ShippingOption[];
  /** Set when the row cannot be trusted as a whole; `fields` has what could be read, to name the row. */
  fault?: RowFault | undefined;
}

/** Reads one format from text that arrives in pieces cut anywhere; both methods return the rows that became complete. */
export interface RowReader {
  /** @throws BrokenFeed when the text is not the format. */
  push(text: string): FeedRow[];
  /** @throws BrokenFeed when the text ends in the middle of something. */
  end(): FeedRow[];
}

/** The field that a name in a feed means, if an import uses it. */
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
  'item_group_id',
  ...PRODUCT_FIELDS.flatMap(({ repeatable = [] }) => repeatable),
]);

/** Whether a field may occur again with this value: only its first value counts, or both values mean the same. */
export function mayRepeat(field: FeedField, first: string, again: string): boolean {
  if (FIRST_VALUE_COUNTS.has(field) || first === again) return true;
  const meaningOf = MEANINGS[field];
  return meaningOf !== undefined && meaningOf(first) === meaningOf(again);
}

/** Whether {@link mayRepeat} can be true for different values of the field. */
export const mayBeRepeated = (field: FeedField): boolean => FIRST_VALUE_COUNTS.has(field) || field in MEANINGS;

// Fields that shops write in several ways at once.
const MEANINGS: { readonly [field in FeedField]?: (value: string) => unknown } = {
  gtin: (value) => {
    const read = readFeedGtin(value);
    return read.ok ? read.gtin : value;
  },
  brand: (value) => value.toLowerCase(),
  unit_pricing_measure: (value) => {
    const measure = readStatedMeasure(value);
    return measure ? encodeMeasure(measure) : value;
  },
};

/** @param name of the field. */
export function fieldTooLong(name: string): RowFault {
  return { reason: 'field_too_long', detail: `The ${name} is longer than ${LONGEST_FIELD} characters.` };
}

export function repeatedField(name: string): RowFault {
  return { reason: 'repeated_field', detail: `The ${name} occurs with two different values; keep one.` };
}

/** Drops control characters: they mean nothing, and the text around them is intact. */
export function withoutControls(text: string): string {
  return text.replace(CONTROL_CHARACTERS, '');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them.
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

/** The fault of a row with bytes that its encoding does not have; `undefined` if it has none. */
export function encodingFaultOf(fields: FeedFields): RowFault | undefined {
  for (const name of FEED_FIELDS) {
    if (fields[name]?.includes('\uFFFD')) {
      return {
        reason: 'invalid_encoding',
        detail: `The ${name} holds bytes that are not text in the encoding of the feed; if it is not UTF-8, import it with --encoding windows-1252 or the encoding it has.`,
      };
    }
  }
  return undefined;
}

const FIELD_BY_NAME: ReadonlyMap<string, FeedField> = new Map(FEED_FIELDS.map((name) => [name, name]));
