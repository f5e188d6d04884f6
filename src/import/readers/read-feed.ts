// Reads a feed of any of the formats: bytes in, batches of rows out, with memory that does not grow with the feed.

import { decodeText } from './decode.ts';
import { createDelimitedReader } from './delimited.ts';
import { detectFormat, hasFirstLine } from './detect.ts';
import type { FeedRow, RowReader } from './feed-row.ts';
import { createJsonLinesReader } from './json-lines.ts';
import { createXmlReader } from './xml.ts';

/** How to read a feed. */
export interface ReadFeedOptions {
  /** The encoding the feed is in, such as `windows-1252`; wins over all it says itself. */
  encoding?: string | undefined;
}

/**
 * Reads the rows of a feed in their order. Rows come in batches as they become complete, none of them empty; a row that
 * is bad by itself has a `fault`.
 *
 * @throws BrokenFeed as soon as the feed turns out to be cut off or not of any format; rows given before are void then
 * @example for await (const rows of readFeed(feed.bytes)) for (const row of rows) take(row);
 */
export async function* readFeed(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadFeedOptions = {},
): AsyncGenerator<FeedRow[]> {
  let start = '';
  let reader: RowReader | undefined;
  for await (const text of decodeText(bytes, options.encoding)) {
    let rows: FeedRow[];
    if (reader === undefined) {
      start += text;
      if (!hasFirstLine(start)) continue;
      reader = readerFor(start);
      rows = reader.push(start);
      start = '';
    } else {
      rows = reader.push(text);
    }
    if (rows.length > 0) yield rows;
  }
  if (reader === undefined) {
    reader = readerFor(start);
    const rows = reader.push(start);
    if (rows.length > 0) yield rows;
  }
  const rows = reader.end();
  if (rows.length > 0) yield rows;
}

function readerFor(start: string): RowReader {
  const format = detectFormat(start);
  switch (format.kind) {
    case 'xml':
      return createXmlReader();
    case 'json-lines':
      return createJsonLinesReader();
    case 'delimited':
      return createDelimitedReader(format.delimiter);
  }
}
