// Feeds written in tests: text or bytes in, rows out.

import type { FeedRow } from '../../src/import/readers/feed-row.ts';
import { type ReadFeedOptions, readerFor, readFeed } from '../../src/import/readers/read-feed.ts';

/** All rows of a feed, given as text or bytes, in one piece or cut at the given lengths. */
export async function rowsOf(
  feed: string | Uint8Array,
  options: ReadFeedOptions & { cuts?: readonly number[] } = {},
): Promise<FeedRow[]> {
  const { cuts = [], ...readOptions } = options;
  const rows: FeedRow[] = [];
  for await (const batch of readFeed(inPieces(Buffer.from(feed), cuts), readOptions)) rows.push(...batch);
  return rows;
}

/** All rows of a text, which is cut at the given lengths, which repeat: `readFeed` joins short pieces before it reads them. */
export function rowsOfPieces(text: string, cuts: readonly number[]): FeedRow[] {
  const reader = readerFor(text);
  const rows: FeedRow[] = [];
  let start = 0;
  for (let turn = 0; start < text.length; turn++) {
    const end = start + (cuts[turn % cuts.length] ?? 1);
    rows.push(...reader.push(text.slice(start, end)));
    start = end;
  }
  return [...rows, ...reader.end()];
}

/** The message with which a feed is refused as a whole, or "accepted". */
export async function refusalOf(feed: string | Uint8Array, options: ReadFeedOptions = {}): Promise<string> {
  return rowsOf(feed, options).then(
    (rows) => `accepted with ${rows.length} rows`,
    (error: unknown) => String(error),
  );
}

/** An RSS feed with the given items' inner XML. */
export function rss(...items: string[]): string {
  const inner = items.map((item) => `<item>${item}</item>`).join('\n');
  return `<?xml version="1.0"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>\n${inner}\n</channel></rss>`;
}

/** The bytes in pieces of the given lengths, which repeat. */
export async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (let turn = 0; start < bytes.length; turn++) {
    const length = cuts.length === 0 ? bytes.length : (cuts[turn % cuts.length] ?? 1);
    yield bytes.subarray(start, start + length);
    start += length;
  }
}
