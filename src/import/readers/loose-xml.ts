// Makes XML as shops write it into XML a strict parser takes, where the meaning is beyond doubt: a bare `&` is itself, an
// HTML entity is its character, control characters vanish. Stands between the decoder and the XML parser.

import { HTML_ENTITIES } from './html-entities.ts';

/** Mends text that comes in pieces cut anywhere. */
export interface XmlMender {
  push(text: string): string;
  end(): string;
}

/** A mender at the start of a document. */
export function createXmlMender(): XmlMender {
  let inside: Region = 'markup';
  let held = '';

  function mend(piece: string, isLast: boolean): string {
    const text = (held === '' ? piece : [held, piece].join('')).replace(FORBIDDEN, '');
    held = '';
    // Joined at the end: the parser reads character by character, which is slow in a string that was added together.
    const mended: string[] = [];
    let position = 0;
    for (;;) {
      if (inside !== 'markup') {
        const close = inside === 'cdata' ? ']]>' : '-->';
        const end = text.indexOf(close, position);
        if (end < 0) {
          const hold = isLast ? text.length : Math.max(position, text.length - 2);
          held = text.slice(hold);
          mended.push(text.slice(position, hold));
          return mended.join('');
        }
        mended.push(text.slice(position, end + 3));
        position = end + 3;
        inside = 'markup';
      }

      MARK.lastIndex = position;
      const mark = MARK.exec(text);
      if (mark === null) {
        const hold = isLast ? text.length : startOfOpenMark(text, position);
        held = text.slice(hold);
        mended.push(text.slice(position, hold));
        return mended.join('');
      }
      mended.push(text.slice(position, mark.index));
      position = mark.index;
      if (mark[0] !== '&') {
        mended.push(mark[0]);
        position += mark[0].length;
        inside = mark[0] === '<!--' ? 'comment' : 'cdata';
        continue;
      }
      REFERENCE.lastIndex = position;
      const reference = REFERENCE.exec(text);
      if (reference !== null) {
        mended.push(mendReference(reference[0], reference[1] ?? ''));
        position += reference[0].length;
      } else if (!isLast && UNFINISHED_REFERENCE.test(text.slice(position, position + LONGEST_REFERENCE))) {
        held = text.slice(position);
        return mended.join('');
      } else {
        mended.push('&amp;');
        position++;
      }
    }
  }

  return { push: (text) => mend(text, false), end: () => mend('', true) };
}

type Region = 'markup' | 'cdata' | 'comment';

function mendReference(whole: string, name: string): string {
  if (PREDEFINED.has(name)) return whole;
  if (!name.startsWith('#')) return HTML_ENTITIES.get(name) ?? `&amp;${name};`;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  // The character itself, except where it would be taken for markup.
  if (code === 0x26 || code === 0x3c || code === 0x3e) return whole.toLowerCase();
  return isXmlCharacter(code) ? `&#${code};` : '';
}

/** Source: XML 1.0 §2.2, production 2 (Char). */
function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

/** Where a mark begins that the end of the text cuts off; the length of the text when there is none. */
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
// Characters outside XML 1.0 §2.2 that shops' databases let through.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
