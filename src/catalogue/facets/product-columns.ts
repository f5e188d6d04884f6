/**
 * The columns by which facets are counted, of all products: plain numbers in typed arrays, so that a count over the whole catalogue takes
 * milliseconds. About 60 bytes a product, and 4 an offer.
 */
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { Availability, Condition } from '../../generated/prisma/client.ts';
import { ATTRIBUTE_NAMES } from '../product/attributes.ts';

/** A product as the statement reads it. */
export interface FacetRow {
  id: bigint;
  brandId: bigint | null;
  categoryId: bigint | null;
  minTotal: bigint | null;
  /** In hundredths of a percent. */
  discount: number;
  attributes: unknown;
  /** A number for each listed offer, as {@link codeOfOffer} makes them, separated by commas; null if there are none. */
  offers: string | null;
}

/** In the order of their numbers. */
export const AVAILABILITY_ORDER = Object.values(Availability);
export const CONDITION_ORDER = Object.values(Condition);

// An offer is one number: its merchant, two bits for the availability, and two for the condition.
const BITS_OF_OFFER = 4;
export const availabilityIn = (offer: number): number => (offer >> 2) & 3;
export const conditionIn = (offer: number): number => offer & 3;
export const merchantIn = (offer: number): number => offer >> BITS_OF_OFFER;

/** SQL for the number of an offer, with the id of its merchant. */
export const CODE_OF_OFFER = `offer.merchant_id * ${2 ** BITS_OF_OFFER}
           + ${caseOf('offer.availability', AVAILABILITY_ORDER)} * 4
           + ${caseOf('offer.condition', CONDITION_ORDER)}`;

/** SQL for many ids in one text, each of which costs a tenth of a row. */
export const bytesOfIds = (id: string): string => `encode(string_agg(int8send(${id}), ''), 'base64')`;

/** SQL for the ids and discounts of many products in one text. */
export const BYTES_OF_DISCOUNTS = `encode(string_agg(int8send(product.id) || int4send(product.discount), ''), 'base64')`;

function caseOf(column: string, words: readonly string[]): string {
  return `CASE ${column} ${words.map((word, n) => `WHEN '${word}' THEN ${n}`).join(' ')} END`;
}

/** The value of a column that a product does not have. */
export const NONE = -1;

// Steps of prices: each is at most 4.5 % wide.
const STEPS_OF_DOUBLING = 16;
/** The number of steps of prices up to the largest. */
export const PRICE_STEPS = 64 * STEPS_OF_DOUBLING;
const stepOf = (price: number) => Math.floor(Math.log2(price + 1) * STEPS_OF_DOUBLING);

const FIRST_CAPACITY = 1_024;

/**
 * The most values of attributes that have a number, and so are counted one by one. Shops can make up any number of values, and each takes about
 * 120 bytes and makes the arrays of every count longer.
 */
export const MOST_ATTRIBUTE_VALUES = 200_000;

/** The most products with the words of a query that are looked at: 16 MB of ids. */
export const MOST_MATCHES = 2_000_000;

// A query is often repeated with other filters. Each takes a byte a product.
const MOST_KEPT_MATCHES = 8;
// A few milliseconds, after which other requests have their turn.
const IDS_IN_A_BLOCK = 20_000;

/** Flags of positions, and whether all products that were asked for are among them. */
export interface Matches {
  flags: Uint8Array;
  isComplete: boolean;
}

/** All products, each at a position. Positions are in the order of ids. */
export class ProductColumns {
  mostMatches = MOST_MATCHES;
  /** What words have matched, until a product changes. */
  readonly matches = new LRUCache<string, Promise<Matches>>({ max: MOST_KEPT_MATCHES });
  size = 0;
  ids = new Float64Array(FIRST_CAPACITY);
  /** 1 for a product that exists. */
  present = new Uint8Array(FIRST_CAPACITY);
  brands = new Int32Array(FIRST_CAPACITY);
  categories = new Int32Array(FIRST_CAPACITY);
  /** In minor units. */
  prices = new Float64Array(FIRST_CAPACITY);
  priceSteps = new Uint16Array(FIRST_CAPACITY);
  /** In hundredths of a percent. */
  discounts = new Int32Array(FIRST_CAPACITY);
  readonly offers = new NumberLists(FIRST_CAPACITY);
  readonly attributes = new NumberLists(FIRST_CAPACITY);
  readonly brandCodes = new Codes<bigint>();
  readonly categoryCodes = new Codes<bigint>();
  readonly merchantCodes = new Codes<bigint>();
  /** Attributes as {@link attributeKey} writes them. The first numbers, one for each name, stand for all values without a number of their own. */
  readonly attributeCodes = new Codes<string>(ATTRIBUTE_NAMES.map((_, n) => attributeKey(n, '')));
  /** Whether a product has or had a value of an attribute that has no number. */
  hasUnnumberedAttributes = false;
  readonly #mostAttributes: number;

