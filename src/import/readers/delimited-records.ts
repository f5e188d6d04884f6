// Cuts delimited text into records of cells, one at a time, from a buffer that may end anywhere.
//
// No library does this for shops' feeds: csv-parse reads a seventh of the bytes per second, and takes a quote inside a quoted cell
// (`"27" monitor, black"`) as the end of the cell, and a lone quote in tab-separated text as the start of one that swallows rows.

import { BrokenFeed } from '../reject.ts';
import type { Delimiter } from './detect.ts';
import { LONGEST_FIELD, LONGEST_ROW } from './feed-row.ts';

/** One record: the line on which it starts and its cells, unquoted (with tabs not yet) but not trimmed. */
export interface DelimitedRecord {
  line: number;
  cells: string[];
}

/**
 * Cuts lines ended by LF, CRLF or CR into cells.
 *
 * With commas, semicolons and bars, quotes follow RFC 4180: a quoted cell may hold delimiters and line breaks. A quote inside it that
 * is neither doubled nor followed by a delimiter stands for itself (`"27" monitor"`), unless the cell already contains a line break:
 * then its opening quote was never closed, and the feed is broken there. With tabs, a tab or line break always ends a cell, so a lone quote
 * (`27" monitor`) never swallows the rows after it, and the cells keep their quotes: {@link unquote} them once lines are joined (quoted-lines.ts).
 */
export function createRecordCutter(delimiter: Delimiter) {
  const quotesSpanLines = delimiter !== '\t';
  // Each text is read once. What a record has of earlier texts is in `cells` and `cell`.
  let text = '';
  let position = 0;
  let isLast = false;
  let nextFeed = -1;
  let nextReturn = -1;
  let nextQuote = -1;
  let line = 1;
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let hasLineBreak = false;
  let lineBreaks = 0;
  let earlierLength = 0;

  /** The record that ends next; `undefined` if the text ends before it. */
  function cutRecord(): DelimitedRecord | undefined {
    const start = position;
    while (position < text.length || (isLast && (isQuoted || cells.length > 0 || cell !== ''))) {
      if (!isQuoted && quotesSpanLines && cell === '' && text[position] === '"') {
        isQuoted = true;
        position++;
      }
      if (!(isQuoted ? takeQuoted() : takePlain())) break;
      cells.push(cell);
      cell = '';
      if (text[position] === delimiter) position++;
      else return endRecord();
    }
    earlierLength += position - start;
    if (earlierLength > LONGEST_ROW) {
      throw new BrokenFeed('a row goes on for more than 4 MiB; this is not product data', { line });
    }
    return undefined;
  }

  function endRecord(): DelimitedRecord {
    const record = { line, cells };
    line += lineBreaks + 1;
    position += text[position] === '\r' && text[position + 1] === '\n' ? 2 : 1;
    cells = [];
    lineBreaks = 0;
    earlierLength = 0;
    return record;
  }

  /** Takes the cells up to the end of the line or the next quoted cell, except that the last one stays in `cell`. */
  function takePlain(): boolean {
    const lineEnd = endOfLine();
    const end = quotesSpanLines ? startOfQuoted(lineEnd) : lineEnd;
    const taken = text.slice(position, end).split(delimiter);
    if (cell !== '') taken[0] = cell + taken[0];
    cell = taken.pop() ?? '';
    if (cells.length === 0) cells = taken;
    else for (const each of taken) cells.push(each);
    position = end;
    return isLast || end < lineEnd || !isCutOff(end);
  }

  /** Takes a quoted cell up to the quote that closes it; false if the text ends before it. */
  function takeQuoted(): boolean {
    for (let from = position; ; ) {
      const quote = text.indexOf('"', from);
      if (quote < 0 || (!isLast && isCutOff(quote + 1))) {
        take(quote < 0 ? text.length : quote);
        if (isLast || cell.length > 2 * LONGEST_FIELD) throw unclosedQuote();
        return false;
      }
      const after = text[quote + 1];
      if (after === '"') {
        from = quote + 2;
      } else if (after === delimiter || after === '\n' || after === '\r' || after === undefined) {
        take(quote);
        if (hasLineBreak) lineBreaks += countLineBreaks(cell);
        cell = withoutDoubling(cell);
        position = quote + 1;
        isQuoted = false;
        hasLineBreak = false;
        return true;
      } else {
        if (hasLineBreak || endOfLine() < quote) throw unclosedQuote();
        from = quote + 1;
      }
    }
  }

  function take(end: number): void {
    hasLineBreak ||= endOfLine() < end;
    cell += text.slice(position, end);
    position = end;
  }

  function unclosedQuote(): BrokenFeed {
    return new BrokenFeed('a quote opens here and is not closed; close it, or double quotes that belong to the text', {
      line: line + lineBreaks,
    });
  }

  /** Where the line at `position` ends; the end of the text if it ends later. */
  function endOfLine(): number {
    if (nextFeed < position) nextFeed = indexOrEnd(text.indexOf('\n', position));
    if (nextReturn < position) nextReturn = indexOrEnd(text.indexOf('\r', position));
    return Math.min(nextFeed, nextReturn);
  }

  /** The delimiter before the next quoted cell of a line; `end` if there is none. */
  function startOfQuoted(end: number): number {
    while (nextQuote < end && (nextQuote <= position || text[nextQuote - 1] !== delimiter)) {
      nextQuote = indexOrEnd(text.indexOf('"', Math.max(nextQuote + 1, position)));
    }
    return nextQuote < end ? nextQuote - 1 : end;
  }

  /** Whether the next text tells what is at `index`: a line feed after a return belongs to it. */
  function isCutOff(index: number): boolean {
    return index >= text.length || (index === text.length - 1 && text[index] === '\r');
  }

  function indexOrEnd(index: number): number {
    return index < 0 ? text.length : index;
  }

  return {
    /** Adds text. @param isEnd whether the feed ends with it, so that its last line is complete too. */
    add(more: string, isEnd: boolean): void {
      // The rest is at most a quote and a return.
      text = text.slice(position) + more;
      position = 0;
      nextFeed = -1;
      nextReturn = -1;
      nextQuote = -1;
      isLast = isEnd;
    },
    /** The next complete record, if there is one. Skips blank lines. */
    next(): DelimitedRecord | undefined {
      for (;;) {
        const record = cutRecord();
        if (record === undefined || !isBlank(record)) return record;
      }
    },
  };
}

/** The cell without quotes around the whole of it. */
export function unquote(cell: string): string {
  const isQuoted = cell.length > 1 && cell.startsWith('"') && cell.endsWith('"');
  return isQuoted ? withoutDoubling(cell.slice(1, -1)) : cell;
}

function withoutDoubling(text: string): string {
  return text.replaceAll('""', '"');
}

// Spreadsheets write rows of only delimiters after the last filled row.
function isBlank(record: DelimitedRecord): boolean {
  return record.cells.every((cell) => cell.trim() === '');
}

function countLineBreaks(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
