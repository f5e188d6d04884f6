/**
 * All data of a database as a stream of messages: the {@link Header}; for each table, its rows in messages of any length, as `COPY` writes
 * them, and an empty message; at last the number of rows of each table. Tables and columns come from PostgreSQL's catalogue.
 */
import { z } from 'zod';
import type { Database, Queryable, Transaction } from '../database.ts';
import { isDistributed } from '../ledger-home.ts';
import { appliedMigrations } from '../migrate.ts';

const Header = z.object({
  format: z.literal('product-data-api 1'),
  /** The names of the migrations that have made the tables. */
  migrations: z.array(z.string()),
  /** Names and columns as SQL has them, and the size on disk, to tell how far a copy is. */
  tables: z.array(z.object({ name: z.string(), columns: z.string(), bytes: z.number() })),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
});
const RowCounts = z.record(z.string(), z.number());

export type Header = z.infer<typeof Header>;
/** The number of rows of each table. */
export type RowCounts = z.infer<typeof RowCounts>;

export const readHeader = (message: Uint8Array) => parse(Header, message);
export const readRowCounts = (message: Uint8Array) => parse(RowCounts, message);

/** The data cannot be copied, and nothing was changed; the message says what to do. */
export class CannotCopy extends Error {
  override name = 'CannotCopy';
}

/** Reads all data in one snapshot, as fast as `use` takes the messages; it has to read or return them to their end. @throws {CannotCopy} */
export async function dump(
  database: Database,
  use: (messages: AsyncIterable<Uint8Array>) => Promise<unknown>,
): Promise<RowCounts> {
  const names = (await readTables(database)).map(({ name }) => name);
  if (names.length === 0) throw new CannotCopy(`${database.description} has no tables, so nothing can be copied.`);
  return database.transaction(async (transaction) => {
    // Locked before the snapshot: to an older one, a table that a migration writes anew is empty.
    await transaction.script(
      `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; LOCK TABLE ${names} IN ACCESS SHARE MODE; ${SETTINGS}`,
    );
    await refuseDistributed(transaction);
    const rows: RowCounts = {};
    await use(messagesOf(transaction, rows));
    return rows;
  });
}

async function* messagesOf(transaction: Transaction, rows: RowCounts): AsyncGenerator<Uint8Array> {
  const migrations = [...(await appliedMigrations(transaction)).keys()];
  const tables = await readTables(transaction);
  const sequences = await readSequences(transaction);
  yield toMessage({ format: Header.shape.format.value, migrations, tables, sequences } satisfies Header);
  for (const { name, columns } of tables) {
    rows[name] = yield* transaction.copyOut(`COPY ${name} (${columns}) TO STDOUT`);
    yield END_OF_TABLE;
  }
  yield toMessage(rows);
}

const END_OF_TABLE = new Uint8Array();
const toMessage = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

function parse<Value>(type: z.ZodType<Value>, message: Uint8Array): Value {
  try {
    return type.parse(JSON.parse(Buffer.from(message).toString()));
  } catch {
    throw new CannotCopy('This is no backup of `pda backup`, or one of a newer version: use another file.');
  }
}

/** Both sides write values in the same way and may wait for each other, whatever their servers' settings are. */
export const SETTINGS = `
  SET LOCAL datestyle = 'ISO, YMD';
  SET LOCAL intervalstyle = 'postgres';
  SET LOCAL extra_float_digits = 3;
  SET LOCAL idle_in_transaction_session_timeout = 0`;

/** @throws {CannotCopy} when the ledger is on several servers, which share no snapshot. */
export async function refuseDistributed(database: Queryable): Promise<void> {
  if (!(await isDistributed(database))) return;
  throw new CannotCopy(
    'The ledger is distributed over a Citus cluster. docs/operations.md says how to back up a cluster.',
  );
}

/** All tables, except those of extensions, those of imports in progress and the record of migrations. Generated columns are left out. */
export function readTables(database: Queryable): Promise<Header['tables']> {
  return database.query(`
    SELECT quote_ident(relname) AS name,
           string_agg(quote_ident(attname), ', ' ORDER BY attname) AS columns,
           pg_table_size(pg_class.oid)::float8 AS bytes
    FROM pg_class
    JOIN pg_namespace ON pg_namespace.oid = relnamespace
    JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    WHERE nspname = current_schema()
      AND relkind = 'r'
      AND relpersistence = 'p'
      AND relname <> '_prisma_migrations'
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
    GROUP BY pg_class.oid, relname
    ORDER BY relname`);
}

/** Sequences are in no snapshot: read after it was taken, they are behind none of its rows. */
export async function readSequences(database: Queryable): Promise<Header['sequences']> {
  const names = await database.query<{ name: string }>(
    'SELECT quote_ident(sequencename) AS name FROM pg_sequences WHERE schemaname = current_schema()',
  );
  const states = names.map(
    ({ name }) => `SELECT '${name}' AS name, last_value::text AS value, is_called AS "isCalled" FROM ${name}`,
  );
  return database.query(states.join(' UNION ALL '));
}
