import type { Queryable } from '../database/database.ts';

/** Runs a statement that returns one row of one column, and returns its value. */
export async function soleValue<Value>(
  database: Queryable,
  sql: string,
  parameters?: readonly unknown[],
): Promise<Value> {
  const [row] = await database.query<Record<string, Value>>(sql, parameters);
  const [value] = Object.values(row ?? {});
  if (value === undefined) throw new Error('The statement returned no value.');
  return value;
}
