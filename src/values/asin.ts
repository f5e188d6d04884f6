// Amazon's product number, the second key by which clients look products up.

declare const asin: unique symbol;

/** An Amazon Standard Identification Number: ten characters A-Z and 0-9, upper case. */
export type Asin = string & { readonly [asin]: true };

/**
 * Reads an ASIN in any case; `undefined` when it is not ten letters and digits.
 *
 * @example parseAsin('b00005n5pf') // 'B00005N5PF'
 */
export function parseAsin(text: string): Asin | undefined {
  const upperCase = text.toUpperCase();
  // The text as given is tested, since some letters outside A-Z turn into A-Z in upper case (ſ becomes S).
  return /^[A-Za-z0-9]{10}$/.test(text) && isAsin(upperCase) ? upperCase : undefined;
}

/** Whether `text` is an ASIN in the held form, upper case. */
export function isAsin(text: string): text is Asin {
  return /^[A-Z0-9]{10}$/.test(text);
}
