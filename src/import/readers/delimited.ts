// Reads feeds of delimited text, TSV and CSV, with a header line.

import { type Column, readHeader } from './delimited-header.ts';
import { createRecordCutter, type DelimitedRecord } from './delimited-records.ts';
import type { Delimiter } from './detect.ts';
import {
  encodingFaultOf,
  type FeedFields,
  type FeedRow,
  type RowFault,
  type RowReader,
  type ShippingOption,
} from './feed-row.ts';
import { LONGEST_FIELD } from './limits.ts';
import { parseShippingText } from './shipping-text.ts';

/**
 * A reader of delimited feeds. If a row has fewer cells than the header, its last fields are empty; more cells are a fault of that
 * row, unless the surplus is empty. NUL and other control characters are dropped: they mean nothing, and the text around them is
 * intact.
 */
export function createDelimitedReader(delimiter: Delimiter): RowReader {
  const cutter = createRecordCutter(delimiter);
  let columns: Column[] | undefined;

  function readComplete(): FeedRow[] {
    const rows: FeedRow[] = [];
    for (let record = cutter.next(); record !== undefined; record = cutter.next()) {
      if (columns === undefined) columns = readHeader(record.cells, record.line);
      else rows.push(toRow(record, columns));
    }
    return rows;
  }

  return {
    push(text) {
      cutter.add(text.replace(CONTROL_CHARACTERS, ''));
      return readComplete();
    },
    end() {
      cutter.finish();
      return readComplete();
    },
  };
}

function toRow({ line, cells }: DelimitedRecord, columns: readonly Column[]): FeedRow {
  const fields: FeedFields = {};
  const shipping: ShippingOption[] = [];
  let fault: RowFault | undefined;
  // A header may name any number of columns, so the work is bounded by the cells of the row.
  const filled = Math.min(columns.length, cells.length);
  for (let index = 0; index < filled; index++) {
    const column = columns[index];
    const value = cells[index]?.trim();
    if (column === undefined || column.kind === 'unused' || value === undefined || value === '') continue;
    if (value.length > LONGEST_FIELD) {
      fault = { reason: 'field_too_long', detail: `A field is longer than ${LONGEST_FIELD} characters.` };
    } else if (column.kind === 'field') {
      fields[column.field] = value;
    } else {
      // One by one: a call takes only so many arguments, and a cell may hold more options.
      for (const option of parseShippingText(value, column.order)) shipping.push(option);
    }
  }
  fault ??= raggedFault(cells, columns.length) ?? encodingFaultOf(fields);
  return fault === undefined ? { line, fields, shipping } : { line, fields, shipping, fault };
}

function raggedFault(cells: readonly string[], expected: number): RowFault | undefined {
  for (let index = expected; index < cells.length; index++) {
    if (cells[index]?.trim() !== '') {
      return { reason: 'ragged_row', detail: `The row has ${cells.length} fields, the header ${expected}.` };
    }
  }
  return undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them.
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;
