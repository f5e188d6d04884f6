// Cuts delimited text into records of cells, one at a time, from a buffer that may end anywhere.
//
// No library does this for shops' feeds: csv-parse reads a seventh of the bytes per second, and takes a quote inside a quoted cell
// (`"27" monitor, black"`) as the end of the cell, and a lone quote in tab-separated text as the start of one that swallows rows.

import { BrokenFeed } from '../reject.ts';
import type { Delimiter } from './detect.ts';
import { LONGEST_FIELD, LONGEST_ROW } from './feed-row.ts';

/** One record: the line on which it starts and its cells, unquoted but not trimmed. */
export interface DelimitedRecord {
  line: number;
  cells: string[];
}

/**
 * Cuts lines ended by LF, CRLF or CR into cells.
 *
 * With commas, semicolons and bars, quotes follow RFC 4180: a quoted cell may hold delimiters and line breaks. A quote inside it that
 * is neither doubled nor followed by a delimiter stands for itself (`"27" monitor"`), unless the cell already contains a line break:
 * then its opening quote was never closed, and the feed is broken there. With tabs, a tab or line break always ends a cell, and quotes
 * count only around a whole cell, so a lone quote (`27" monitor`) never swallows the rows after it.
 */
export function createRecordCutter(delimiter: Delimiter) {
  const quotesSpanLines = delimiter !== '\t';
  let buffer = '';
  let position = 0;
  let line = 1;
  let isFinished = false;
  let nextReturn = -1;
  let nextQuote = -1;

  /** Where the line at `position` ends, or -1 while that is unknown. */
  function endOfLine(): number {
    const feed = buffer.indexOf('\n', position);
    if (nextReturn < position) nextReturn = indexOrEnd(buffer.indexOf('\r', position));
    const end = Math.min(indexOrEnd(feed), nextReturn);
    if (end < buffer.length) return end === buffer.length - 1 && buffer[end] === '\r' && !isFinished ? -1 : end;
    return isFinished ? buffer.length : -1;
  }

  function indexOrEnd(index: number): number {
    return index < 0 ? buffer.length : index;
  }

  function stepOver(end: number): void {
    position = buffer[end] === '\r' && buffer[end + 1] === '\n' ? end + 2 : end + 1;
    line++;
  }

  function hasQuoteBefore(end: number): boolean {
    if (nextQuote < position) nextQuote = indexOrEnd(buffer.indexOf('"', position));
    return nextQuote < end;
  }

  /** A record with quotes, cell by cell; `undefined` while its end is missing. */
  function cutQuoted(): DelimitedRecord | undefined {
    const cells: string[] = [];
    let at = position;
    for (;;) {
      const cell = buffer[at] === '"' ? cutQuotedCell(at) : cutPlainCell(at);
      if (cell === undefined) return undefined;
      cells.push(cell.value);
      at = cell.end;
      if (buffer[at] === delimiter) {
        at++;
        continue;
      }
      const record = { line, cells };
      line += countLineBreaks(buffer.slice(position, at));
      position = at;
      stepOver(at);
      return record;
    }
  }

  function cutPlainCell(start: number): { value: string; end: number } | undefined {
    let end = start;
    while (end < buffer.length && buffer[end] !== delimiter && buffer[end] !== '\n' && buffer[end] !== '\r') end++;
    if (!isFinished && (end === buffer.length || (buffer[end] === '\r' && end === buffer.length - 1))) return undefined;
    return { value: buffer.slice(start, end), end };
  }

  function cutQuotedCell(start: number): { value: string; end: number } | undefined {
    let value = '';
    let from = start + 1;
    for (;;) {
      const quote = buffer.indexOf('"', from);
      if (quote < 0) {
        if (isFinished || buffer.length - start > 2 * LONGEST_FIELD) throw unclosedQuote(start);
        return undefined;
      }
      const after = buffer[quote + 1];
      if (!isFinished && (after === undefined || (after === '\r' && quote + 2 === buffer.length))) return undefined;
      if (after === '"') {
        value += buffer.slice(from, quote + 1);
        from = quote + 2;
      } else if (after === delimiter || after === '\n' || after === '\r' || after === undefined) {
        return { value: value + buffer.slice(from, quote), end: quote + 1 };
      } else {
        if (/[\r\n]/.test(buffer.slice(start, quote))) throw unclosedQuote(start);
        value += buffer.slice(from, quote + 1);
        from = quote + 1;
      }
    }
  }

  function unclosedQuote(start: number): BrokenFeed {
    return new BrokenFeed('a quote opens here and is not closed; close it, or double quotes that belong to the text', {
      line: line + countLineBreaks(buffer.slice(position, start)),
    });
  }

  function cutLine(end: number): DelimitedRecord {
    const cells = buffer.slice(position, end).split(delimiter);
    return { line, cells: quotesSpanLines ? cells : cells.map(unquote) };
  }

  return {
    /** Adds text to the buffer. @param isLast whether the text ends here, so that its last line is complete too. */
    add(text: string, isLast: boolean): void {
      buffer = buffer.slice(position) + text;
      position = 0;
      nextReturn = -1;
      nextQuote = -1;
      isFinished = isLast;
    },
    /** The next complete record, if there is one. Skips blank lines. */
    next(): DelimitedRecord | undefined {
      while (position < buffer.length) {
        const end = endOfLine();
        const hasQuote = quotesSpanLines && hasQuoteBefore(end < 0 ? buffer.length : end);
        if (end < 0 || hasQuote) {
          const record = hasQuote ? cutQuoted() : undefined;
          if (record === undefined && buffer.length - position > LONGEST_ROW) {
            throw new BrokenFeed('a row goes on for more than 4 MiB; this is not product data', { line });
          }
          if (record === undefined || !isBlank(record)) return record;
          continue;
        }
        const record = cutLine(end);
        stepOver(end);
        if (!isBlank(record)) return record;
      }
      return undefined;
    },
  };
}

function unquote(cell: string): string {
  const isQuoted = cell.length > 1 && cell.startsWith('"') && cell.endsWith('"');
  return isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

// Spreadsheets write rows of only delimiters after the last filled row.
function isBlank(record: DelimitedRecord): boolean {
  return record.cells.every((cell) => cell.trim() === '');
}

function countLineBreaks(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
