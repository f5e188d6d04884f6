// Reads a feed of any of the formats: bytes in, batches of rows out, with memory that does not grow with the feed.
import { decodeText } from './decode.ts';
import { createDelimitedReader } from './delimited.ts';
import { detectFormat, hasFirstLine, withoutComments } from './detect.ts';
import type { FeedRow, RowReader } from './feed-row.ts';
import { createJsonLinesReader } from './json-lines.ts';
import { withHead } from './with-head.ts';
import { createXmlReader } from './xml.ts';

export interface ReadFeedOptions {
  /** The feed's encoding, such as `windows-1252`, whatever the feed itself declares. */
  encoding?: string | undefined;
}

/**
 * Reads the rows of a feed in order, in batches of at least one row. A row that is bad by itself has a `fault`.
 * @throws BrokenFeed once the feed turns out to be cut off or of no known format; discard the rows read before
 */
export async function* readFeed(
  bytes: AsyncIterable<Uint8Array>,
  { encoding }: ReadFeedOptions = {},
): AsyncGenerator<FeedRow[]> {
  let reader: RowReader | undefined;
  const join = (head: string, next: string) => head + next;
  for await (const text of withHead(decodeText(bytes, encoding), '', join, hasFirstLine)) {
    const lines = reader === undefined ? withoutComments(text) : text;
    reader ??= readerFor(lines);
    const rows = reader.push(lines);
    if (rows.length > 0) yield rows;
  }
  const rows = reader?.end() ?? [];
  if (rows.length > 0) yield rows;
}

/** The reader of a feed's format. @param start its text without comments, with the whole first line. @throws BrokenFeed as {@link detectFormat} does */
export function readerFor(start: string): RowReader {
  const format = detectFormat(start);
  if (format === 'xml') return createXmlReader();
  return format === 'json-lines' ? createJsonLinesReader() : createDelimitedReader(format);
}
