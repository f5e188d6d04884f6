// Amazon's product number. Clients look up products by GTIN or by ASIN.

declare const asin: unique symbol;

/** An Amazon Standard Identification Number: ten characters A-Z and 0-9, upper case. */
export type Asin = string & { readonly [asin]: true };

/** Parses an ASIN in either case; `undefined` if it is none. @example parseAsin('b00005n5pf') // 'B00005N5PF' */
export function parseAsin(text: string): Asin | undefined {
  const upperCase = text.toUpperCase();
  // Test the original text: the upper case of some letters outside A-Z is in A-Z (ſ becomes S).
  return /^[A-Za-z0-9]{10}$/.test(text) && isAsin(upperCase) ? upperCase : undefined;
}

/** Whether `text` is an ASIN in the stored form, upper case. */
export function isAsin(text: string): text is Asin {
  return /^[A-Z0-9]{10}$/.test(text);
}
