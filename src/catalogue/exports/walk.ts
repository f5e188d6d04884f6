/**
 * Reads a large table in the order of its primary key, page by page, each with a short statement of its own. So no transaction stays
 * open while a client reads, and a sparse filter does not make one statement scan the whole table.
 */

/** A place in the order of the rows: the number in which windows are measured, then what orders the rows with the same number. */
export type Place = readonly [number: bigint, ...others: readonly unknown[]];

export interface Walk<Row> {
  /** Reads the first rows after a place, with numbers up to and including `through`. */
  read(after: Place, through: bigint, limit: number): Promise<Row[]>;
  placeOf(row: Row): Place;
  /** The place after all rows with this number. */
  endOf(number: bigint): Place;
  /** The most rows of a page. */
  limit: number;
}

export interface WalkOptions {
  /** Aborted when nobody waits for the next page any more: where rows are sparse, it may be minutes away. */
  gone?: AbortSignal | undefined;
  /** Whether others need the processor, which takes milliseconds to read a full page. */
  isBusy?: (() => boolean) | undefined;
}

// Of a full page, while others need the processor.
const SMALL_PAGE = 0.2;

// A statement that reads a window faster than this may read twice as many numbers the next time; one that takes longer, half as many.
const FAST_MS = 20;
const SLOW_MS = 60;
// Of numbers without rows, this many are skipped in a few milliseconds. More might take seconds where rows are dense again.
const LARGEST_WINDOW = 262_144n;
const SMALLEST_WINDOW = 64n;

/**
 * Yields the pages after a place, none of them empty. While one is used, the next one is read, but no more than that. No statement
 * follows once the reader has left.
 * @param last the number at which to end.
 */
export async function* walk<Row>(
  { read, placeOf, endOf, limit: most }: Walk<Row>,
  start: Place,
  last: bigint,
  { gone, isBusy = () => false }: WalkOptions = {},
): AsyncGenerator<Row[], void, undefined> {
  let after = start;
  let window = BigInt(most);
  let isOver = start[0] > last;
  let hasLeft = false;

  const readPage = async (): Promise<Row[]> => {
    while (!isOver && !hasLeft && !gone?.aborted) {
      const end = after[0] + window;
      const through = end < last ? end : last;
      const limit = isBusy() ? Math.ceil(most * SMALL_PAGE) : most;
      const startedAt = performance.now();
      const rows = await read(after, through, limit);
      window = nextWindow(window, performance.now() - startedAt, rows.length < limit / 2);
      const final = rows.at(-1);
      const isCut = rows.length === limit && final !== undefined;
      after = isCut ? placeOf(final) : endOf(through);
      isOver = !isCut && through === last;
      if (rows.length > 0) return rows;
    }
    return [];
  };

  try {
    let reading = readPage();
    for (;;) {
      const page = await reading;
      if (page.length === 0) return;
      reading = readPage();
      reading.catch(() => {}); // Awaited above, unless the reader leaves before.
      yield page;
    }
  } finally {
    hasLeft = true;
  }
}

function nextWindow(window: bigint, ms: number, hasRoom: boolean): bigint {
  if (ms > SLOW_MS) return window / 2n > SMALLEST_WINDOW ? window / 2n : SMALLEST_WINDOW;
  if (ms > FAST_MS || !hasRoom) return window;
  return window * 2n < LARGEST_WINDOW ? window * 2n : LARGEST_WINDOW;
}
