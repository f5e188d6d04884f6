// Turns a row of a feed, of any format, into an offer with checked values, or into the reason why it is rejected.
import { type Availability, Condition } from '../generated/prisma/enums.ts';
import { AVAILABILITIES, CONDITIONS } from '../ledger/entry.ts';
import { type Asin, parseAsin } from '../values/asin.ts';
import { readFeedGtin } from '../values/codes/feed-gtin.ts';
import { type Gtin14, isRestrictedCirculation } from '../values/gtin.ts';
import { addMinorUnits, type MinorUnits } from '../values/money.ts';
import { excerpt } from '../values/printable.ts';
import type { Measure } from '../values/unit-price.ts';
import { idText, oneLine, unlessPlaceholder } from './field-text.ts';
import { lowestShipping, type MarketAt, priceAt, type Sale, unusable } from './item-price.ts';
import { readStatedMeasure } from './measure/stated-measure.ts';
import { parseAvailability, parseCondition } from './offer-words.ts';
import type { ProductField } from './product-field.ts';
import { PRODUCT_FIELDS } from './product-fields.ts';
import type { FeedFields, FeedRow } from './readers/feed-row.ts';
import type { Rejection, RejectReason } from './reject.ts';
import { LONGEST_ADDRESS, webAddressOf } from './web-address.ts';

/** An offer of a feed, checked. What the feed does not state is absent, never empty. */
export interface FeedItem {
  line: number;
  /** The shop's own id. */
  sku: string;
  title: string;
  /** Where the shop sells it: http or https. */
  link: string;
  /** The price of the goods at `observedAt`: the sale price while it applies. */
  price: MinorUnits;
  /** The reduction that the shop announces, while its sale price applies. */
  sale?: Sale;
  /** Lowest shipping to the market's country; absent when the feed names none. */
  shipping?: MinorUnits;
  /** Price and shipping together; only the price where shipping is not known. */
  total: MinorUnits;
  availability: Availability;
  condition: Condition;
  gtin?: Gtin14;
  asin?: Asin;
  /** The shop's id of the goods of which this item is a variant. */
  group?: string;
  /** The amount of the goods that the row states. */
  measure?: Measure;
  /** What the row states about its product: values by the names of `product-fields.ts`. */
  product: Readonly<Record<string, unknown>>;
}

/** The longest values that a row may have, in characters. `product-fields.ts` has the limits of the other fields. */
export const LONGEST = { id: 128, title: 1000, link: LONGEST_ADDRESS, group: 128 } as const;

/** The shop's own id of a row; empty if it has none. */
export const skuOf = ({ fields }: FeedRow): string => idText(fields.id ?? '');

