// Reads RSS 2.0 items and Atom entries from XML, in one pass and with bounded memory, however long the feed is.
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { excerpt } from '../../values/printable.ts';
import { BrokenFeed } from '../reject.ts';
import {
  type FeedRow,
  fieldTooLong,
  LONGEST_FIELD,
  LONGEST_ROW,
  PIECE_LENGTH,
  type RowFault,
  type RowReader,
  type ShippingOption,
} from './feed-row.ts';
import { createXmlRepairer } from './repair-xml.ts';
import { parseShippingText, SHIPPING_PARTS } from './shipping-text.ts';
import { createXmlItem, createXmlNames, type XmlItem, type XmlName } from './xml-item.ts';

/** A reader of XML feeds. Fields count by their local name under any prefix, declared or not. Skips blocks other than `shipping`. */
export function createXmlReader(): RowReader {
  // Namespaces are not checked: shops forget to declare `g:`. Version 1.1 would change what ends a line.
  const parser = new SaxesParser({ xmlns: false, position: false, forceXMLVersion: true, defaultXMLVersion: '1.0' });
  const repairer = createXmlRepairer();
  const names = createXmlNames();
  let rows: FeedRow[] = [];
  let depth = 0;
  let hasChannel = false;
  let silentLength = 0;

  let item: XmlItem | undefined;
  let itemDepth = 0;
  let itemStart = 0;
  let itemLine = 0;
  let field: XmlName | undefined;
  let shipping: ShippingOption | undefined;
  let part: keyof ShippingOption | undefined;
  let isCollecting = false;
  let text = '';

  const broken = (message: string): BrokenFeed => new BrokenFeed(message, { line: parser.line });

  function openTag(tag: SaxesTagPlain): void {
    silentLength = 0;
    depth++;
    if (depth > DEEPEST) throw broken('elements are nested too deeply for a feed');
    names.learn(tag.attributes);
    const name = names.of(tag.name);
    if (depth === 1) checkRoot(name.local);
    else if (item === undefined) openOutsideItem(name);
    else if (depth === itemDepth + 1) openField(item, name, tag);
    else if (shipping !== undefined && depth === itemDepth + 2) {
      part = SHIPPING_PARTS.get(name.local);
      collect(part !== undefined);
    }
  }

  function checkRoot(root: string): void {
    if (!['rss', 'feed', 'rdf'].includes(root)) {
      const found = `the root element is <${excerpt(root, 40)}>`;
      throw broken(`${found}; expected <rss> or <feed> (Google Merchant product data)`);
    }
    hasChannel = root !== 'rss';
  }

  function openOutsideItem(name: XmlName): void {
    if (name.local === 'channel') hasChannel = true;
    if (name.local !== 'item' && name.local !== 'entry') return;
    item = createXmlItem(parser.line);
    itemLine = parser.line;
    itemDepth = depth;
    itemStart = parser.position;
  }

  function openField(current: XmlItem, name: XmlName, tag: SaxesTagPlain): void {
    field = name;
    collect(name.field !== undefined || name.local === 'shipping');
    if (name.local === 'shipping') {
      shipping = {};
      part = undefined;
    } else if (name.field === 'link') {
      const { href, rel = 'alternate' } = tag.attributes;
      if (href !== undefined && rel === 'alternate') current.set('link', name.source, href.trim());
    }
  }

  /** Starts with an empty text. @param isWanted whether the text that follows is collected. */
  function collect(isWanted: boolean): void {
    text = '';
    isCollecting = isWanted;
  }

  function takeText(piece: string): void {
    silentLength = 0;
    if (!isCollecting) return;
    text += piece;
    if (text.length <= LONGEST_FIELD) return;
    item?.refuse(fieldTooLong(field?.local ?? 'field'));
    collect(false);
  }

  function closeTag(): void {
    silentLength = 0;
    const level = depth - itemDepth;
    depth--;
    if (item === undefined) return;
    if (level === 0) {
      rows.push(item.toRow());
      item = undefined;
    } else if (level === 1) {
      closeField(item);
    } else if (level === 2 && shipping !== undefined) {
      const value = text.trim();
      if (part !== undefined && value !== '') shipping[part] = value;
      collect(false);
    }
    if (item !== undefined && parser.position - itemStart > LONGEST_ROW) item.refuse(ITEM_TOO_LONG);
  }

  function closeField(current: XmlItem): void {
    const value = text.trim();
    if (shipping !== undefined) {
      // Some shops put the one-column form into the element.
      if (value !== '') for (const option of parseShippingText(value)) current.addShipping(option);
      else current.addShipping(shipping);
      shipping = undefined;
    } else if (field?.field !== undefined) {
      current.set(field.field, field.source, value);
    }
    field = undefined;
    collect(false);
  }

  function checkDoctype(doctype: string): void {
    silentLength = 0;
    if (doctype.includes('<!ENTITY')) {
      throw broken('the feed declares entities (<!ENTITY), which is refused for safety; write the text itself');
    }
    if (/\b(?:SYSTEM|PUBLIC)\b/.test(doctype)) {
      throw broken('the feed refers to an external DTD, which is refused for safety; leave the DOCTYPE out');
    }
  }

  function judge(fault: string): SaxesParser {
    if (HARMLESS.has(fault)) return parser;
    if (/^unclosed tag|^unexpected end|must contain a root/.test(fault)) {
      const where = item === undefined ? '' : ` in the item that begins on line ${itemLine}`;
      throw broken(`the feed is cut off${where}; fetch it again`);
    }
    throw broken(`this is not well-formed XML (${fault.replace(/\.$/, '')}); repair the feed`);
  }

  // No more handlers than these six: with more, the engine stores the parser as a dictionary, five times slower.
  parser.on('opentag', openTag);
  parser.on('closetag', closeTag);
  parser.on('text', takeText);
  parser.on('cdata', takeText);
  parser.on('doctype', checkDoctype);
  // Instead of a handler of errors: an error with its stack takes as long as a thousand characters, and each `]]>` of a text may be one.
  parser.fail = judge;

  function parse(xml: string): void {
    for (let start = 0; start < xml.length; start += PIECE_LENGTH) {
      const piece = start === 0 && xml.length <= PIECE_LENGTH ? xml : xml.slice(start, start + PIECE_LENGTH);
      silentLength += piece.length;
      parser.write(piece);
      // The parser holds a text back until its end.
      if (silentLength > LONGEST_SILENCE) throw broken('a text goes on for more than 2 MiB; this is not product data');
    }
  }

  return {
    push(xml) {
      rows = [];
      parse(repairer.push(xml));
      return rows;
    },
    end() {
      rows = [];
      parse(repairer.end());
      // A closed parser forgets its line.
      const { line } = parser;
      parser.close();
      if (!hasChannel) throw new BrokenFeed('the feed has no <channel>; expected <rss><channel><item>', { line });
      return rows;
    },
  };
}

const DEEPEST = 64;
const LONGEST_SILENCE = 2 * LONGEST_FIELD;

const ITEM_TOO_LONG: RowFault = {
  reason: 'field_too_long',
  detail: `The item is longer than ${LONGEST_ROW} characters.`,
};

// Formal faults that leave every text unambiguous.
const HARMLESS: ReadonlySet<string> = new Set([
  'an XML declaration must be at the start of the document.',
  'the XML declaration must appear at the start of the document.',
  'XML declaration must contain a version.',
  'version number must match /^1\\.[0-9]+$/.',
  'encoding value must match /^[A-Za-z0-9][A-Za-z0-9._-]*$/.',
  'standalone value must match "yes" or "no".',
  'the string "]]>" is disallowed in char data.',
  'malformed comment.',
]);
