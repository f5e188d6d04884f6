/** The GTIN in a feed's `gtin`, where books and periodicals may have a number of their own (Google Merchant product data, `gtin`). */
import { isGtin14, parseFeedGtin } from '../gtin.ts';
import { looksLikeIsbn, looksLikeIssn, readIsbn10, readIssn, withoutAddOn } from './isbn.ts';

/**
 * Parses a feed's `gtin`: an ISBN-10, an ISSN, an ISBN-13 with its add-on, or what {@link parseFeedGtin} reads. Ten digits with the check
 * digits of both an ISBN-10 and a UPC-A without its zeros are the ISBN, since few UPC-A begin with two zeros; a shop that means the UPC-A
 * writes its twelve digits. Eight digits are an ISSN only if they are no GTIN-8. `detail` is for the person who fixes the feed.
 * @example readFeedGtin('0-306-40615-2') // { ok: true, gtin: '09780306406157' }
 */
export function readFeedGtin(text: string): ReturnType<typeof parseFeedGtin> {
  const label = LABEL.exec(text)?.[0] ?? '';
  const written = text.slice(label.length);
  const compact = written.replace(BLANKS_AND_HYPHENS, '').toUpperCase();
  const isMeant = {
    isbn: /^isbn/i.test(label) || looksLikeIsbn(written),
    issn: /^issn/i.test(label) || looksLikeIssn(written),
  };
  if (/^\d{9}[\dX]$/.test(compact)) {
    const { isRight, gtin, expected } = readIsbn10(compact);
    if (isRight) return { ok: true, gtin };
    if (isMeant.isbn) return refuse(compact, 'ISBN', expected);
  } else if (isMeant.issn && /^\d{7}[\dX]$/.test(compact) && !isGtin14(compact.padStart(14, '0'))) {
    const { isRight, gtin, expected } = readIssn(compact);
    return isRight ? { ok: true, gtin } : refuse(compact, 'ISSN', expected);
  }
  const number = withoutAddOn(compact);
  return parseFeedGtin(number === compact ? written : number);
}

function refuse(number: string, name: string, expected: string): ReturnType<typeof parseFeedGtin> {
  const detail = `gtin "${number}" ends in the check digit ${number.at(-1)}, the right one of this ${name} would be ${expected}`;
  return { ok: false, detail };
}

const LABEL = /^(?:isbn|issn)(?:-?1[03](?=[:\s]))?[:\s]*/i;
const BLANKS_AND_HYPHENS = /[\s\u2010-\u2013-]+/g;
