// Joins the lines of tab-separated text that a quoted cell with line breaks or tabs divides.
import type { DelimitedRecord } from './delimited-records.ts';
import { LONGEST_FIELD } from './feed-row.ts';

/**
 * Joins records of tab-separated text, whose cells still have their quotes, where a cell holds line breaks or tabs in quotes, as Excel and
 * most libraries write it. That is certain only if every quote within the cell is doubled, its closing quote ends a cell, and the joined row
 * has as many cells as the header, which not all of its lines have by themselves. All other records pass as they are, because a lone quote
 * (`27" monitor`) must not swallow the rows after it.
 *
 * @param columns of the header.
 */
export function createLineJoiner(columns: number) {
  // The lines of a row whose quoted cell is open, and what they give so far.
  let lines: DelimitedRecord[] = [];
  let cells: string[] = [];
  let open: string[] = [];
  let length = 0;
  let lastLine = 0;

  /** Takes the lines that wait, as they are. */
  function release(): DelimitedRecord[] {
    const released = lines;
    lines = [];
    open = [];
    return released;
  }

  /** Whether the line goes on with the row; false if a quote contradicts that. */
  function extend({ line, cells: added }: DelimitedRecord): boolean {
    let separator = '\n'.repeat(Math.min(line - lastLine, LONGEST_FIELD));
    lastLine = line;
    for (const cell of added) {
      const isOpen = open.length > 0;
      const quotes = isOpen ? quotesOf(cell) : startsQuoted(cell) ? quotesOf(cell.slice(1)) : 'lone';
      if (isOpen && quotes === 'lone') return false;
      if (quotes === 'lone') cells.push(cell);
      else if (isOpen) open.push(separator, cell);
      else open = [cell];
      length += separator.length + cell.length;
      if (quotes === 'closing') {
        cells.push(open.join(''));
        open = [];
      }
      separator = '\t';
    }
    return length <= LONGEST_FIELD;
  }

  function add(record: DelimitedRecord): DelimitedRecord[] {
    const isContinued = lines.length > 0;
    if (!isContinued) {
      if (!record.cells.some(startsQuoted)) return [record];
      cells = [];
      length = 0;
      lastLine = record.line;
    }
    if (!extend(record)) {
      const released = release();
      // The contradicting line may itself begin a row of several lines.
      return isContinued ? [...released, ...add(record)] : [record];
    }
    lines.push(record);
    if (open.length > 0) return [];
    const released = release();
    const isJoined = cells.length === columns && released.some((each) => each.cells.length !== columns);
    return isJoined ? [{ line: released[0]?.line ?? record.line, cells }] : released;
  }

  return {
    /** Adds a line, and returns the records that are complete. */
    add,
    /** The lines that still wait when the feed ends. */
    end: release,
  };
}

const startsQuoted = (cell: string) => cell.startsWith('"');

/** What the quotes of a text say that is within quotes: all are doubled, the last one closes it, or one is neither. */
function quotesOf(text: string): 'doubled' | 'closing' | 'lone' {
  const others = text.replaceAll('""', '');
  const quote = others.indexOf('"');
  if (quote < 0) return 'doubled';
  return quote === others.length - 1 ? 'closing' : 'lone';
}
