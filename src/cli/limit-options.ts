/** Options for the limits of imports. */
import { Option } from 'commander';
import { MOST_ROWS } from '../import/import-request.ts';
import { byteSize, parseByteSize } from '../values/byte-size.ts';
import { UsageError } from './exit.ts';

/** The word that takes an own limit away again. */
export const DEFAULT = 'default' as const;

/** An option to change a limit: it also takes the word `default`. */
export function orDefault(option: Option): Option {
  const parse = option.parseArg;
  // Commander would turn `null` into an empty text.
  return option.argParser((text) => (text === DEFAULT ? DEFAULT : parse?.(text, undefined)));
}

/** The value of such an option: `null` for `default`. */
export const orNull = <Value>(value: Value | typeof DEFAULT | undefined): Value | null | undefined =>
  value === DEFAULT ? null : value;

/** An option that takes a size. @param least in bytes. @param usual the default, if any. */
export function sizeOption(name: string, description: string, least: number, usual?: number): Option {
  const option = new Option(`${name} <size>`, description);
  if (usual !== undefined) option.default(usual, byteSize(usual));
  return option.argParser((text) => {
    const bytes = parseByteSize(text);
    if (bytes !== undefined && bytes >= least) return bytes;
    throw new UsageError(`${name} must be a size such as 2GiB, 500MB or 1000000 (bytes); got ${text}.`);
  });
}

/** An option that takes a number of rows. */
export function rowsOption(name: string, description: string, least: number, usual?: number): Option {
  const option = new Option(`${name} <rows>`, description);
  if (usual !== undefined) option.default(usual);
  return option.argParser((text) => {
    const rows = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (rows >= least && rows <= MOST_ROWS) return rows;
    throw new UsageError(`${name} must be a whole number from ${least} to ${MOST_ROWS}; got ${text}.`);
  });
}
