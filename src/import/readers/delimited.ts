// Reads feeds of delimited text, TSV and CSV, with a header line.
import { BrokenFeed } from '../reject.ts';
import { createRecordCutter, type DelimitedRecord, unquote } from './delimited-records.ts';
import type { Delimiter } from './detect.ts';
import {
  encodingFaultOf,
  type FeedField,
  type FeedFields,
  type FeedRow,
  feedFieldOf,
  LONGEST_FIELD,
  mayBeRepeated,
  mayRepeat,
  normaliseFieldName,
  type RowFault,
  type RowReader,
  repeatedField,
  type ShippingOption,
  withoutControls,
} from './feed-row.ts';
import { createLineJoiner } from './quoted-lines.ts';
import { parseShippingText, type ShippingOrder, shippingOrderOf } from './shipping-text.ts';

/** A reader of delimited feeds. Missing cells at the end of a row are empty; surplus ones are a fault, unless they are empty. */
export function createDelimitedReader(delimiter: Delimiter): RowReader {
  const cutter = createRecordCutter(delimiter);
  const unquoted = ({ line, cells }: DelimitedRecord) => ({
    line,
    cells: delimiter === '\t' ? cells.map(unquote) : cells,
  });
  let columns: Column[] | undefined;
  let joiner: ReturnType<typeof createLineJoiner> | undefined;

  function read(text: string, isLast: boolean): FeedRow[] {
    cutter.add(withoutControls(text), isLast);
    const rows: FeedRow[] = [];
    const add = (record: DelimitedRecord) => rows.push(toRow(unquoted(record), columns ?? []));
    for (let record = cutter.next(); record !== undefined; record = cutter.next()) {
      if (columns === undefined) {
        columns = readHeader(unquoted(record));
        if (delimiter === '\t') joiner = createLineJoiner(columns.length);
      } else if (joiner === undefined) add(record);
      else for (const each of joiner.add(record)) add(each);
    }
    if (isLast) for (const each of joiner?.end() ?? []) add(each);
    return rows;
  }

  return { push: (text) => read(text, false), end: () => read('', true) };
}

/** A column's field, the order of its parts if it holds shipping, or nothing that is used. */
interface Column {
  field?: FeedField;
  shippingOrder?: ShippingOrder;
}

/** Refuses a used column that occurs twice if its values would be ambiguous; `shipping` and repeatable fields may. */
function readHeader({ line, cells }: DelimitedRecord): Column[] {
  const seen = new Set<FeedField>();
  const columns = cells.map((name): Column => {
    const shippingOrder = shippingOrderOf(normaliseFieldName(name));
    if (shippingOrder !== undefined) return { shippingOrder };
    const field = feedFieldOf(name);
    if (field === undefined) return {};
    if (seen.has(field) && !mayBeRepeated(field))
      throw new BrokenFeed(`the header has the column "${field}" twice; keep one`, { line });
    seen.add(field);
    return { field };
  });
  if (!seen.has('id')) throw new BrokenFeed('the header has no column "id"; expected the names of columns', { line });
  return columns;
}

function toRow({ line, cells }: DelimitedRecord, columns: readonly Column[]): FeedRow {
  const fields: FeedFields = {};
  const shipping: ShippingOption[] = [];
  let fault: RowFault | undefined;
  // A header may name any number of columns, so the work is bounded by the cells of the row.
  const filled = Math.min(columns.length, cells.length);
  for (let index = 0; index < filled; index++) {
    const { field, shippingOrder } = columns[index] ?? {};
    const value = cells[index]?.trim() ?? '';
    if (value === '' || (field === undefined && shippingOrder === undefined)) continue;
    if (value.length > LONGEST_FIELD) {
      fault = { reason: 'field_too_long', detail: `A field is longer than ${LONGEST_FIELD} characters.` };
    } else if (field !== undefined) {
      const first = fields[field];
      if (first === undefined) fields[field] = value;
      else if (!mayRepeat(field, first, value)) fault = repeatedField(field);
    } else {
      // One by one: a call takes only so many arguments, and a cell may hold more options.
      for (const option of parseShippingText(value, shippingOrder)) shipping.push(option);
    }
  }
  fault ??= raggedFault(cells, columns.length) ?? encodingFaultOf(fields);
  return { line, fields, shipping, fault };
}

function raggedFault(cells: readonly string[], expected: number): RowFault | undefined {
  if (cells.length <= expected || cells.slice(expected).every((cell) => cell.trim() === '')) return undefined;
  return { reason: 'ragged_row', detail: `The row has ${cells.length} fields, the header ${expected}.` };
}
