// Detects the format of a feed from its first line, since its name and address are not reliable.
import { excerpt } from '../../values/printable.ts';
import { BrokenFeed } from '../reject.ts';
import { normaliseFieldName } from './feed-row.ts';

/** The format of a feed; for delimited text, the delimiter of its header. */
export type FeedFormat = 'xml' | 'json-lines' | Delimiter;

/** The separator of the columns of a delimited feed. */
export type Delimiter = (typeof DELIMITERS)[number];

const DELIMITERS = ['\t', ',', ';', '|'] as const;

/** How much text is enough to detect the format without a line end; no header is longer. */
export const ENOUGH_TO_DETECT = 64 * 1024;

/** Whether `start` holds the whole first line that is neither blank nor a comment, so that the format can be detected. */
export function hasFirstLine(start: string): boolean {
  const text = withoutComments(start).trimStart();
  if (text === '') return start.length >= ENOUGH_TO_DETECT;
  return text.length >= ENOUGH_TO_DETECT || /[\r\n]/.test(text);
}

/**
 * Empties the lines of comments before the header, and keeps their line ends, so that lines are counted as in the file. Comments start
 * with `#`, also within a quoted cell, as in the template of Meta's Commerce Manager; `sep=;` is the first line of a CSV file of Excel.
 */
export function withoutComments(start: string): string {
  const ends: string[] = [];
  let position = 0;
  for (;;) {
    LINE.lastIndex = position;
    const [whole = '', line = '', end = ''] = LINE.exec(start) ?? [];
    if (whole === '' || !NO_HEADER.test(line)) break;
    ends.push(end);
    position += whole.length;
  }
  return position === 0 ? start : ends.join('') + start.slice(position);
}

const LINE = /([^\r\n]*)(\r\n|\r|\n)/y;
const NO_HEADER = /^\s*$|^"?#|^"?sep=.?"?$/i;

/** Detects the format from the first non-blank line, once comments are emptied. @throws BrokenFeed for an empty file, an archive, an HTML page, and a header without `id` */
export function detectFormat(start: string): FeedFormat {
  const text = start.trimStart();
  const line = 1 + (start.slice(0, start.length - text.length).match(/\r\n|\r|\n/g)?.length ?? 0);
  // The limit on leading blanks makes the result independent of how the text is split into chunks.
  if (text === '' || start.length - text.length >= ENOUGH_TO_DETECT) {
    throw new BrokenFeed('the file is empty or starts with only blanks and comments; check the path or address', {
      line: 1,
    });
  }
  if (text.startsWith('PK\u0003\u0004'))
    throw new BrokenFeed('this is a ZIP archive; unpack it and import the feed in it');
  if (isHtmlPage(text)) throw new BrokenFeed('this is an HTML page, not a feed; check the address', { line });
  if (text.startsWith('<')) return 'xml';
  if (text.startsWith('{')) return 'json-lines';
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  if (text.startsWith('[')) {
    throw new BrokenFeed('this is a JSON array; write one JSON object per line (JSON Lines)', { line });
  }
  const delimiter = delimiterOf(header);
  if (delimiter !== undefined) return delimiter;
  throw new BrokenFeed(
    `found "${excerpt(header)}"; expected an XML feed, JSON Lines, or a header line with a column "id". Delete any lines above the header`,
    { line },
  );
}

/** Whether the text starts with an HTML page, possibly after an XML declaration or comments. Reads the text once. */
function isHtmlPage(text: string): boolean {
  let position = 0;
  for (;;) {
    PROLOGUE.lastIndex = position;
    const opened = PROLOGUE.exec(text)?.[1];
    if (opened === undefined) break;
    const close = opened === '<!--' ? '-->' : '>';
    const end = text.indexOf(close, PROLOGUE.lastIndex);
    if (end < 0) return false;
    position = end + close.length;
  }
  PAGE.lastIndex = position;
  return PAGE.test(text);
}

const PROLOGUE = /\s*(<!--|<\?xml)/iy;
const PAGE = /\s*<(?:!doctype\s+html|html|head|body)\b/iy;

/** Of the delimiters that give the header a column `id`, the one with the most columns. */
function delimiterOf(header: string): Delimiter | undefined {
  let best: Delimiter | undefined;
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const names = header.split(delimiter).map((name) => normaliseFieldName(name.trim().replace(/^"(.*)"$/, '$1')));
    if (!names.includes('id') || names.length <= most) continue;
    best = delimiter;
    most = names.length;
  }
  return best;
}
