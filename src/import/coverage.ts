/** Which of the values that make an offer easy to find and compare a row states. Counted only for imports that are observed. */
import type { FeedItem } from './item.ts';

/** The values, and how to tell whether an accepted row states them. A category counts as stated even if the taxonomy lacks it. */
const COVERED = {
  gtin: ({ gtin }: FeedItem) => gtin !== undefined,
  brand: ({ product }: FeedItem) => product.brand !== undefined,
  picture: ({ product }: FeedItem) => product.image !== undefined,
  category: ({ product }: FeedItem) => product.category !== undefined,
} as const;

export type CoveredValue = keyof typeof COVERED;

const NAMES = Object.keys(COVERED) as CoveredValue[];

/** The values that an accepted row states, as a number with a bit for each. */
export function coverageOf(item: FeedItem): number {
  let bits = 0;
  for (const [place, name] of NAMES.entries()) if (COVERED[name](item)) bits |= 1 << place;
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
