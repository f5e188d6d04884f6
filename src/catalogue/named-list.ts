/** Lists of brands or merchants by name: all, or those whose names start with a prefix. */

import { foldName } from '../values/words.ts';
import type { List, Order } from './page.ts';
import { readQuery } from './search/text-search.ts';

interface Named {
  id: bigint;
  sortName: string | null;
}

// Appended to a prefix, it sorts after every name with that prefix in the byte order of sort_name.
const LAST_CHARACTER = '\u{10FFFF}';

/**
 * The list of a table's rows by name.
 *
 * @param query the prefix of the names; without it, all are listed.
 * @throws {Problem} `invalid_parameter` if the query is empty or has more than 100 characters.
 */
export function listByName<Row extends Named>(
  table: 'brand' | 'merchant',
  columns: string,
  query: string | null | undefined,
): List<Row> | undefined {
  const typed = readQuery(query);
  const prefix = typed === undefined ? undefined : foldName(typed);
  if (prefix === '') return undefined; // No name starts with only punctuation.
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
