/** Tables as comma-separated values (RFC 4180), for spreadsheets and data frames. */
import { stringify } from 'csv-stringify/sync';
import type { Table } from './table.ts';

/** With the parameters of RFC 4180 §3 and RFC 7111 §2: UTF-8, without a byte order mark, and a line of names first. */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/**
 * A body as the table writes it: a line of names, then a line a row, each ended by CRLF. A text that a spreadsheet would take for
 * a formula gets a `'` before it, by OWASP's advice on CSV injection, since names come from the shops; numbers stay numbers.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export function csvOf({ columns, rowsOf }: Table, body: unknown): string {
  return stringify(rowsOf(body), {
    columns: [...columns],
    header: true,
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: { boolean: String },
  });
}

/** What JSON says beside the list: how long it is, where that is known exactly. The next page is a link in every form. */
export function csvHeaders(body: unknown): Record<string, string> {
  const { total, totalIsExact = true } = (body as { page?: { total?: number; totalIsExact?: boolean } }).page ?? {};
  return total !== undefined && totalIsExact ? { 'X-Total-Count': String(total) } : {};
}
