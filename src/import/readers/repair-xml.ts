// Turns the XML that shops write into XML that a strict parser accepts, wherever the meaning is clear: a bare `&` stays itself,
// an HTML entity becomes its character, and control characters are removed. It runs between the decoder and the XML parser.
import { decodeHTMLStrict, escapeUTF8 } from 'entities';

/** Repairs the text of one document, which arrives in pieces cut anywhere. */
export function createXmlRepairer() {
  let inside: 'markup' | 'cdata' | 'comment' = 'markup';
  let held = '';

  function repair(piece: string, isLast: boolean): string {
    const text = (held === '' ? piece : [held, piece].join('')).replace(FORBIDDEN, '');
    held = '';
    // Joined at the end: the parser reads single characters, which is slow in a string built by concatenation.
    const repaired: string[] = [];
    let position = 0;
    const take = (end: number) => {
      repaired.push(text.slice(position, end));
      position = end;
    };
    /** Ends this piece; the rest waits for the next one. */
    const hold = (from: number) => {
      take(isLast ? text.length : from);
      held = text.slice(position);
      return repaired.join('');
    };
    for (;;) {
      if (inside !== 'markup') {
        const close = inside === 'cdata' ? ']]>' : '-->';
        const end = text.indexOf(close, position);
        if (end < 0) return hold(Math.max(position, text.length - 2));
        take(end + 3);
        inside = 'markup';
      }

      MARK.lastIndex = position;
      const mark = MARK.exec(text);
      if (mark === null) return hold(startOfOpenMark(text, position));
      take(mark.index);
      if (mark[0] !== '&') {
        take(mark.index + mark[0].length);
        inside = mark[0] === '<!--' ? 'comment' : 'cdata';
        continue;
      }
      REFERENCE.lastIndex = position;
      const reference = REFERENCE.exec(text);
      if (reference !== null) {
        repaired.push(repairReference(reference[0], reference[1] ?? ''));
        position += reference[0].length;
      } else if (
        !isLast &&
        position + LONGEST_REFERENCE > text.length &&
        UNFINISHED_REFERENCE.test(text.slice(position))
      ) {
        return hold(position);
      } else {
        repaired.push('&amp;');
        position++;
      }
    }
  }

  return { push: (text: string) => repair(text, false), end: () => repair('', true) };
}

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
  // U+FFFD would be taken for bytes that are not text.
  return isXmlCharacter(code) && code !== 0xfffd ? `&#${code};` : '';
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