  /** @param mostAttributeValues the most values of attributes that get a number; products that come first give them theirs. */
  constructor(mostAttributeValues = MOST_ATTRIBUTE_VALUES) {
    this.#mostAttributes = ATTRIBUTE_NAMES.length + mostAttributeValues;
  }

  /** Adds or replaces a product. @returns false if it is new but older than the last one: then the columns must be read again. */
  put(row: FacetRow): boolean {
    if (this.matches.size > 0) this.matches.clear();
    const id = Number(row.id);
    const known = this.positionOf(id);
    const isNew = known === NONE;
    if (isNew && this.size > 0 && id < (this.ids[this.size - 1] ?? 0)) return false;
    const at = isNew ? this.#append() : known;
    this.ids[at] = id;
    this.present[at] = 1;
    this.brands[at] = row.brandId === null ? NONE : this.brandCodes.of(row.brandId);
    this.categories[at] = row.categoryId === null ? NONE : this.categoryCodes.of(row.categoryId);
    this.prices[at] = row.minTotal === null ? NONE : Number(row.minTotal);
    this.priceSteps[at] = row.minTotal === null ? 0 : stepOf(Number(row.minTotal));
    this.discounts[at] = row.discount;
    this.offers.set(at, this.#offersOf(row.offers));
    this.attributes.set(at, this.#attributesOf(row.attributes));
    return true;
  }

  /** Removes a product. */
  remove(id: bigint): void {
    const at = this.positionOf(Number(id));
    if (at !== NONE) this.present[at] = 0;
  }

  /** Replaces the discounts of all products. @param pairs ids and discounts, as {@link BYTES_OF_DISCOUNTS} has them. */
  putDiscounts(pairs: string): void {
    this.discounts.fill(0);
    const view = bytesIn(pairs);
    for (let from = 0; from < view.byteLength; from += 12) {
      const at = this.positionOf(Number(view.getBigInt64(from)));
      if (at !== NONE) this.discounts[at] = view.getInt32(from + 8);
    }
  }

  /** Flags of the positions of products: 1 for each of these. @param ids as {@link bytesOfIds} has them. */
  async flags(ids: string): Promise<Uint8Array> {
    const flags = new Uint8Array(this.size);
    const view = bytesIn(ids);
    for (let from = 0; from < view.byteLength; from += 8) {
      if (from % (8 * IDS_IN_A_BLOCK) === 8 * (IDS_IN_A_BLOCK - 1)) await setImmediate();
      const at = this.positionOf(Number(view.getBigInt64(from)));
      if (at !== NONE) flags[at] = 1;
    }
    return flags;
  }

  /** The position of a product; {@link NONE} if it is unknown. */
  positionOf(id: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ids[middle] ?? 0) < id) low = middle + 1;
      else high = middle;
    }
    return low < this.size && this.ids[low] === id ? low : NONE;
  }

  #append(): number {
    if (this.size === this.ids.length) {
      const capacity = this.size * 2;
      this.ids = grown(this.ids, new Float64Array(capacity));
      this.present = grown(this.present, new Uint8Array(capacity));
      this.brands = grown(this.brands, new Int32Array(capacity));
      this.categories = grown(this.categories, new Int32Array(capacity));
      this.prices = grown(this.prices, new Float64Array(capacity));
      this.priceSteps = grown(this.priceSteps, new Uint16Array(capacity));
      this.discounts = grown(this.discounts, new Int32Array(capacity));
    }
    this.size += 1;
    return this.size - 1;
  }

  #offersOf(text: string | null): number[] {
    if (text === null) return [];
    return text.split(',').map((each) => {
      const number = Number(each);
      const merchant = this.merchantCodes.of(BigInt(Math.floor(number / 2 ** BITS_OF_OFFER)));
      return merchant * 2 ** BITS_OF_OFFER + (number % 2 ** BITS_OF_OFFER);
    });
  }

  #attributesOf(stored: unknown): number[] {
    if (stored === null) return [];
    const values = stored as Readonly<Record<string, unknown>>;
    const codes: number[] = [];
    for (const [n, name] of ATTRIBUTE_NAMES.entries()) {
      if (values[name] !== undefined) codes.push(this.#attributeOf(n, String(values[name])));
    }
    return codes;
  }

  #attributeOf(nameIndex: number, value: string): number {
    const key = attributeKey(nameIndex, value);
    const known = this.attributeCodes.known(key);
    if (known !== undefined) return known;
    if (this.attributeCodes.things.length < this.#mostAttributes) return this.attributeCodes.of(key);
    this.hasUnnumberedAttributes = true;
    return nameIndex;
  }
}

