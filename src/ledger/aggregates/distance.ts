/**
 * Classes of the distance between a price and the lowest one, so that a median can be read from counts. They are narrow where most
 * distances lie: 0.1 percentage points wide up to 20 %, 1 up to 100 %, 10 up to 1000 %; the last class has no upper end.
 */

/** The distance at which each range of classes starts, and their width, in tenths of a percentage point; the number of its first class. */
const RANGES = [
  { from: 0n, width: 1n, first: 0n },
  { from: 200n, width: 10n, first: 200n },
  { from: 1_000n, width: 100n, first: 280n },
] as const;
const LAST_FROM = 10_000n;
const LAST_CLASS = 370;

/** The class of the distance of a price from the lowest one, which is above 0 and not above the price. */
export function distanceClass(price: bigint, lowest: bigint): number {
  const tenths = ((price - lowest) * 1_000n) / lowest;
  if (tenths >= LAST_FROM) return LAST_CLASS;
  const { from, width, first } = RANGES.findLast((range) => range.from <= tenths) ?? RANGES[0];
  return Number(first + (tenths - from) / width);
}

/** The smallest distance in a class, in percent. */
export function distanceOf(distance: number): number {
  const { from, width, first } = RANGES.findLast((range) => range.first <= distance) ?? RANGES[0];
  return Number(from + (BigInt(distance) - first) * width) / 10;
}
