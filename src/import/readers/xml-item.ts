// Collects the fields of one XML item while the parser reads it, and turns them into a row at its end.

import {
  encodingFaultOf,
  type FeedField,
  type FeedFields,
  type FeedRow,
  FIRST_VALUE_COUNTS,
  type RowFault,
  repeatedField,
  type ShippingOption,
} from './feed-row.ts';
import { type FieldSource, SOURCE } from './xml-name.ts';

/** An item while it is read. */
export type XmlItem = ReturnType<typeof createXmlItem>;

/** An empty item that starts on `line`. */
export function createXmlItem(line: number) {
  const fields: FeedFields = {};
  const sources: { [field in FeedField]?: FieldSource } = {};
  const shipping: ShippingOption[] = [];
  const repeated = new Map<FeedField, FieldSource>();
  let tooLong: RowFault | undefined;

  return {
    /** Takes a value; of two from different sources it keeps the better one. */
    set(field: FeedField, source: FieldSource, value: string): void {
      if (value === '' || tooLong !== undefined) return;
      const held = sources[field];
      if (held === undefined || source > held) {
        fields[field] = value;
        sources[field] = source;
      } else if (source === held && fields[field] !== value && !isFirstCounting(field, source)) {
        repeated.set(field, source);
      }
    },
    addShipping(option: ShippingOption): void {
      if (tooLong === undefined) shipping.push(option);
    },
    /** Notes that the item is too long to keep. */
    refuse(fault: RowFault): void {
      tooLong ??= fault;
    },
    /** The row, once the item is complete. */
    toRow(): FeedRow {
      if (tooLong !== undefined) {
        return { line, fields: fields.id === undefined ? {} : { id: fields.id }, shipping: [], fault: tooLong };
      }
      const fault = encodingFaultOf(fields) ?? repeatedFault();
      return fault === undefined ? { line, fields, shipping } : { line, fields, shipping, fault };
    },
  };

  function repeatedFault(): RowFault | undefined {
    for (const [field, source] of repeated) if (sources[field] === source) return repeatedField(field);
    return undefined;
  }
}

// Atom entries may have several links.
function isFirstCounting(field: FeedField, source: FieldSource): boolean {
  return FIRST_VALUE_COUNTS.has(field) || (field === 'link' && source === SOURCE.format);
}
