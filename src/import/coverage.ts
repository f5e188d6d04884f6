/** Which of the values that make an offer easy to find and compare a row states. Only for imports that are observed. */
import type { ImportObserver } from './import-observer.ts';
import { readGtin } from './item.ts';
import { PRODUCT_FIELDS } from './product-fields.ts';
import type { FeedFields } from './readers/feed-row.ts';

const states = (name: 'brand' | 'image' | 'category') => {
  const field = PRODUCT_FIELDS.find((each) => each.name === name);
  return (fields: FeedFields) => field?.read(fields) !== undefined;
};

/** The values, and how to tell whether an accepted row states them. A category counts even if the taxonomy lacks it. */
const COVERED = {
  gtin: (fields: FeedFields) => readGtin(fields)?.ok === true,
  brand: states('brand'),
  picture: states('image'),
  category: states('category'),
} as const;

export type CoveredValue = keyof typeof COVERED;

const NAMES = Object.keys(COVERED) as CoveredValue[];

/** The values that an accepted row states, as a number with a bit for each. */
function coverageOf(fields: FeedFields): number {
  let bits = 0;
  for (const [place, name] of NAMES.entries()) if (COVERED[name](fields)) bits |= 1 << place;
  return bits;
}

/** Counts rows by the values that they state. */
export function openCoverage() {
  const rows = new Array<number>(1 << NAMES.length).fill(0);
  return {
    /** Adds rows that state the same values; a negative number takes them out again. */
    add(bits: number, count = 1): void {
      rows[bits] = (rows[bits] ?? 0) + count;
    },
    /** All rows. */
    total: () => rows.reduce((sum, count) => sum + count, 0),
    /** The rows that state each value. */
    counts: () =>
      Object.fromEntries(
        NAMES.map((name, place) => [
          name,
          rows.reduce((sum, count, bits) => (bits & (1 << place) ? sum + count : sum), 0),
        ]),
      ) as Record<CoveredValue, number>,
  };
}

export type AcceptedRows = ReturnType<typeof openAcceptedRows>;

/** Tells an observer which rows are accepted. Remembers what they state, one byte each, since matching may still reject them. */
export function openAcceptedRows(observer: ImportObserver) {
  let noted = new Uint8Array(4_096);
  return {
    /** @param position counts the rows of the feed, from 1. */
    add(position: number, fields: FeedFields): void {
      if (position >= noted.length) {
        const larger = new Uint8Array(Math.max(noted.length * 2, position + 1));
        larger.set(noted);
        noted = larger;
      }
      const bits = coverageOf(fields);
      noted[position] = bits;
      observer.onAccepted(bits, 1);
    },
    /** A row was rejected after all. */
    takeBack(position: number): void {
      observer.onAccepted(noted[position] ?? 0, -1);
    },
  };
}
