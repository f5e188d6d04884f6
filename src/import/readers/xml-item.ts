// Collects the fields of one XML item while the parser reads it, and turns them into a row at its end.

import {
  encodingFaultOf,
  type FeedField,
  type FeedFields,
  type FeedRow,
  FIRST_VALUE_COUNTS,
  type ShippingOption,
} from './feed-row.ts';
import { LONGEST_FIELD, LONGEST_ROW } from './limits.ts';
import { type FieldSource, SOURCE } from './xml-name.ts';

/** An item while it is read. */
export interface XmlItem {
  /** Takes a value; of two from different sources it keeps the better one. */
  set(field: FeedField, source: FieldSource, value: string): void;
  addShipping(option: ShippingOption): void;
  /** Notes that the item is too long to keep. */
  refuseLength(what: string): void;
  /** The row, when the item is complete. */
  toRow(): FeedRow;
}

/** An empty item that starts on `line`. */
export function createXmlItem(line: number): XmlItem {
  const fields: FeedFields = {};
  const sources: { [field in FeedField]?: FieldSource } = {};
  const shipping: ShippingOption[] = [];
  let repeated: Map<FeedField, FieldSource> | undefined;
  let tooLong: string | undefined;

  return {
    set(field, source, value) {
      if (value === '' || tooLong !== undefined) return;
      const held = sources[field];
      if (held === undefined || source > held) {
        fields[field] = value;
        sources[field] = source;
      } else if (source === held && fields[field] !== value && !isFirstCounting(field, source)) {
        repeated ??= new Map();
        repeated.set(field, source);
      }
    },
    addShipping(option) {
      if (tooLong === undefined) shipping.push(option);
    },
    refuseLength(what) {
      tooLong ??= what;
    },
    toRow() {
      if (tooLong !== undefined) {
        const named: FeedFields = fields.id === undefined ? {} : { id: fields.id };
        return { line, fields: named, shipping: [], fault: { reason: 'field_too_long', detail: tooLong } };
      }
      const row: FeedRow = { line, fields, shipping };
      const encodingFault = encodingFaultOf(fields);
      if (encodingFault !== undefined) {
        row.fault = encodingFault;
      } else if (repeated !== undefined) {
        for (const [field, source] of repeated) {
          if (sources[field] !== source) continue;
          row.fault = { reason: 'repeated_field', detail: `The ${field} occurs with two different values; keep one.` };
          break;
        }
      }
      return row;
    },
  };
}

/** The sentence about a field that is too long. */
export function fieldTooLong(name: string): string {
  return `The ${name} is longer than ${LONGEST_FIELD} characters.`;
}

/** The sentence about an item that is too long. */
export const ITEM_TOO_LONG = `The item is longer than ${LONGEST_ROW} characters.`;

// Atom entries may have several links.
function isFirstCounting(field: FeedField, source: FieldSource): boolean {
  return FIRST_VALUE_COUNTS.has(field) || (field === 'link' && source === SOURCE.format);
}
