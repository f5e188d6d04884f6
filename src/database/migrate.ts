/**
 * Brings a database to the schema of this version by applying the SQL files of Prisma's migrations folder, each once and in order, and
 * by adding the values that enums lack. Applied migrations are recorded in Prisma's own table, so that `prisma migrate deploy`
 * recognises them.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENUMS } from '../generated/columns.ts';
import { packageRoot } from '../package-root.ts';
import type { Database, Queryable } from './database.ts';
import { isCitusWorker } from './ledger-home.ts';

/** The database lacks migrations that may not be applied there, or by the connected role; the message says what to do. */
export class MayNotMigrate extends Error {
  override name = 'MayNotMigrate';
}

// An arbitrary number for the advisory lock, which lets only one process migrate at a time.
const MIGRATION_LOCK = 4_006_381_333_931;

const CREATE_RECORD = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

let own: readonly Migration[] | undefined;

/** The migrations of this version, oldest first. They are read once per process. */
export function ownMigrations(): readonly Migration[] {
  const folder = join(packageRoot(), 'prisma', 'migrations');
  own ??= readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
      // As Prisma records it.
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
  return own;
}

/**
 * Applies the missing migrations, each in one transaction, and adds missing enum values. Several processes may do so at once.
 *
 * @returns the names of what was applied now.
 * @throws {MayNotMigrate} when the connected role does not own the schema.
 * @throws when an applied migration has been changed since.
 */
export async function migrate(database: Database, migrations = ownMigrations()): Promise<string[]> {
  const pending = await pendingMigrations(database, migrations);
  if (pending.length === 0) return [];
  await refuseOthers(database, pending);
  const done: string[] = [];
  for (const migration of migrations) {
    const applied = await database.transaction(
      async (transaction) => {
        await transaction.query('SELECT pg_advisory_xact_lock($1::bigint)', [MIGRATION_LOCK]);
        await transaction.script(CREATE_RECORD);
        if ((await missingFiles(transaction, [migration])).length === 0) return false;
        await transaction.script(migration.sql);
        await transaction.query(
          `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
         VALUES ($1, $2, $3, now(), 1)`,
          [randomUUID(), migration.checksum, migration.name],
        );
        return true;
      },
      { isLong: true },
    );
    if (applied) done.push(migration.name);
  }
  for (const { type, value } of await missingValues(database)) {
    // Types and values are words of our own schema. Older gateways keep serving the values that they know.
    await database.script(`ALTER TYPE ${type} ADD VALUE IF NOT EXISTS '${value}'`);
    done.push(`${type}.${value}`);
  }
  return done;
}

/** Stops workers of a cluster, and roles that could create the tables in another schema, as the importer's could, from starting a second schema there. */
async function refuseOthers(database: Queryable, pending: readonly string[]): Promise<void> {
  if (await isCitusWorker(database)) {
    throw new MayNotMigrate('This server is a worker of a Citus cluster: set DATABASE_URL to the coordinator.');
  }
  const [row] = await database.query<{ role: string; may: boolean }>(
    `SELECT current_user AS role,
            CASE
              WHEN to_regclass('_prisma_migrations') IS NULL THEN has_schema_privilege(current_schema(), 'CREATE')
              ELSE has_table_privilege(to_regclass('_prisma_migrations'), 'INSERT')
                   AND COALESCE((SELECT pg_has_role(typowner, 'USAGE') FROM pg_type WHERE oid = to_regtype('plan_id')), TRUE)
            END AS may`,
  );
  if (row?.may) return;
  throw new MayNotMigrate(
    `The database lacks ${pending.join(', ')}, and the role ${row?.role} may not migrate it: ` +
      'run `pda migrate` and then `pda roles --apply` with the DATABASE_URL of its owner.',
  );
}

/** The names of this version's migrations, and of the enum values such as `plan_id.pro`, that the database lacks. */
export async function pendingMigrations(database: Queryable, migrations = ownMigrations()): Promise<string[]> {
  const values = await missingValues(database);
  return [...(await missingFiles(database, migrations)), ...values.map(({ type, value }) => `${type}.${value}`)];
}

async function missingFiles(database: Queryable, migrations: readonly Migration[]): Promise<string[]> {
  const applied = await appliedMigrations(database);
  for (const { name, checksum } of migrations) {
    if ((applied.get(name) ?? checksum) === checksum) continue;
    throw new Error(
      `The migration ${name} was changed after it was applied. Restore its file, and write a new migration for the change.`,
    );
  }
  return migrations.filter(({ name }) => !applied.has(name)).map(({ name }) => name);
}

/** The names of all migrations that the database has, also those of other versions, with the checksums of their files. */
export async function appliedMigrations(database: Queryable): Promise<Map<string, string>> {
  const [record] = await database.query<{ present: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present",
  );
  if (!record?.present) return new Map();
  const rows = await database.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum
     FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
     ORDER BY migration_name`,
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

const ENUM_VALUES = Object.entries(ENUMS).flatMap(([type, values]) => values.map((value) => ({ type, value })));

/** The values that existing enums of the database lack. */
async function missingValues(database: Queryable): Promise<{ type: string; value: string }[]> {
  return await database.query(
    `SELECT type, value
     FROM unnest($1::text[], $2::text[]) AS needed (type, value)
     WHERE to_regtype(type) IS NOT NULL
       AND NOT EXISTS (SELECT FROM pg_enum WHERE enumtypid = to_regtype(type) AND enumlabel = value)`,
    [ENUM_VALUES.map(({ type }) => type), ENUM_VALUES.map(({ value }) => value)],
  );
}
