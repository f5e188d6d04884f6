// Turns a row of a feed into an offer with checked values, or into the reason why it is refused. Every row of every feed
// passes here, whatever its format.

import { type Asin, parseAsin } from '../values/asin.ts';
import { type Gtin14, isRestrictedCirculation, parseFeedGtin } from '../values/gtin.ts';
import { addMinorUnits, type MinorUnits } from '../values/money.ts';
import { type PriceReading, parsePrice } from '../values/price-text.ts';
import { excerpt } from '../values/printable.ts';
import { type Availability, parseAvailability } from './availability.ts';
import { type Condition, parseCondition } from './condition.ts';
import { cutAtWord, oneLine, severalLines, unlessPlaceholder } from './field-text.ts';
import { parseProductCategory } from './product-category.ts';
import type { FeedField, FeedFields, FeedRow } from './readers/feed-row.ts';
import type { Rejection, RejectReason } from './reject.ts';
import { isWithin, parseSalePeriod } from './sale-period.ts';
import { lowestShipping } from './shipping-cost.ts';

/** The market a feed is imported for, and the moment its prices are taken to be from. */
export interface Market {
  /** ISO 4217, upper case. */
  currency: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
  observedAt: Date;
}

/** An offer of a feed, checked. What the feed does not say is absent, never empty. */
export interface FeedItem {
  /** The line of the feed on which its row begins. */
  line: number;
  /** The shop's own id. */
  sku: string;
  title: string;
  description?: string;
  /** Where the shop sells it: http or https. */
  link: string;
  imageLink?: string;
  /** What the goods cost at `observedAt`: the sale price while it counts. */
  price: MinorUnits;
  /** Lowest shipping to the market's country; absent when the feed names none. */
  shipping?: MinorUnits;
  /** Price and shipping together; the price alone where shipping is not known. */
  total: MinorUnits;
  availability: Availability;
  condition: Condition;
  brand?: string;
  gtin?: Gtin14;
  asin?: Asin;
  mpn?: string;
  /** Id in Google's product taxonomy. */
  googleCategoryId?: number;
  /** Path in Google's product taxonomy, names separated by ` > `. */
  categoryPath?: string;
  /** The shop's own category. */
  productType?: string;
  /** What sets it apart from its like, by Google's names of the fields. */
  attributes?: Readonly<Record<string, string>>;
}

/** The longest values that are taken, in characters. A longer description is cut at a word; the others are refused. */
export const LONGEST = {
  id: 128,
  title: 1000,
  description: 20_000,
  link: 2048,
  brand: 200,
  mpn: 128,
  product_type: 750,
  attribute: 200,
} as const;

/**
 * Checks a row and gives its offer, or why it is refused. Of several faults the first is named, in the order of Google's
 * required fields. Pure: the same row and market give the same answer.
 */
export function normaliseItem(row: FeedRow, market: Market): FeedItem | Rejection {
  const { fields } = row;
  const refuse = (reason: RejectReason, detail: string): Rejection => rejectionOf(row, reason, detail);
  if (row.fault !== undefined) return refuse(row.fault.reason, row.fault.detail);

  const sku = oneLine(fields.id ?? '');
  if (sku === '') return refuse('missing_id', 'the row has no id; give each row one that stays the same');
  const title = oneLine(fields.title ?? '');
  if (title === '') return refuse('missing_title', 'the row has no title');
  if (fields.link === undefined) return refuse('missing_link', 'the row has no link to the shop');
  const tooLong = findTooLong(fields, sku, title);
  if (tooLong !== undefined) return refuse('field_too_long', tooLong);
  if (!isWebAddress(fields.link)) {
    return refuse('invalid_link', `link "${excerpt(fields.link)}" is not an http or https address`);
  }

  const price = priceAt(fields, market);
  if ('reason' in price) return refuse(price.reason, price.detail);
  const shipping = lowestShipping(row.shipping, market, price.amount);
  if (shipping !== undefined && !shipping.ok) return refuse(shipping.reason, `shipping: ${shipping.detail}`);

  if (fields.availability === undefined) {
    return refuse(
      'missing_availability',
      'the row has no availability; write in_stock, out_of_stock, preorder or backorder',
    );
  }
  const availability = parseAvailability(fields.availability);
  if (availability === undefined) {
    const written = excerpt(fields.availability);
    return refuse(
      'unknown_availability',
      `availability "${written}" is not known; write in_stock, out_of_stock, preorder or backorder`,
    );
  }
  const condition = fields.condition === undefined ? 'new' : parseCondition(fields.condition);
  if (condition === undefined) {
    const written = excerpt(fields.condition ?? '');
    return refuse('unknown_condition', `condition "${written}" is not known; write new, refurbished or used`);
  }

  const item: FeedItem = {
    line: row.line,
    sku,
    title,
    link: fields.link,
    price: price.amount,
    total: shipping === undefined ? price.amount : addMinorUnits(price.amount, shipping.amount),
    availability,
    condition,
  };
  if (shipping !== undefined) item.shipping = shipping.amount;

  const gtinText = unlessPlaceholder((fields.gtin ?? '').trim());
  if (gtinText !== undefined) {
    const gtin = parseFeedGtin(gtinText);
    if (!gtin.ok) return refuse('invalid_gtin', gtin.detail);
    if (!isRestrictedCirculation(gtin.gtin)) item.gtin = gtin.gtin;
  }
  const asinText = unlessPlaceholder((fields.asin ?? '').trim());
  if (asinText !== undefined) {
    const asin = parseAsin(asinText);
    if (asin === undefined) return refuse('invalid_asin', `asin "${excerpt(asinText)}" is not ten letters and digits`);
    item.asin = asin;
  }
  addTexts(item, fields);
  return item;
}

