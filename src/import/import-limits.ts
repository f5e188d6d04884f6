/** The limits of one import. An operator raises a limit for a shop that needs more. */
export interface ImportLimits {
  /** The most bytes of the feed after unpacking; a larger feed is refused. */
  maxBytes: number;
  /** The most rows; a feed with more is refused. */
  maxRows: number;
  /** The most rows in the rejects file; further rejected rows are only counted. */
  maxRejects: number;
  /** The least free space on the disk of the embedded database and, up to what it may take, of the rejects file. 0 checks nothing. */
  minFreeBytes: number;
}

/**
 * Feeds of real shops have 0.5 to 1.5 KiB per row as XML and less as text, so 2 GiB hold more than a million rows in any format.
 * Nobody reads more than ten thousand rejected rows: such a feed is wrong as a whole.
 */
export const DEFAULT_LIMITS: Readonly<ImportLimits> = {
  maxBytes: 2 * 1024 ** 3,
  maxRows: 5_000_000,
  maxRejects: 10_000,
  minFreeBytes: 512 * 1024 ** 2,
};

/** The highest `maxRows`: rows are numbered in a column of four bytes. */
export const MOST_ROWS = 2 ** 31 - 1;
