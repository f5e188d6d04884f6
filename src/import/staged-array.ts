/** Sends values of rows as PostgreSQL's text of an array: the drivers take several times as long, as they know nothing of the values. */
import type { StagedValue } from './product-field.ts';

/** The value of each row, as the text of an array. */
export function arrayOf<Row>(rows: readonly Row[], of: (row: Row) => StagedValue): string {
  let text = '{';
  for (const row of rows) {
    const value = of(row);
    if (text.length > 1) text += ',';
    if (typeof value === 'string')
      text += NEEDS_ESCAPES.test(value) ? `"${value.replace(TO_ESCAPE, '\\$&')}"` : `"${value}"`;
    else text += value ?? 'NULL';
  }
  return `${text}}`;
}

const NEEDS_ESCAPES = /["\\]/;
const TO_ESCAPE = /["\\]/g;