/** Whether the row was refused. */
export function isRejection(outcome: FeedItem | Rejection): outcome is Rejection {
  return 'reason' in outcome;
}

/** The refusal of a row, with its id where it has one. */
function rejectionOf(row: FeedRow, reason: RejectReason, detail: string): Rejection {
  const id = oneLine(row.fields.id ?? '').slice(0, LONGEST.id);
  return id === '' ? { line: row.line, reason, detail } : { line: row.line, id, reason, detail };
}

function findTooLong(fields: FeedFields, sku: string, title: string): string | undefined {
  if (sku.length > LONGEST.id) return `id is longer than ${LONGEST.id} characters`;
  if (title.length > LONGEST.title) return `title is longer than ${LONGEST.title} characters`;
  for (const field of ['link', 'brand', 'mpn'] as const) {
    if ((fields[field]?.length ?? 0) > LONGEST[field]) return `${field} is longer than ${LONGEST[field]} characters`;
  }
  return undefined;
}

/** The price that counts at the moment of the market, or why there is none. */
function priceAt(
  fields: FeedFields,
  market: Market,
): { amount: MinorUnits } | { reason: RejectReason; detail: string } {
  if (fields.price === undefined) return { reason: 'missing_price', detail: 'the row has no price' };
  const price = parsePrice(fields.price, market.currency);
  if (!price.ok) return { reason: price.reason, detail: faultOf('price', price) };
  if (fields.sale_price === undefined) return price;

  const sale = parsePrice(fields.sale_price, market.currency);
  if (!sale.ok) return { reason: sale.reason, detail: faultOf('sale_price', sale) };
  const written = fields.sale_price_effective_date;
  if (written !== undefined) {
    const period = parseSalePeriod(written);
    if (period === undefined) {
      const detail = `sale_price_effective_date "${excerpt(written)}" is not start/end; write 2025-11-24T00:00+0100/2025-12-01T23:59+0100`;
      return { reason: 'invalid_sale_period', detail };
    }
    if (!isWithin(period, market.observedAt)) return price;
  }
  return sale.amount < price.amount ? sale : price;
}

function faultOf(field: FeedField, fault: PriceReading & { ok: false }): string {
  return `${field}: ${fault.detail}`;
}

/** The texts that may be absent. */
function addTexts(item: FeedItem, fields: FeedFields): void {
  if (fields.description !== undefined) {
    const description = cutAtWord(severalLines(fields.description), LONGEST.description);
    if (description !== '') item.description = description;
  }
  const image = fields.image_link;
  if (image !== undefined && image.length <= LONGEST.link && isWebAddress(image)) item.imageLink = image;
  const brand = unlessPlaceholder(oneLine(fields.brand ?? ''));
  if (brand !== undefined) item.brand = brand;
  const mpn = unlessPlaceholder(oneLine(fields.mpn ?? ''));
  if (mpn !== undefined) item.mpn = mpn;
  if (fields.google_product_category !== undefined) {
    const { id, path } = parseProductCategory(oneLine(fields.google_product_category));
    if (id !== undefined) item.googleCategoryId = id;
    if (path !== undefined) item.categoryPath = path;
  }
  const productType = cutAtWord(oneLine(fields.product_type ?? ''), LONGEST.product_type);
  if (productType !== '') item.productType = productType;
  const attributes = ATTRIBUTES.flatMap((name) => {
    const value = unlessPlaceholder(cutAtWord(oneLine(fields[name] ?? ''), LONGEST.attribute));
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  if (attributes.length > 0) item.attributes = Object.fromEntries(attributes);
}

/** The fields that say what sets goods apart from their like. */
const ATTRIBUTES = ['color', 'material', 'pattern', 'size'] as const satisfies readonly FeedField[];

/** What leads to a shop, and to no other place than it seems to: what stands before an `@` looks like a host and is none. */
function isWebAddress(text: string): boolean {
  if (!WEB_ADDRESS.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

// Scheme and host, and nothing that would break a header or a line of a file.
const WEB_ADDRESS = /^https?:\/\/[^\s/\\?#\p{Cc}][^\s\p{Cc}]*$/iu;
