/**
 * Makes external text safe to print on a terminal. Control characters can move the cursor, rename the window or send input in the
 * user's name, and bidirectional controls can make a line display as a different one.
 */

// C0 and C1 controls except tab and line feed (ECMA-48), and bidirectional controls (Unicode UAX #9; CVE-2021-42574).
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters.
const UNPRINTABLE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Replaces each control character with its JSON escape, such as `\\u001b`. Line feeds and tabs are kept. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Formats a value as JSON on one line. Also escapes C1 and bidirectional controls, which JSON allows; the value stays the same. */
export const printableJson = (value: unknown): string => printable(JSON.stringify(value));

/** The start of an external text on one line, for a message. @param length its maximum length in characters. */
export function excerpt(text: string, length = 60): string {
  const line = printable(text.slice(0, length).replace(/\s+/g, ' '));
  // Escaping may have made the line longer.
  return text.length > length || line.length > length ? `${line.slice(0, length)}…` : line;
}
