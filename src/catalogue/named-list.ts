/** Lists of brands or merchants by name: all, or those whose names start with a prefix. */
import type { Queryable } from '../database/database.ts';
import { foldName } from '../values/words.ts';
import { emptyPage, type Page, type PageArguments } from './page.ts';
import { orderBy, readPage } from './read-page.ts';
import { readQuery } from './search/text-search.ts';
import { TAG } from './tags.ts';

// Appended to a prefix, it sorts after every name with that prefix in the byte order of sort_name.
const LAST_CHARACTER = '\u{10FFFF}';

/** Reads a page by name from the index (sort_name, id). @throws {Problem} `invalid_parameter` for a query not of 1 to 100 characters. */
export async function readByName<Row extends { id: bigint; sortName: string | null }>(
  database: Queryable,
  table: 'brand' | 'merchant',
  columns: string,
  { query, ...page }: PageArguments & { query?: string | null | undefined },
): Promise<Page<Row>> {
  const typed = readQuery(query);
  const prefix = typed === undefined ? undefined : foldName(typed);
  if (prefix === '') return emptyPage(); // No name starts with only punctuation.
  const name = `${table}.sort_name`;
  return readPage<Row>(
    database,
    {
      description: JSON.stringify([table, prefix ?? null]),
      table,
      columns,
      from: table,
      dependsOn: [TAG[`${table}s`]],
      conditions: (bind) =>
        prefix === undefined ? [] : [`${name} >= ${bind(prefix)}`, `${name} < ${bind(prefix + LAST_CHARACTER)}`],
      order: orderBy('name', table, { sql: name, type: 'text', isDescending: false, of: (row) => row.sortName ?? '' }),
    },
    page,
  );
}
