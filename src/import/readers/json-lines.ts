// Reads feeds of JSON Lines: one object a line, under the same field names as in the other formats.

import { z } from 'zod';
import { BrokenFeed } from '../reject.ts';
import {
  encodingFaultOf,
  type FeedFields,
  type FeedRow,
  FIRST_VALUE_COUNTS,
  feedFieldOf,
  normaliseFieldName,
  type RowReader,
  type ShippingOption,
} from './feed-row.ts';
import { LONGEST_FIELD, LONGEST_ROW } from './limits.ts';
import { parseShippingText } from './shipping-text.ts';

/**
 * A reader of JSON Lines. Values are texts or numbers; an array gives several. `shipping` is Google's text, or objects
 * with `country`, `price` and `min_order_value`. A price may also be `{ "value": "15.00", "currency": "EUR" }`.
 */
export function createJsonLinesReader(): RowReader {
  let buffer = '';
  let line = 1;

  function readLines(isLast: boolean): FeedRow[] {
    const rows: FeedRow[] = [];
    let start = 0;
    for (;;) {
      let end = buffer.indexOf('\n', start);
      if (end < 0) {
        if (!isLast || start >= buffer.length) break;
        end = buffer.length;
      }
      const row = readLine(buffer.slice(start, end), line);
      if (row !== undefined) rows.push(row);
      start = end + 1;
      line++;
    }
    buffer = buffer.slice(start);
    if (buffer.length > LONGEST_ROW) {
      throw new BrokenFeed('a line is longer than 4 MiB; write one JSON object a line', { line });
    }
    return rows;
  }

  return {
    push(text) {
      buffer += text;
      return readLines(false);
    },
    end: () => readLines(true),
  };
}

function readLine(text: string, line: number): FeedRow | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const record = RECORD.safeParse(parseJson(trimmed, line));
  if (!record.success) {
    const detail = 'The line is JSON, but not an object with field names.';
    return { line, fields: {}, shipping: [], fault: { reason: 'not_an_object', detail } };
  }
  return toRow(record.data, line);
}

function parseJson(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BrokenFeed('this is not one JSON object a line; the feed may be cut off, fetch it again', {
      line,
      cause,
    });
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
  const encodingFault = encodingFaultOf(row.fields);
  if (encodingFault !== undefined) row.fault ??= encodingFault;
  return row;
}

function setField(row: FeedRow, field: keyof FeedFields, values: readonly string[]): void {
  const first = row.fields[field] ?? values[0];
  if (first === undefined) return;
  if (first.length > LONGEST_FIELD) {
    row.fault = { reason: 'field_too_long', detail: `The ${field} is longer than ${LONGEST_FIELD} characters.` };
    return;
  }
  row.fields[field] = first;
  if (values.some((value) => value !== first) && !FIRST_VALUE_COUNTS.has(field)) {
    row.fault ??= { reason: 'repeated_field', detail: `The ${field} occurs with two different values; keep one.` };
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.replace(CONTROL_CHARACTERS, '').replace(LONE_SURROGATES, '\uFFFD').trim();
  if (typeof value === 'number') return String(value);
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

const SHIPPING_PARTS: ReadonlyMap<string, keyof ShippingOption> = new Map([
  ['country', 'country'],
  ['price', 'price'],
  ['min_order_value', 'minOrderValue'],
]);

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them.
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;
// JSON can escape half of a character, which no encoding can store.
const LONE_SURROGATES = /\p{Surrogate}/gu;