function bytesIn(text: string): DataView {
  const bytes = Buffer.from(text, 'base64');
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** An attribute as a text: a character for the number of its name, and its value. */
export const attributeKey = (nameIndex: number, value: string): string => String.fromCharCode(nameIndex) + value;

/** The number of the name in an {@link attributeKey}. */
export const nameIndexIn = (key: string): number => key.charCodeAt(0);

/** The value in an {@link attributeKey}. */
export const valueIn = (key: string): string => key.slice(1);

/** Whether this number of an attribute stands for all values of its name that have no number of their own. */
export const isUnnumbered = (attribute: number): boolean => attribute < ATTRIBUTE_NAMES.length;

/** Numbers things in the order of their first use. */
class Codes<Thing> {
  readonly things: Thing[];
  readonly #codes = new Map<Thing, number>();

  /** @param reserved things with the first numbers, which {@link known} and {@link flags} do not find. */
  constructor(reserved: readonly Thing[] = []) {
    this.things = [...reserved];
  }

  /** The number of a thing; `undefined` if it has none. */
  known(thing: Thing): number | undefined {
    return this.#codes.get(thing);
  }

  /** The number of a thing, a new one if it has none. */
  of(thing: Thing): number {
    const known = this.known(thing);
    if (known !== undefined) return known;
    this.#codes.set(thing, this.things.length);
    return this.things.push(thing) - 1;
  }

  /** Flags by number: 1 for each of these things. */
  flags(things: Iterable<Thing>): Uint8Array {
    const flags = new Uint8Array(this.things.length);
    for (const thing of things) {
      const code = this.known(thing);
      if (code !== undefined) flags[code] = 1;
    }
    return flags;
  }
}

/** A short list of numbers for each position, all in one array. */
class NumberLists {
  values: Int32Array;
  starts: Int32Array;
  lengths: Int32Array;
  #used = 0;

  constructor(capacity: number) {
    this.values = new Int32Array(capacity);
    this.starts = new Int32Array(capacity);
    this.lengths = new Int32Array(capacity);
  }

  /** The numbers that lists have left behind. */
  wasted = 0;

  set(position: number, list: readonly number[]): void {
    if (position >= this.starts.length) {
      this.starts = grown(this.starts, new Int32Array(this.starts.length * 2));
      this.lengths = grown(this.lengths, new Int32Array(this.lengths.length * 2));
    }
    const before = this.lengths[position] ?? 0;
    if (list.length > before) {
      while (this.#used + list.length > this.values.length) {
        this.values = grown(this.values, new Int32Array(this.values.length * 2));
      }
      this.wasted += before;
      this.starts[position] = this.#used;
      this.#used += list.length;
    } else {
      this.wasted += before - list.length;
    }
    this.values.set(list, this.starts[position]);
    this.lengths[position] = list.length;
  }
}

function grown<Numbers extends Float64Array | Int32Array | Uint8Array | Uint16Array>(
  old: Numbers,
  large: Numbers,
): Numbers {
  large.set(old);
  return large;
}
