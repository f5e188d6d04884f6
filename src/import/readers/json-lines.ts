// Reads feeds of JSON Lines: one object per line, under the same field names as in the other formats.
import * as z from 'zod';
import { BrokenFeed } from '../reject.ts';
import {
  encodingFaultOf,
  FEED_FIELDS,
  type FeedFields,
  type FeedRow,
  feedFieldOf,
  fieldTooLong,
  LONGEST_FIELD,
  LONGEST_ROW,
  mayRepeat,
  normaliseFieldName,
  type RowReader,
  repeatedField,
  type ShippingOption,
  withoutControls,
} from './feed-row.ts';
import { parseShippingText, SHIPPING_PARTS } from './shipping-text.ts';

/**
 * A reader of JSON Lines. Values are texts or numbers; an array gives several. `shipping` is Google's text, or objects
 * with `country`, `price` and `min_order_value`. A price may also be `{ "value": "15.00", "currency": "EUR" }`.
 */
export function createJsonLinesReader(): RowReader {
  let buffer = '';
  let line = 1;

  function readLines(text: string, isLast: boolean): FeedRow[] {
    const rows: FeedRow[] = [];
    const lines = text.split('\n');
    lines[0] = buffer + lines[0];
    buffer = isLast ? '' : (lines.pop() ?? '');
    for (const each of lines) {
      const row = readLine(each, line);
      if (row !== undefined) rows.push(row);
      line += 1;
    }
    if (buffer.length > LONGEST_ROW) {
      throw new BrokenFeed('a line is longer than 4 MiB; write one JSON object per line', { line });
    }
    return rows;
  }

  return { push: (text) => readLines(text, false), end: () => readLines('', true) };
}

function readLine(text: string, line: number): FeedRow | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const record = RECORD.safeParse(parseJson(trimmed, line));
  if (!record.success) {
    const detail = 'The line is JSON, but not an object with field names.';
    return { line, fields: {}, shipping: [], fault: { reason: 'not_an_object', detail } };
  }
  const row = toRow(record.data, line);
  // Without U+FFFD in the line, its values have it from escapes, also of halves of a character, and not from bytes that are not text.
  if (trimmed.includes('\uFFFD')) row.fault ??= encodingFaultOf(row.fields);
  else dropReplacements(row.fields);
  return row;
}

function dropReplacements(fields: FeedFields): void {
  for (const name of FEED_FIELDS) {
    const value = fields[name];
    if (!value?.includes('\uFFFD')) continue;
    const text = value.replaceAll('\uFFFD', '').trim();
    if (text === '') delete fields[name];
    else fields[name] = text;
  }
}

function parseJson(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const detail = 'this is not one JSON object per line; the feed may be cut off, fetch it again';
    throw new BrokenFeed(detail, { line, cause });
  }
}

function toRow(record: Record<string, unknown>, line: number): FeedRow {
  const row: FeedRow = { line, fields: {}, shipping: [] };
  for (const [name, value] of Object.entries(record)) {
    const field = feedFieldOf(name);
    if (field !== undefined) {
      const values = (Array.isArray(value) ? value : [value]).map(textOf).filter((text) => text !== '');
      setField(row, field, values);
    } else if (normaliseFieldName(name) === 'shipping') {
      // One by one: a call takes only so many arguments, and a row may hold more options.
      for (const option of (Array.isArray(value) ? value : [value]).flatMap(shippingOf)) row.shipping.push(option);
    }
  }
  return row;
}

function setField(row: FeedRow, field: keyof FeedFields, values: readonly string[]): void {
  const first = row.fields[field] ?? values[0];
  if (first === undefined) return;
  if (first.length > LONGEST_FIELD) {
    row.fault = fieldTooLong(field);
    return;
  }
  row.fields[field] = first;
  if (!values.every((value) => mayRepeat(field, first, value))) row.fault ??= repeatedField(field);
}

function textOf(value: unknown): string {
  // JSON can escape a lone surrogate, which PostgreSQL refuses.
  if (typeof value === 'string') return withoutControls(value).toWellFormed().trim();
  if (typeof value === 'number') return String(value);
  // To describe what is wrong with each part of a long list would take seconds.
  if (typeof value !== 'object' || value === null || !('currency' in value)) return '';
  const amount = AMOUNT.safeParse(value);
  return amount.success ? `${amount.data.value} ${amount.data.currency}` : '';
}

function shippingOf(value: unknown): ShippingOption[] {
  if (typeof value === 'string') return parseShippingText(value);
  const record = RECORD.safeParse(value);
  if (!record.success) return [];
  const option: ShippingOption = {};
  for (const [name, part] of Object.entries(record.data)) {
    const text = textOf(part);
    const key = SHIPPING_PARTS.get(normaliseFieldName(name));
    if (key !== undefined && text !== '') option[key] = text;
  }
  return [option];
}

const RECORD = z.record(z.string(), z.unknown());
const AMOUNT = z.object({ value: z.union([z.string(), z.number()]), currency: z.string() });
