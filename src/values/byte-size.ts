/** Sizes in bytes as people write and read them: `2 GiB`, `500MB`, `1000000`. */

const UNITS: readonly (readonly [string, number])[] = [
  ['TiB', 1024 ** 4],
  ['TB', 1000 ** 4],
  ['GiB', 1024 ** 3],
  ['GB', 1000 ** 3],
  ['MiB', 1024 ** 2],
  ['MB', 1000 ** 2],
  ['KiB', 1024],
  ['kB', 1000],
  ['KB', 1000],
  ['B', 1],
  ['', 1],
];

/**
 * Parses a size, in bytes or a unit of IEC 80000-13 (`KiB` to `TiB`) or SI (`kB` to `TB`); `undefined` for any other text and above
 * the safe integers. @example parseByteSize('2GiB') // 2147483648
 */
export function parseByteSize(text: string): number | undefined {
  const [, digits, name] = /^(\d{1,16}) ?([A-Za-z]{0,3})$/.exec(text) ?? [];
  const unit = UNITS.find(([each]) => each === name)?.[1];
  const bytes = unit === undefined ? Number.NaN : Number(digits) * unit;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Formats a size for a message, in the largest unit that expresses it exactly. @example byteSize(2147483648) // '2 GiB' */
export function byteSize(bytes: number): string {
  const exact = UNITS.find(([, unit]) => unit > 1 && bytes > 0 && bytes % unit === 0);
  return exact ? `${bytes / exact[1]} ${exact[0]}` : `${bytes} bytes`;
}

/** Formats a measured size for a message, rounded down to whole MiB. */
export function wholeMebibytes(bytes: number): string {
  return `${Math.floor(bytes / 1024 ** 2)} MiB`;
}
