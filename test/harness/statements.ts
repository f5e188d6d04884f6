/** The statements that a gateway sends, and the tables that they name. */
import type { Database, Queryable } from '../../src/database/database.ts';
import { DISTRIBUTED_TABLES } from '../../src/database/ledger-home.ts';

export interface Sent {
  name: string;
  sql: string;
  parameters: readonly unknown[];
}

/** The database, noting each statement in `sent`, also those in transactions. */
export function capturing(database: Database, sent: Sent[]): Database {
  const noting =
    (query: Database['query']): Database['query'] =>
    (sql, parameters = [], options) => {
      sent.push({ name: options?.name ?? '', sql, parameters });
      return query(sql, parameters, options);
    };
  return {
    ...database,
    query: noting(database.query),
    transaction: (work) =>
      database.transaction((transaction) =>
        work({ ...transaction, query: noting(transaction.query.bind(transaction)) }),
      ),
  };
}

/** Whether a statement names a distributed table. */
export const isOnWorkers = (sql: string): boolean =>
  tablesIn(sql).some((table) => (DISTRIBUTED_TABLES as readonly string[]).includes(table));

/** The tables after FROM, JOIN, UPDATE, INTO and USING, and those that follow them after commas. */
export const tablesIn = (sql: string): string[] =>
  [...sql.matchAll(/\b(?:FROM|JOIN|UPDATE|INTO|USING) ((?:[a-z_]+\b(?!\()(?: AS [a-z_]+)?(?:, )?)+)/g)]
    .flatMap(([, list = '']) => list.split(', ').flatMap((name) => name.split(' ', 1)))
    .filter((name) => name !== '');

/** Whether the SQL of a migration changes a distributed table or its rows, so that Citus sends it to the shards. */
export const changesDistributed = (sql: string): boolean =>
  CHANGES.test(sql.replaceAll(/--.*$/gm, '').replaceAll('"', ''));

const NAMES = DISTRIBUTED_TABLES.join('|');
const CHANGES = new RegExp(
  `\\b(?:ALTER|TRUNCATE|DROP)(?: TABLE)?(?: IF EXISTS)?(?: ONLY)? (?:${NAMES})\\b` +
    `|\\b(?:INDEX|TRIGGER|POLICY)\\b[^;]*\\bON(?: ONLY)? (?:${NAMES})\\b` +
    `|\\bDROP INDEX(?: CONCURRENTLY)?(?: IF EXISTS)? (?:${NAMES})_` +
    `|\\b(?:UPDATE|INTO|DELETE FROM)(?: ONLY)? (?:${NAMES})\\b`,
  'i',
);

const MATERIALIZED = 'AS MATERIALIZED (';

/** The parts of a statement that are executed one after the other: each materialized query, then what remains. */
export function partsOf(sql: string): string[] {
  const text = sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim();
  const start = text.indexOf(MATERIALIZED);
  if (start < 0) return [text];
  const open = start + MATERIALIZED.length;
  const close = closing(text, open);
  return [...partsOf(text.slice(open, close)), ...partsOf(`${text.slice(0, start)}AS (${text.slice(close)}`)];
}

/** The place of the bracket that ends what starts at `from`. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error(`A bracket is not closed: ${text}`);
}

/** A database that says that its ledger is distributed, and is not: every PostgreSQL can run the statements for one. */
export const seeming = <Home extends Queryable>(database: Home): Home => ({
  ...database,
  query: async <Row>(...statement: Parameters<Queryable['query']>) =>
    statement[2]?.name === 'distribution'
      ? ([{ hasCitus: true, isDistributed: true }] as Row[])
      : database.query<Row>(...statement),
});
