/** The trade item number in what scanners read from GS1 symbols: element strings and Digital Links. */

/**
 * The value of the application identifier 01 in an element string, with its identifiers in parentheses as printed below symbols, or as
 * scanners send it: with or without a symbology identifier, its fields of variable length ended by FNC1. Other elements may come first
 * (GS1 General Specifications §7.8). Without a symbology identifier, a text counts if it has an FNC1, or starts with 01 and 14 digits.
 *
 * @returns `undefined` if the text is no element string; the empty string if it has no number of a trade item.
 */
export function gtinOfElementString(text: string): string | undefined {
  const symbology = /^\](?:C1|e0|d2|Q3|J1)/i.exec(text)?.[0];
  const raw = text.slice(symbology?.length ?? 0);
  if (raw.startsWith('(')) {
    const elements = [...raw.matchAll(/\((\d{2,4})\)([^()]{1,90})/g)];
    if (elements.length === 0) return symbology && '';
    return elements.find(([, identifier]) => identifier === '01')?.[2]?.trim() ?? '';
  }
  const elements = raw.replace(WRITTEN_FNC1, FNC1);
  const isDivided = elements.includes(FNC1) && /^\d{2}/.test(elements.replaceAll(FNC1, ''));
  const isScanned = symbology !== undefined || isDivided || /^01\d{14}(?:\D|\d{2}|$)/.test(elements);
  return isScanned ? readTradeItem(elements) : undefined;
}

/** The number of the first element 01 that follows elements of which the end is known. */
function readTradeItem(elements: string): string {
  let position = 0;
  while (position < elements.length) {
    if (elements[position] === FNC1) {
      position++;
      continue;
    }
    const identifier = elements.slice(position, position + 2);
    if (identifier === '01') return /^\d{14}/.exec(elements.slice(position + 2))?.[0] ?? '';
    const length = PREDEFINED_LENGTHS.get(identifier);
    const end = elements.indexOf(FNC1, position);
    if (length !== undefined) position += length;
    else if (end < 0) return '';
    else position = end;
  }
  return '';
}

const FNC1 = '\x1d';
/** How FNC1 looks in URLs, and in texts that show it. */
const WRITTEN_FNC1 = /%1d|<gs>|\u241d/gi;

// With the identifier, by its first two digits. Source: GS1 General Specifications §7.8.5, predefined-length elements.
const PREDEFINED_LENGTHS: ReadonlyMap<string, number> = new Map(
  '00 20,02 16,03 16,04 18,11 8,12 8,13 8,14 8,15 8,16 8,17 8,18 8,19 8,20 4,31 10,32 10,33 10,34 10,35 10,36 10,41 16'
    .split(',')
    .map((pair): [string, number] => [pair.slice(0, 2), Number(pair.slice(3))]),
);

/**
 * The trade item number of a Digital Link: the segment after the last `/01/` or `/gtin/` that digits follow, at any domain, whose path may
 * have such a segment too (GS1 Digital Link Standard: URI Syntax §4).
 *
 * @returns `undefined` if the text is no web address; the empty string if it has no number of a trade item.
 */
export function gtinOfDigitalLink(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const segments = new URL(text).pathname.split('/');
  const values = segments.filter((_, at) => segments[at - 1] === '01' || segments[at - 1] === 'gtin');
  return values.findLast((value) => /^\d{8,14}$/.test(value)) ?? values[0] ?? '';
}
