/** The Prisma models and the migrations both define the database. These tests compare them. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { migrate, ownMigrations, pendingMigrations } from '../src/database/migrate.ts';
import { getDatamodel } from '../src/generated/pothos.ts';
import { openTestDatabase } from './harness/database.ts';
import { isDistributedRun } from './harness/distributed.ts';
import { forFile } from './harness/lifetime.ts';

const database = await forFile(openTestDatabase());

interface Column {
  table: string;
  column: string;
  type: string;
  isNullable: boolean;
}

const TYPES: Record<string, string> = {
  BigInt: 'int8',
  Int: 'int4',
  String: 'text',
  Boolean: 'bool',
  Json: 'jsonb',
  DateTime: 'timestamptz',
  Date: 'date',
  Uuid: 'uuid',
};

/** The models as in the text of the schema, because the generated model omits native types. */
function modelColumns(): Column[] {
  const text = readFileSync(new URL('../prisma/schema.prisma', import.meta.url), 'utf8');
  const enums = new Map(
    [...text.matchAll(/^enum (\w+) \{[^}]*@@map\("(\w+)"\)/gm)].map(([, name, table]) => [name, table ?? '']),
  );
  return [...text.matchAll(/^model \w+ \{([^}]*)\}/gm)].flatMap(([, body = '']) => {
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '';
    return [...body.matchAll(/^ {2}(\w+)\s+(\w+)(\?|\[\])?(.*)$/gm)].flatMap(
      ([, name = '', type = '', mark, rest = '']) => {
        const column = /@map\("(\w+)"\)/.exec(rest)?.[1] ?? name;
        const [, unsupported, isOptional] = /^\("(\w+)"\)(\?)?/.exec(rest) ?? [];
        if (unsupported) return [{ table, column, type: unsupported, isNullable: isOptional === '?' }];
        const sqlType = enums.get(type) ?? TYPES[/@db\.(Date\b|Uuid)/.exec(rest)?.[1] ?? type];
        if (sqlType === undefined) return [];
        return [{ table, column, type: mark === '[]' ? `_${sqlType}` : sqlType, isNullable: mark === '?' }];
      },
    );
  });
}

// `pda distribute` changes the keys of the clicks; the models describe the database as it is migrated.
test.skipIf(isDistributedRun())(
  'the migrated database has exactly the columns of the models, with their types',
  async () => {
    const columns = await database.query<Column>(`
    SELECT table_name AS table, column_name AS column, udt_name AS type, is_nullable = 'YES' AS "isNullable"
    FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '_prisma_migrations'`);
    const words = ({ table, column, type, isNullable }: Column) =>
      `${table}.${column} ${type}${isNullable ? ' null' : ''}`;
    expect(modelColumns().length).toBeGreaterThan(80);
    expect(columns.map(words).sort()).toEqual(modelColumns().map(words).sort());
  },
);

test.skipIf(isDistributedRun())(
  'every unique key and foreign key of the models is in the migrated database',
  async () => {
    const text = readFileSync(new URL('../prisma/schema.prisma', import.meta.url), 'utf8');
    // The migration says why these three relations have no foreign key.
    const unguarded = ['product.brand_id', 'product.category_id', 'offer.merchant_id'];
    const foreignKeys = [...text.matchAll(/@relation\((?:"\w+", )?fields:/g)].length - unguarded.length;
    const [count] = await database.query<{ foreign: number; unique: number }>(`
    SELECT count(*) FILTER (WHERE contype = 'f')::int AS foreign,
           (SELECT count(*)::int FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
            WHERE indisunique AND NOT indisprimary AND relnamespace = 'public'::regnamespace) AS unique
    FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace`);
    const unique = [...text.matchAll(/ @unique\b|@@unique\(/g)].length;
    expect(count).toEqual({ foreign: foreignKeys, unique });
  },
);

test('the generated models match the schema', () => {
  const tables = new Set(modelColumns().map(({ table }) => table));
  const datamodel = getDatamodel() as { datamodel: { models: Record<string, unknown> } };
  expect(Object.keys(datamodel.datamodel.models)).toHaveLength(tables.size);
});

test('a migrated database has nothing pending, and migrating it again does nothing', async () => {
  expect(await pendingMigrations(database)).toEqual([]);
  expect(await migrate(database)).toEqual([]);
});

test('a migration that was changed after it was applied is refused by name', async () => {
  const [first, ...rest] = ownMigrations();
  if (!first) throw new Error('There is no migration.');
  const changed = [
    { ...first, checksum: first.checksum.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) },
    ...rest,
  ];
  await expect(migrate(database, changed)).rejects.toThrow(first.name);
});

test('a failed migration leaves nothing behind', async () => {
  const broken = [
    ...ownMigrations(),
    { name: '99990101000000_broken', sql: 'CREATE TABLE half (); SELECT 1/0', checksum: 'x' },
  ];
  await expect(migrate(database, broken)).rejects.toThrow('division by zero');
  const [row] = await database.query<{ half: unknown }>("SELECT to_regclass('half') AS half");
  expect(row?.half).toBeNull();
});

test('a value that an enum lacks is pending, and added by a migration', async () => {
  await database.script("ALTER TYPE plan_id RENAME VALUE 'pro' TO 'former'");
  expect(await pendingMigrations(database)).toEqual(['plan_id.pro']);
  expect(await migrate(database)).toEqual(['plan_id.pro']);
  expect(await pendingMigrations(database)).toEqual([]);
});
