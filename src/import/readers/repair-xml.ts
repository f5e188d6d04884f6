// Turns the XML that shops write into XML that a strict parser accepts, wherever the meaning is clear: a bare `&` stays itself,
// an HTML entity becomes its character, and control characters are removed. It runs between the decoder and the XML parser.

import { decodeHTMLStrict, escapeUTF8 } from 'entities';

/** Repairs text that arrives in pieces cut anywhere. */
export interface XmlRepairer {
  push(text: string): string;
  end(): string;
}

/** A repairer at the start of a document. */
export function createXmlRepairer(): XmlRepairer {
  let inside: Region = 'markup';
  let held = '';

  function repair(piece: string, isLast: boolean): string {
    const text = (held === '' ? piece : [held, piece].join('')).replace(FORBIDDEN, '');
    held = '';
    // Joined at the end: the parser reads single characters, which is slow in a string built by concatenation.
    const repaired: string[] = [];
    let position = 0;
    for (;;) {
      if (inside !== 'markup') {
        const close = inside === 'cdata' ? ']]>' : '-->';
        const end = text.indexOf(close, position);
        if (end < 0) {
          const hold = isLast ? text.length : Math.max(position, text.length - 2);
          held = text.slice(hold);
          repaired.push(text.slice(position, hold));
          return repaired.join('');
        }
        repaired.push(text.slice(position, end + 3));
        position = end + 3;
        inside = 'markup';
      }

      MARK.lastIndex = position;
      const mark = MARK.exec(text);
      if (mark === null) {
        const hold = isLast ? text.length : startOfOpenMark(text, position);
        held = text.slice(hold);
        repaired.push(text.slice(position, hold));
        return repaired.join('');
      }
      repaired.push(text.slice(position, mark.index));
      position = mark.index;
      if (mark[0] !== '&') {
        repaired.push(mark[0]);
        position += mark[0].length;
        inside = mark[0] === '<!--' ? 'comment' : 'cdata';
        continue;
      }
      REFERENCE.lastIndex = position;
      const reference = REFERENCE.exec(text);
      if (reference !== null) {
        repaired.push(repairReference(reference[0], reference[1] ?? ''));
        position += reference[0].length;
      } else if (!isLast && UNFINISHED_REFERENCE.test(text.slice(position, position + LONGEST_REFERENCE))) {
        held = text.slice(position);
        return repaired.join('');
      } else {
        repaired.push('&amp;');
        position++;
      }
    }
  }

  return { push: (text) => repair(text, false), end: () => repair('', true) };
}

type Region = 'markup' | 'cdata' | 'comment';

function repairReference(whole: string, name: string): string {
  if (PREDEFINED.has(name)) return whole;
  if (!name.startsWith('#')) {
    const text = decodeHTMLStrict(whole);
    // Some names stand for markup characters, such as `&LT;`.
    return text === whole ? `&amp;${name};` : escapeUTF8(text);
  }
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  // These three would be taken for markup, so they stay references.
  if (code === 0x26 || code === 0x3c || code === 0x3e) return whole.toLowerCase();
  return isXmlCharacter(code) ? `&#${code};` : '';
}

/** Source: XML 1.0 §2.2, production 2 (Char). */
function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

/** Where a mark starts that the end of the text cuts off; the length of the text if none does. */
function startOfOpenMark(text: string, from: number): number {
  const start = text.lastIndexOf('<');
  if (start < from || text.length - start >= CDATA_OPEN.length) return text.length;
  const open = text.slice(start);
  return CDATA_OPEN.startsWith(open) || COMMENT_OPEN.startsWith(open) ? start : text.length;
}

const CDATA_OPEN = '<![CDATA[';
const COMMENT_OPEN = '<!--';
const MARK = /&|<!\[CDATA\[|<!--/g;
const REFERENCE = /&(#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,7}|[A-Za-z][A-Za-z0-9]{0,31});/y;
const UNFINISHED_REFERENCE = /^&(?:#[0-9]{0,8}|#[xX][0-9a-fA-F]{0,7}|[A-Za-z][A-Za-z0-9]{0,31})?$/;
const LONGEST_REFERENCE = 40;
const PREDEFINED: ReadonlySet<string> = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);
// Characters outside XML 1.0 §2.2 that shops' databases contain.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
