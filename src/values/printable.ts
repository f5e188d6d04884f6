/**
 * Text from outside, made safe to show on a terminal. A terminal obeys what it is sent: control characters move its cursor, rename
 * its window or answer for its user, and marks of writing direction make a line read as another one.
 */

// C0 and C1 controls but for tab and line feed (ECMA-48), and the marks that override writing direction (Unicode UAX #9; CVE-2021-42574).
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const UNPRINTABLE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The text with each character that a terminal would obey as its JSON escape, such as `\\u001b`. Lines and tabs stay. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escaped);
}

/** A value as JSON on one line. JSON itself lets C1 controls and marks of direction pass; a program reads the same value. */
export function printableJson(value: unknown): string {
  return printable(JSON.stringify(value));
}

/** The beginning of a text from outside on one line, for a message. @param length the most characters of it. */
export function excerpt(text: string, length = 60): string {
  const line = printable(text.slice(0, length).replace(/\s+/g, ' '));
  // Escapes are longer than what they stand for.
  return text.length > length || line.length > length ? `${line.slice(0, length)}…` : line;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
