// Understands the names of XML elements, and collects the fields of one XML item while the parser reads it.
import {
  encodingFaultOf,
  type FeedField,
  type FeedFields,
  type FeedRow,
  feedFieldOf,
  mayRepeat,
  normaliseFieldName,
  type RowFault,
  repeatedField,
  type ShippingOption,
} from './feed-row.ts';

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
      } else if (source === held && !isFirstCounting(field, source) && !mayRepeat(field, fields[field] ?? '', value)) {
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
      return { line, fields, shipping, fault: encodingFaultOf(fields) ?? repeatedFault() };
    },
  };

  function repeatedFault(): RowFault | undefined {
    for (const [field, source] of repeated) if (sources[field] === source) return repeatedField(field);
    return undefined;
  }
}

// Atom entries may have several links.
function isFirstCounting(field: FeedField, source: FieldSource): boolean {
  return field === 'link' && source === SOURCE.format;
}

/**
 * Where a field comes from. When an item gives the same field from two sources, the higher one counts: Google's own
 * (`g:title`), then the feed format's (`title` of RSS or Atom), then that of any other namespace (`media:title`).
 */
export const SOURCE = { foreign: 1, format: 2, google: 3 } as const;

export type FieldSource = (typeof SOURCE)[keyof typeof SOURCE];

/** An element's name, understood. */
export interface XmlName {
  /** Lower snake case, without prefix. */
  local: string;
  field?: FeedField;
  source: FieldSource;
}

/** The names of one feed, where `g:` is Google's even if it is not declared. */
export function createXmlNames() {
  const googlePrefixes = new Set(['g']);
  const known = new Map<string, XmlName>();

  function understand(name: string): XmlName {
    const colon = name.indexOf(':');
    const prefix = name.slice(0, Math.max(colon, 0));
    const local = normaliseFieldName(name.slice(colon + 1));
    const source = prefix === '' ? SOURCE.format : googlePrefixes.has(prefix) ? SOURCE.google : SOURCE.foreign;
    // Atom calls its description "summary".
    const field = local === 'summary' && source === SOURCE.format ? 'description' : feedFieldOf(local);
    return field === undefined ? { local, source } : { local, field, source };
  }

  return {
    of(name: string): XmlName {
      const found = known.get(name);
      if (found !== undefined) return found;
      const made = understand(name);
      if (known.size < MOST_NAMES_KEPT && name.length < LONGEST_NAME_KEPT) known.set(name, made);
      return made;
    },
    /** Learns which prefixes are Google's from the declarations among an element's attributes. */
    learn(attributes: Record<string, string>): void {
      // Most elements have no attributes, and this loop costs them nothing.
      for (const name in attributes) {
        if (!name.startsWith('xmlns:') || !attributes[name]?.includes('base.google.com')) continue;
        if (googlePrefixes.size >= MOST_NAMES_KEPT || name.length > LONGEST_NAME_KEPT) continue;
        googlePrefixes.add(name.slice('xmlns:'.length));
        known.clear();
      }
    },
  };
}

// A feed has some fifty names; one with endlessly many or endlessly long names must not fill the memory.
const MOST_NAMES_KEPT = 1000;
const LONGEST_NAME_KEPT = 100;
