/** The trade item number in what scanners read from GS1 symbols: element strings and Digital Links. */

/**
 * The value of the application identifier 01 in an element string, with its identifiers in parentheses as printed below symbols, or as
 * scanners send it: with or without a symbology identifier, its fields of variable length ended by FNC1 (GS1 General Specifications §7.8).
 *
 * @returns `undefined` if the text is no element string; the empty string if it has no number of a trade item.
 */
export function gtinOfElementString(text: string): string | undefined {
  if (text.startsWith('(')) {
    const elements = [...text.matchAll(/\((\d{2,4})\)([^()]{1,90})/g)];
    if (elements.length === 0) return undefined;
    return elements.find(([, identifier]) => identifier === '01')?.[2]?.trim() ?? '';
  }
  const symbology = /^\](?:C1|e0|d2|Q3|J1)/.exec(text)?.[0];
  const raw = text.slice(symbology?.length ?? 0).replace(LEADING_FNC1, '');
  if (/^01\d{14}(?:\D|\d{2})/.test(raw) || (symbology !== undefined && /^01\d{14}$/.test(raw))) return raw.slice(2, 16);
  return symbology === undefined ? undefined : '';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: scanners send FNC1 as this character.
const LEADING_FNC1 = /^\x1d/;

/**
 * The trade item number of a Digital Link: the segment after `/01/` or `/gtin/`, at any domain (GS1 Digital Link Standard: URI Syntax §4).
 *
 * @returns `undefined` if the text is no web address; the empty string if it has no number of a trade item.
 */
export function gtinOfDigitalLink(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const segments = new URL(text).pathname.split('/');
  const at = segments.findIndex((segment) => segment === '01' || segment === 'gtin');
  return at < 0 ? '' : (segments[at + 1] ?? '');
}