/** Checks a row and returns its offer, or why it is rejected: of several faults the first, in the order of Google's required fields. */
export function normaliseItem(
  row: FeedRow,
  market: MarketAt,
  productFields: readonly ProductField[] = PRODUCT_FIELDS,
): FeedItem | Rejection {
  const { fields, line } = row;
  const sku = skuOf(row);
  const reject = (reason: RejectReason, detail: string): Rejection => {
    const id = sku.slice(0, LONGEST.id);
    return id === '' ? { line, reason, detail } : { line, id, reason, detail };
  };
  if (row.fault !== undefined) return reject(row.fault.reason, row.fault.detail);

  if (sku === '') return reject('missing_id', 'The row has no id; give each row one that stays the same.');
  const title = oneLine(fields.title ?? '');
  if (title === '') return reject('missing_title', 'The row has no title.');
  if (fields.link === undefined) return reject('missing_link', 'The row has no link to the shop.');
  const link = webAddressOf(fields.link);
  const tooLong = findTooLong({ ...fields, link: link ?? fields.link }, sku, title, productFields);
  if (tooLong !== undefined) return reject('field_too_long', tooLong);
  if (link === undefined) {
    const detail = 'is not an http or https address, or has a user name or password before its host';
    return reject('invalid_link', `The link "${excerpt(fields.link)}" ${detail}.`);
  }

  const price = priceAt(fields, market);
  if ('reason' in price) return reject(price.reason, price.detail);
  const shipping = lowestShipping(row.shipping, market, price.amount);
  if (shipping !== undefined && !shipping.ok) return reject(shipping.reason, unusable('shipping', shipping));

  if (fields.availability === undefined) {
    return reject('missing_availability', `The row has no availability; write ${AVAILABILITY_WORDS}.`);
  }
  const availability = parseAvailability(fields.availability);
  if (availability === undefined) {
    const written = excerpt(fields.availability);
    return reject('unknown_availability', `The availability "${written}" is not known; write ${AVAILABILITY_WORDS}.`);
  }
  const condition = fields.condition === undefined ? Condition.new : parseCondition(fields.condition);
  if (condition === undefined) {
    const written = excerpt(fields.condition ?? '');
    return reject('unknown_condition', `The condition "${written}" is not known; write ${CONDITION_WORDS}.`);
  }

  const item: FeedItem = {
    line: row.line,
    sku,
    title,
    link,
    price: price.amount,
    total: shipping === undefined ? price.amount : addMinorUnits(price.amount, shipping.amount),
    availability,
    condition,
    product: readProduct(fields, productFields),
  };
  if (price.sale !== undefined) item.sale = price.sale;
  if (shipping !== undefined) item.shipping = shipping.amount;

  const gtin = readGtin(fields);
  if (gtin !== undefined) {
    if (!gtin.ok) return reject('invalid_gtin', `The ${gtin.detail}.`);
    item.gtin = gtin.gtin;
  }
  const asinText = unlessPlaceholder((fields.asin ?? '').trim());
  if (asinText !== undefined) {
    const asin = parseAsin(asinText);
    if (asin === undefined) {
      return reject('invalid_asin', `The asin "${excerpt(asinText)}" is not ten letters and digits.`);
    }
    item.asin = asin;
  }
  const group = readGroup(fields);
  if (group !== undefined) item.group = group;
  const measure = readStatedMeasure(oneLine(fields.unit_pricing_measure ?? ''));
  if (measure !== undefined) item.measure = measure;
  return item;
}

/** The GTIN of a row, or why it is invalid; `undefined` if it states none that identifies the product in other shops. */
export function readGtin(fields: Pick<FeedFields, 'gtin'>): ReturnType<typeof readFeedGtin> | undefined {
  const text = unlessPlaceholder((fields.gtin ?? '').trim());
  const gtin = text === undefined ? undefined : readFeedGtin(text);
  return gtin?.ok && isRestrictedCirculation(gtin.gtin) ? undefined : gtin;
}

/** The id of the row's group. One that is too long is ignored: without it, the row is still an offer. */
function readGroup({ item_group_id: written = '' }: FeedFields): string | undefined {
  const group = unlessPlaceholder(idText(written));
  return group === undefined || group.length > LONGEST.group ? undefined : group;
}

export function isRejection(outcome: FeedItem | Rejection): outcome is Rejection {
  return 'reason' in outcome;
}

function findTooLong(fields: FeedFields, sku: string, title: string, productFields: readonly ProductField[]) {
  const tooLong = (field: string, longest: number) => `The ${field} is longer than ${longest} characters.`;
  if (sku.length > LONGEST.id) return tooLong('id', LONGEST.id);
  if (title.length > LONGEST.title) return tooLong('title', LONGEST.title);
  if ((fields.link?.length ?? 0) > LONGEST.link) return tooLong('link', LONGEST.link);
  const texts: Readonly<Record<string, string | undefined>> = fields;
  for (const { feedFields, longest = Number.POSITIVE_INFINITY } of productFields) {
    const field = feedFields.find((name) => (texts[name]?.length ?? 0) > longest);
    if (field !== undefined) return tooLong(field, longest);
  }
  return undefined;
}

function readProduct(fields: FeedFields, productFields: readonly ProductField[]): FeedItem['product'] {
  const product: Record<string, unknown> = {};
  for (const field of productFields) {
    const value = field.read(fields);
    if (value !== undefined) product[field.name] = value;
  }
  return product;
}

// Without a comma before the last word.
const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const AVAILABILITY_WORDS = ALTERNATIVES.format(AVAILABILITIES);
const CONDITION_WORDS = ALTERNATIVES.format(CONDITIONS);
