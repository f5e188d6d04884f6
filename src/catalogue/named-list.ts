/** Lists of what has a name, by name: brands and merchants, all or those whose name begins with what was typed. */

import { foldName } from '../values/words.ts';
import type { List, Order } from './page.ts';
import { readQuery } from './search/text-search.ts';

interface Named {
  id: bigint;
  sortName: string | null;
}

// Behind every name that begins with a prefix, in the order of bytes that sort_name has.
const LAST_CHARACTER = '\u{10FFFF}';

/**
 * The list of a table's rows by name.
 *
 * @param query the beginning of the names, or nothing for all.
 * @throws {Problem} `invalid_parameter` for a query of no or of more than 100 characters.
 */
export function listByName<Row extends Named>(
  table: 'brand' | 'merchant',
  columns: string,
  query: string | null | undefined,
): List<Row> | undefined {
  const typed = readQuery(query);
  const prefix = typed === undefined ? undefined : foldName(typed);
  if (prefix === '') return undefined; // Punctuation alone begins no name.
  const order: Order<Row> = {
    name: 'name',
    keys: [
      { sql: `${table}.sort_name`, type: 'text' },
      { sql: `${table}.id`, type: 'bigint' },
    ],
    isDescending: false,
    placeOf: (row) => [row.sortName ?? '', String(row.id)],
  };
  return {
    description: JSON.stringify([table, prefix ?? null]),
    table,
    columns,
    from: table,
    // By the index on (sort_name, id).
    conditions: (bind) =>
      prefix === undefined
        ? []
        : [`${table}.sort_name >= ${bind(prefix)}`, `${table}.sort_name < ${bind(prefix + LAST_CHARACTER)}`],
    order,
  };
}
