/** The database as a meter sees it beside a long transaction. */
import type { Queryable } from '../../src/database/database.ts';

export type RunStatement = <Row>(...query: Parameters<Queryable['query']>) => Promise<Row[]>;

/** The database with another way to run statements. */
export const withQuery = (database: Queryable, query: RunStatement): Queryable => ({
  query: query as Queryable['query'],
  script: (sql) => database.script(sql),
});

/** Shows the row of a meter's journal on another page in each answer. @param run runs a charge, or fails; the database by default. */
export function withMovingJournal(database: Queryable, run: RunStatement = database.query): Queryable {
  let page = 0n;
  return withQuery(database, async (sql, parameters, options) => {
    const isCharge = options?.name?.startsWith('charge') ?? false;
    const rows = await (isCharge ? run : database.query)<{ key_id?: bigint | null }>(sql, parameters, options);
    page += 1n;
    return rows.map((row) => (row.key_id === null ? { ...row, used: page } : row)) as never;
  });
}
