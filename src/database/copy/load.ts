/** Loads a dump into a database without data, in one transaction: afterwards, all of it is there, or nothing. */
import type { Database, Queryable, Transaction } from '../database.ts';
import { appliedMigrations, migrate, ownMigrations } from '../migrate.ts';
import {
  CannotCopy,
  type Header,
  type RowCounts,
  readHeader,
  readRowCounts,
  readSequences,
  readTables,
  refuseDistributed,
  SETTINGS,
} from './dump.ts';

/** The tables into which migrations put rows. Those of the dump replace them. */
const SEEDED: readonly string[] = ['catalogue_version', 'deployment', 'webhook_position'];

/** Loads a dump. The database gets the migrations of the dump first; newer ones are left to the caller. @throws {CannotCopy} */
export async function load(database: Database, messages: AsyncIterable<Uint8Array>): Promise<RowCounts> {
  const iterator = messages[Symbol.asyncIterator]();
  const next = async () => {
    const { done, value } = await iterator.next();
    if (done) throw new CannotCopy('The backup ends early: use another one.');
    return value;
  };
  try {
    const header = readHeader(await next());
    await prepareSchema(database, header.migrations);
    return await database.transaction(async (transaction) => {
      const counts = await loadTables(transaction, header.tables, next);
      if (!(await iterator.next()).done) throw new CannotCopy('The backup goes on after its end: use another one.');
      // Sequences keep their values even if the transaction is rolled back, so they come last.
      const namesOf = (some: Header['sequences']) =>
        some
          .map(({ name }) => name)
          .sort()
          .join(', ');
      if (namesOf(header.sequences) !== namesOf(await readSequences(transaction))) {
        throw new CannotCopy('The backup has other sequences than the database: use another one.');
      }
      for (const { name, value, isCalled } of header.sequences) {
        await transaction.query('SELECT setval($1::text::regclass, $2::bigint, $3::boolean)', [name, value, isCalled]);
      }
      return counts;
    });
  } finally {
    await iterator.return?.();
  }
}

async function prepareSchema(database: Database, migrations: readonly string[]): Promise<void> {
  const own = ownMigrations().slice(0, migrations.length);
  if (own.length === 0 || own.some(({ name }, place) => name !== migrations[place]) || own.length < migrations.length) {
    throw new CannotCopy('The data is of another version of the service: install that version, and run this again.');
  }
  await migrate(database, own);
  const others = [...(await appliedMigrations(database)).keys()].filter((name) => !migrations.includes(name));
  if (others.length === 0) return;
  throw new CannotCopy(
    `The target has ${others.join(', ')}, which the data has not: use a database without tables, which is migrated after the copy.`,
  );
}

async function loadTables(
  transaction: Transaction,
  tables: Header['tables'],
  next: () => Promise<Uint8Array>,
): Promise<RowCounts> {
  const names = tables.map(({ name }) => name);
  await transaction.script(`${SETTINGS}; SET LOCAL lock_timeout = '30s'`);
  await refuseDistributed(transaction);
  await refuseOtherTables(transaction, tables);
  await refuseRows(transaction, names); // A database in use is refused without disturbing its transactions.
  await transaction.script(`LOCK TABLE ${names} IN SHARE ROW EXCLUSIVE MODE`);
  await refuseRows(transaction, names);
  const finish = await makeBare(transaction, names);
  const loaded: RowCounts = {};
  for (const { name, columns } of tables) {
    // TRUNCATE has made the table's file anew, so rows can be written as VACUUM would leave them.
    loaded[name] = await transaction.copyIn(`COPY ${name} (${columns}) FROM STDIN (FREEZE)`, rowsOf(next));
  }
  const dumped = readRowCounts(await next());
  const different = names.filter((name) => loaded[name] !== dumped[name]);
  if (different.length > 0) throw new CannotCopy(`The backup lacks rows of ${different.join(', ')}: use another one.`);
  await transaction.script(finish);
  return loaded;
}

// PostgreSQL keeps a row in memory until its end.
const LONGEST_ROW = 64 * 1024 * 1024;
const NEW_LINE = 10;

async function* rowsOf(next: () => Promise<Uint8Array>): AsyncGenerator<Uint8Array> {
  let open = 0;
  for (let rows = await next(); rows.length > 0; rows = await next()) {
    const end = rows.lastIndexOf(NEW_LINE);
    open = end === -1 ? open + rows.length : rows.length - end;
    if (open > LONGEST_ROW) throw new CannotCopy('The backup has a row that is too long: use another one.');
    yield rows;
  }
}

async function refuseOtherTables(transaction: Queryable, tables: Header['tables']): Promise<void> {
  const columnsOf = (side: Header['tables']) => side.map(({ name, columns }) => `${name} (${columns})`);
  if (new Set(tables.map(({ name }) => name)).size < tables.length)
    throw new CannotCopy('The backup names a table twice: use another one.');
  const [here, there] = [columnsOf(await readTables(transaction)), columnsOf(tables)] as const;
  const others = [...here.filter((each) => !there.includes(each)), ...there.filter((each) => !here.includes(each))];
  if (others.length === 0) return;
  throw new CannotCopy(`Only one side has ${others.join(', ')}: move tables of your own to another schema.`);
}

async function refuseRows(transaction: Queryable, names: readonly string[]): Promise<void> {
  const filled = names
    .filter((name) => !SEEDED.includes(name))
    .map((name) => `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM ${name})`);
  const [first] = await transaction.query<{ name: string }>(`${filled.join(' UNION ALL ')} LIMIT 1`);
  if (first) throw new CannotCopy(`The target has data, such as rows of ${first.name}: use an empty database.`);
}

/**
 * Removes the rows of migrations, the references, which would prescribe an order, and disables triggers, which might change rows.
 * @returns the script that makes the tables complete again.
 */
async function makeBare(transaction: Transaction, names: readonly string[]): Promise<string> {
  const references = await transaction.query<{ drop: string; add: string }>(REFERENCES);
  const triggers = (state: string) => names.map((name) => `ALTER TABLE ${name} ${state} TRIGGER USER`);
  const drops = references.map(({ drop }) => drop);
  await transaction.script([...drops, ...triggers('DISABLE'), `TRUNCATE ${names}`].join('; '));
  return [`ANALYZE ${names}`, ...references.map(({ add }) => add), ...triggers('ENABLE')].join('; ');
}

const REFERENCES = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
         format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid)) AS add
  FROM pg_constraint
  JOIN pg_namespace ON pg_namespace.oid = connamespace
  WHERE contype = 'f' AND nspname = current_schema()`;
