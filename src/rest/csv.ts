/** Tables as comma-separated values (RFC 4180), for spreadsheets and data frames. */
import { stringify } from 'csv-stringify/sync';
import type { Cell, Table } from './table.ts';

/** With the parameters of RFC 4180 §3 and RFC 7111 §2: UTF-8, without a byte order mark, and a line of names first. */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** A body as the table writes it. */
export function csvOf({ columns, rowsOf }: Table, body: unknown): string {
  return toCsv(columns, rowsOf(body));
}

/**
 * A line of names, then a line a row, each ended by CRLF. A text that a spreadsheet would take for a formula gets a `'` before it, by
 * OWASP's advice on CSV injection, since names come from the shops; numbers stay numbers.
 *
 * A German Excel separates cells at `;` and not at `,`, and minds quotes only at the beginning of what it takes for a cell. So a formula
 * after a `;`, a tab or a line break gets its `'` too, and such texts are quoted for programs that try several separators.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export function toCsv(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return stringify(
    rows.map((row) => [...row]),
    {
      columns: [...columns],
      header: true,
      record_delimiter: 'windows',
      escape_formulas: true,
      quoted_match: /[;\t\r\n]/,
      cast: { boolean: String, string: escapeInnerFormulas },
    },
  );
}

// The characters are those of csv-stringify for the beginning of a cell, full-width forms included. A line that begins with a dash and a
// blank is an item of a Markdown list, in the guides that operators write.
const INNER_FORMULA = /(?!(?<=\n)[-+] )[=+\-@\uff1d\uff0b\uff0d\uff20](?<=[;\t\r\n][\s"']*.)/g;

function escapeInnerFormulas(text: string): string {
  return text.replace(INNER_FORMULA, "'$&");
}

/** What JSON says beside the list: how long it is, where that is known exactly. The next page is a link in every form. */
export function csvHeaders(body: unknown): Record<string, string> {
  const { total, totalIsExact = true } = (body as { page?: { total?: number; totalIsExact?: boolean } }).page ?? {};
  return total !== undefined && totalIsExact ? { 'X-Total-Count': String(total) } : {};
}
