// Cleans the texts of a feed: without markup, control characters, invisible marks and surplus blanks.

/** A text on one line: markup, control characters and invisible marks removed, every run of blanks one blank. */
export function oneLine(text: string): string {
  return NEEDS_CLEANING.test(text) ? withoutMarks(idText(text)) : text;
}

/** An id on one line: as {@link oneLine}, with invisible marks, because another spelling would be another offer. */
export const idText = (text: string): string => withoutMarkup(text).replace(BLANKS, ' ').trim();

/** A text of several lines: markup, control characters and invisible marks removed, line breaks kept. */
export function severalLines(text: string): string {
  const atMostOneBlank = (lineBreaks: string) => (lineBreaks.split('\n').length > 3 ? '\n\n' : lineBreaks);
  return withoutMarks(withoutMarkup(text)).replace(/\r\n?/g, '\n').replace(SEVERAL_LINES, atMostOneBlank).trim();
}

/** The text, cut at the last blank before `length` when it is longer, and never within a character. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length + 1);
  const blank = cut.search(/\s\S*$/);
  // A text without blanks is cut hard, but not between the halves of a surrogate pair.
  return blank > 0 ? cut.slice(0, blank).trimEnd() : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** A value, or `undefined` if it only says that the shop has none ("n/a", "-", "no brand"). */
export function unlessPlaceholder(text: string): string | undefined {
  return PLACEHOLDER.test(text) ? undefined : text;
}

/** Removes tags; entities are resolved before (html-entities.ts), so tags that were escaped go too. */
function withoutMarkup(text: string): string {
  const plain = text.includes('<') ? text.replace(BLOCK_TAG, ' ').replace(TAG, '') : text;
  return plain.replace(CONTROL_CHARACTERS, '');
}

const withoutMarks = (text: string): string => text.replace(INVISIBLE, '').replace(NEEDLESS_JOINER, '').trim();

const BLOCK_TAG = /<\/?(?:br|p|div|li|ul|ol|tr|td|th|table|h[1-6]|hr)\b[^<>]{0,500}>/gi;
const TAG = /<(?:\/?[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,500})?\/?|!--[^<>]{0,500}--)>/gi;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them.
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
// Marks of direction (UAX #9) can make a name look like another one, and marks of no width tell equal names apart.
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
// Persian, the scripts of India and their neighbours, and emoji are spelled with joiners, each behind a character of theirs or a mark.
const NEEDLESS_JOINER =
  /(?<![\p{M}\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Nkoo}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mymr}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]/gu;
// Most texts are clean, and one test is cheaper than three replacements.
const NEEDS_CLEANING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them.
  /[<\u0000-\u001f\u007f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[^\S ]|^ | {2}| $/;
const BLANKS = /\s+/g;
const SEVERAL_LINES = /\n\s*\n/g;

// Words for "none". As a brand or part number they would merge the goods of different manufacturers.
const PLACEHOLDER =
  /^(?:--?|\.|0|n\/a|na|n\.a\.|none|null|undefined|unknown|no[ -]?brand|unbranded|generic|does not apply|not applicable)?$/i;
