/** Writes tables as comma-separated values (RFC 4180), for spreadsheets and data frames. */
import { stringify } from 'csv-stringify/sync';
import type { Cell } from './table.ts';

/** With the parameters of RFC 4180 §3 and RFC 7111 §2: UTF-8 without a byte order mark, and a header line. */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/**
 * A header line, then one line per row, each ended by CRLF. Names come from the shops, so a text that a spreadsheet would take for a
 * formula gets a leading `'`, as OWASP advises against CSV injection. Numbers stay numbers.
 *
 * German Excel separates cells at `;` instead of `,`, and honours quotes only at the start of what it takes for a cell. So a formula
 * after a `;`, a tab or a line break gets a `'` too, and such texts are quoted for programs that try several separators.
 *
 * @param options.hasHeader false for the rows that follow others.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export function toCsv(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  { hasHeader = true }: { hasHeader?: boolean } = {},
): string {
  return stringify(
    rows.map((row) => [...row]),
    {
      columns: [...columns],
      header: hasHeader,
      record_delimiter: 'windows',
      escape_formulas: true,
      quoted_match: /[;\t\r\n]/,
      cast: { boolean: String, string: (text) => text.replace(INNER_FORMULA, "'$&") },
    },
  );
}

// The characters that csv-stringify escapes at the start of a cell, including full-width forms. A line that starts with a dash or a
// plus sign and a space is not a formula: it is an item of a Markdown list in a guide.
const INNER_FORMULA = /(?!(?<=\n)[-+] )[=+\-@\uff1d\uff0b\uff0d\uff20](?<=[;\t\r\n][\s"']*.)/g;

/** The length of the list, if it is known exactly; JSON has it in the body. The next page is a `Link` header in every form. */
export function csvHeaders(body: unknown): Record<string, string> {
  const { total, totalIsExact = true } = (body as { page?: { total?: number; totalIsExact?: boolean } }).page ?? {};
  return total !== undefined && totalIsExact ? { 'X-Total-Count': String(total) } : {};
}
