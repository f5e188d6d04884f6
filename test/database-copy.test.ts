/** The copy of a database behind `pda move`, `pda backup` and `pda restore`: exact, of one moment, and complete or not at all. */
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CannotCopy, dump, type Header, readHeader } from '../src/database/copy/dump.ts';
import { packDump, unpackDump } from '../src/database/copy/dump-file.ts';
import { load } from '../src/database/copy/load.ts';
import { type Database, DatabaseUnavailable } from '../src/database/database.ts';
import { migrate, ownMigrations, pendingMigrations } from '../src/database/migrate.ts';
import { openPostgres } from '../src/database/postgres.ts';
import { bringUpToDate } from '../src/import/bring-up-to-date.ts';
import { makeEmptyDatabase, makePostgresDatabase } from './harness/database.ts';
import { eventually, expectEventually } from './harness/eventually.ts';
import { feedRow, importRows } from './harness/gateway.ts';

const open = async (making: Promise<{ url: string; drop(): Promise<void> }>): Promise<Database> => {
  const { url, drop } = await making;
  const database = openPostgres({ url, poolSize: 3, purpose: 'bulk' });
  onTestFinished(async () => {
    await database.close();
    await drop();
  });
  return database;
};
const openMigrated = () => open(makePostgresDatabase());
const openEmpty = () => open(makeEmptyDatabase('single'));

const things = (price: number) => [
  feedRow({ id: 'a', gtin: '4006381333931', price: `${price} EUR` }),
  feedRow({ id: 'b', gtin: '4006381333948', price: `${price} EUR` }),
];

/** The names of all tables with data, from PostgreSQL's catalogue. */
const tablesOf = async (database: Database) =>
  (
    await database.query<{ name: string }>(
      `SELECT table_name::text AS name
       FROM information_schema.tables
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '_prisma_migrations'
       ORDER BY 1`,
    )
  ).map(({ name }) => name);

/** The rows of every table, as PostgreSQL writes them. */
async function contentOf(database: Database): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const name of await tablesOf(database)) {
    const rows = await database.query<{ text: string }>(`SELECT each::text AS text FROM ${name} AS each`);
    content[name] = rows.map(({ text }) => text).sort();
  }
  return content;
}

const sequencesOf = (database: Database) =>
  database.query('SELECT sequencename::text AS name, last_value FROM pg_sequences ORDER BY 1');

/** All constraints, indexes and triggers, with their states. */
const schemaOf = (database: Database) =>
  database.query(
    `SELECT conrelid::regclass::text AS place, conname::text AS name, pg_get_constraintdef(oid) AS text, convalidated::text AS state
     FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL
     SELECT tgrelid::regclass::text, tgname::text, pg_get_triggerdef(oid), tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL
     SELECT tablename::text, indexname::text, indexdef, NULL FROM pg_indexes WHERE schemaname = 'public'
     ORDER BY 1, 2, 3`,
  );

/** A dump as the file that it makes. */
async function fileOf(database: Database): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  await dump(database, (messages) => packDump(messages, async (chunk) => void chunks.push(chunk)));
  return Buffer.concat(chunks);
}

/** Restores a file that arrives in pieces of any length. */
const restore = (database: Database, file: Uint8Array, pieceLength = 1_000) =>
  unpackDump(Readable.from(piecesOf(file, pieceLength)), (messages) => load(database, messages));

function* piecesOf(file: Uint8Array, length: number): Generator<Uint8Array> {
  for (let start = 0; start < file.length; start += length) yield file.subarray(start, start + length);
}

const HARD_TEXT = "'t\tb\\ n\nr\r \\N \\. \"q\" ''' || chr(10) || '\\.' || chr(10) || 'é\u{1f600}'";

/** Values that are hard to write, by type and by number of the row. */
const literalOf = (type: string, n: number): string => {
  if (type.endsWith('[]'))
    return `ARRAY[${literalOf(type.slice(0, -2), n)}, NULL, ${literalOf(type.slice(0, -2), 1)}]::${type}`;
  if (type === 'bigint') return `${9_223_372_036_854_775_000n + BigInt(n)}`;
  if (type === 'integer') return `${2_147_483_640 + n}`;
  if (type === 'boolean') return `${n === 1}`;
  if (type === 'date') return n === 1 ? "'0044-03-15 BC'" : "'infinity'";
  if (type.startsWith('timestamp')) return n === 1 ? "'2026-01-31 08:00:00.123+00'" : "'-infinity'";
  if (type === 'jsonb')
    return `jsonb_build_object('n', 12345678901234567890.0123456789, 't', ${literalOf('text', n)}, 'l', '[null, {}]'::jsonb)`;
  if (type === 'tsvector') return `'''it''''s \\\\ ${n}'':1A,3 b:2'`;
  if (type === 'uuid') return `'00000000-0000-0000-0000-00000000000${n}'`;
  if (type === 'text' || type.startsWith('character varying')) return `${HARD_TEXT} || '${n}'`;
  return `(enum_range(NULL::${type}))[${1 + (n % 2)}]`;
};

/** Fills every table with two rows of hard values and one with NULL wherever it may be, whatever the order of references. */
async function fillAll(database: Database): Promise<void> {
  const columns = await database.query<{
    table: string;
    column: string;
    type: string;
    isNullable: boolean;
    isReference: boolean;
  }>(
    `SELECT attrelid::regclass::text AS "table", quote_ident(attname) AS "column",
            regexp_replace(format_type(atttypid, NULL), '\\(.*\\)', '') AS type, NOT attnotnull AS "isNullable",
            EXISTS (
              SELECT FROM pg_constraint
              WHERE contype = 'f'
                AND (conrelid = attrelid AND attnum = ANY (conkey) OR confrelid = attrelid AND attnum = ANY (confkey))
            ) AS "isReference"
     FROM pg_attribute
     WHERE attrelid = ANY ($1::text[]::regclass[]) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     ORDER BY attrelid, attnum`,
    [await tablesOf(database)],
  );
  await database.transaction(async (transaction) => {
    await transaction.query("SET LOCAL session_replication_role = 'replica'");
    for (const table of new Set(columns.map((column) => column.table))) {
      const own = columns.filter((column) => column.table === table);
      for (const n of [1, 2, 3]) {
        const values = own.map(({ type, isNullable, isReference }) => {
          if (n === 3 && isNullable) return 'NULL';
          return isReference ? `${n}` : literalOf(type, n);
        });
        const names = own.map(({ column }) => column);
        await transaction.script(`INSERT INTO ${table} (${names}) VALUES (${values}) ON CONFLICT DO NOTHING`);
      }
    }
  });
}

/** Lets the values of {@link fillAll} in. */
async function dropChecks(database: Database): Promise<void> {
  const checks = await database.query<{ drop: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop
     FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace`,
  );
  for (const { drop } of checks) await database.script(drop);
}

describe('a copy', () => {
  test('has every row of every table as it was, whatever its values', async () => {
    const [source, target] = [await openMigrated(), await openMigrated()];
    await dropChecks(source);
    await dropChecks(target);
    await fillAll(source);
    await source.query("SELECT setval('offer_id_seq', 4000), setval('brand_id_seq', 9, FALSE)");
    // Triggers and references that would refuse or change the rows on their way.
    await target.script(`
      CREATE FUNCTION shout() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN NEW.name = 'changed'; RETURN NEW; END $$;
      CREATE TRIGGER shout BEFORE INSERT ON brand FOR EACH ROW EXECUTE FUNCTION shout()`);
    const [before, content] = [await schemaOf(target), await contentOf(source)];
    for (const [name, rows] of Object.entries(content)) expect(rows.length, name).toBeGreaterThan(1);

    const counts = await restore(target, await fileOf(source), 7);
    expect(counts).toEqual(Object.fromEntries(Object.entries(content).map(([name, rows]) => [name, rows.length])));
    expect(await contentOf(target)).toEqual(content);
    expect(await contentOf(source)).toEqual(content);
    expect(await sequencesOf(target)).toEqual(await sequencesOf(source));
    expect(await schemaOf(target)).toEqual(before);
    const [next] = await target.query("SELECT nextval('offer_id_seq') AS offer, nextval('brand_id_seq') AS brand");
    expect(next).toEqual({ offer: 4_001n, brand: 9n });
  });

  test('is of one moment, although others write meanwhile', async () => {
    const [source, target] = [await openMigrated(), await openMigrated()];
    await importRows(source, 'Shop', things(10));
    const before = await contentOf(source);
    await dump(source, async (messages) =>
      load(
        target,
        (async function* () {
          let isFirst = true;
          for await (const message of messages) {
            if (isFirst) await importRows(source, 'Shop', things(20));
            isFirst = false;
            yield message;
          }
        })(),
      ),
    );
    expect(await contentOf(target)).toEqual(before);
    expect(await contentOf(source)).not.toEqual(before);
  });

  test('leaves out the rows that an import reads at that time', async () => {
    const [source, target] = [await openMigrated(), await openMigrated()];
    await source.script('CREATE UNLOGGED TABLE import_rows_7 (line INT); INSERT INTO import_rows_7 VALUES (1)');
    await dump(source, (messages) => load(target, messages));
    expect(await contentOf(target)).not.toHaveProperty('import_rows_7');
  });

  test('keeps migrations away until it has ended', async () => {
    const source = await openMigrated();
    await dump(source, async (messages) => {
      const iterator = messages[Symbol.asyncIterator]();
      await iterator.next();
      await expect(
        source.script("SET lock_timeout = '10ms'; ALTER TABLE webhook_delivery ADD COLUMN more TEXT"),
      ).rejects.toThrow('lock timeout');
      await iterator.return?.();
    });
  });

  test('is read no faster than it is taken, and ends at once when it is no longer wanted', async () => {
    const source = await openMigrated();
    await source.query("INSERT INTO search_word SELECT repeat('x', 100) || n FROM generate_series(1, 300000) AS n");
    const state = async () => {
      const [row] = await source.query<{ event: string | null }>(
        "SELECT wait_event AS event FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY search_word%'",
      );
      return row?.event;
    };
    const stopped = dump(source, async (messages) => {
      for await (const message of messages) {
        if (!Buffer.from(message).includes('xxx')) continue;
        expect(await eventually(state, (event) => event === 'ClientWrite')).toBe('ClientWrite');
        throw new Error('no longer wanted');
      }
    });
    await expect(stopped).rejects.toThrow('no longer wanted');
    expect(await eventually(state, (event) => event === undefined)).toBeUndefined();
  });

  test('fails with the error of the disk that it is written to', async () => {
    const source = await openMigrated();
    await source.query('INSERT INTO search_word SELECT md5(n::text) FROM generate_series(1, 100000) AS n');
    const full = dump(source, (messages) => packDump(messages, () => Promise.reject(new Error('no space'))));
    await expect(full).rejects.toThrow('no space');
  });

  test('of a database without tables is refused', async () => {
    await expect(dump(await openEmpty(), async () => {})).rejects.toThrow('has no tables');
  });
});

describe('loading', () => {
  let file: Buffer;
  beforeAll(async () => {
    const { url, drop } = await makePostgresDatabase();
    const database = openPostgres({ url, poolSize: 3, purpose: 'bulk' });
    await importRows(database, 'Shop', things(10));
    file = await fileOf(database);
    await database.close();
    await drop();
  });

  test('changes nothing if the file is damaged or ends early, wherever that is', async () => {
    const target = await openMigrated();
    const [content, schema, sequences] = [await contentOf(target), await schemaOf(target), await sequencesOf(target)];
    const places = [0, 0.05, 0.3, 0.6, 0.9, 0.999].map((share) => Math.floor(file.length * share));
    const broken = places.flatMap((place) => {
      const flipped = Buffer.from(file);
      // The ten bytes of gzip's header are partly free.
      const at = Math.max(place, 10);
      flipped[at] = (flipped[at] ?? 0) ^ 0x10;
      return [file.subarray(0, place), flipped];
    });
    const plain = gunzipSync(file);
    // Whole files of gzip with other content.
    broken.push(gzipSync(plain.subarray(0, -200)), gzipSync(Buffer.concat([plain, plain])), gzipSync('{"foreign": 1}'));
    for (const each of broken) await expect(restore(target, each)).rejects.toThrow(CannotCopy);
    expect(await contentOf(target)).toEqual(content);
    expect(await schemaOf(target)).toEqual(schema);
    expect(await sequencesOf(target)).toEqual(sequences);
    await restore(target, file);
    expect(await contentOf(target)).toMatchObject({ offer: [expect.any(String), expect.any(String)] });
  });

  test('refuses a dump that lacks rows', async () => {
    const target = await openMigrated();
    const lossy = unpackDump(Readable.from([file]), (messages) =>
      load(
        target,
        (async function* () {
          for await (const message of messages) if (!Buffer.from(message).includes('4006381333931\t')) yield message;
        })(),
      ),
    );
    await expect(lossy).rejects.toThrow('The backup lacks rows of offer: use another one.');
  });

  test.each<[string, (header: Header) => Partial<Header>]>([
    ['names a table twice', ({ tables }) => ({ tables: [...tables, ...tables.slice(0, 1)] })],
    ['has no tables', () => ({ tables: [] })],
    ['lacks the values of sequences', () => ({ sequences: [] })],
    [
      'names other sequences',
      ({ sequences }) => ({ sequences: sequences.map((each) => ({ ...each, name: 'pg_class' })) }),
    ],
    ['has no migrations', () => ({ migrations: [] })],
    ['has only the last migration', ({ migrations }) => ({ migrations: migrations.slice(-1) })],
  ])('refuses a file that %s, and changes nothing', async (_what, change) => {
    const target = await openMigrated();
    const before = [await contentOf(target), await sequencesOf(target)];
    const crafted = unpackDump(Readable.from([file]), (messages) =>
      load(
        target,
        (async function* () {
          let header: Header | undefined;
          for await (const message of messages) {
            if (header) yield message;
            else {
              header = readHeader(message);
              yield Buffer.from(JSON.stringify({ ...header, ...change(header) }));
            }
          }
        })(),
      ),
    );
    await expect(crafted).rejects.toThrow(CannotCopy);
    expect([await contentOf(target), await sequencesOf(target)]).toEqual(before);
  });

  test('refuses a message of more than a mebibyte, and a row of more than 64 MiB, before all of it is in memory', async () => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(2 ** 20 + 1);
    await expect(restore(await openMigrated(), gzipSync(head))).rejects.toThrow('The backup is damaged');
    const part = Buffer.alloc(2 ** 20, 'a');
    let sent = 0;
    const endless = unpackDump(Readable.from([file]), async (messages) =>
      load(
        await openMigrated(),
        (async function* () {
          for await (const message of messages) {
            yield message;
            for (; ; sent += 1) yield part;
          }
        })(),
      ),
    );
    await expect(endless).rejects.toThrow('a row that is too long');
    expect(sent).toBe(64);
  });

  test('takes a row that is longer than a message', async () => {
    const [source, target] = [await openMigrated(), await openMigrated()];
    await source.query("INSERT INTO search_word VALUES (repeat('x', 1000))");
    await source.script(`ALTER TABLE search_word DROP CONSTRAINT search_word_pkey`);
    await source.query("INSERT INTO search_word VALUES (repeat('y', 3000000))");
    await target.script(`ALTER TABLE search_word DROP CONSTRAINT search_word_pkey`);
    await restore(target, await fileOf(source));
    expect((await contentOf(target)).search_word).toEqual((await contentOf(source)).search_word);
  });

  test('refuses a database with data, and waits for those who write into it', async () => {
    const target = await openMigrated();
    let loading: Promise<unknown> | undefined;
    await target.transaction(async (transaction) => {
      await transaction.query("INSERT INTO search_word VALUES ('kept')");
      loading = restore(target, file);
      loading.catch(() => {});
      const waits = async () =>
        (
          await target.query(
            "SELECT FROM pg_stat_activity WHERE wait_event = 'relation' AND datname = current_database()",
          )
        ).length;
      expect(await eventually(waits, (count) => count > 0)).toBe(1);
    });
    await expect(loading).rejects.toThrow('The target has data, such as rows of search_word: use an empty database.');
    expect(await contentOf(target)).toMatchObject({ search_word: ['(kept)'], offer: [] });
  });

  test('makes the tables of the version of the dump, which are then migrated as those of any older database', async () => {
    const source = await openEmpty();
    const own = ownMigrations();
    const older = own.slice(0, -2);
    await migrate(source, older);
    await source.query("INSERT INTO brand (slug, name, name_key) VALUES ('acme', 'Acme', 'acme')");
    const dumped = await fileOf(source);
    const target = await openEmpty();
    await restore(target, dumped);
    expect(await pendingMigrations(target)).toEqual(own.slice(-2).map(({ name }) => name));
    await bringUpToDate(target);
    expect(await pendingMigrations(target)).toEqual([]);
    expect(await target.query('SELECT name, sort_name FROM brand')).toEqual([{ name: 'Acme', sort_name: 'acme' }]);
    await expect(restore(await openMigrated(), dumped)).rejects.toThrow('use a database without tables');
  });

  test('refuses data of another version', async () => {
    const source = await openMigrated();
    await source.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', '', '29990101000000_new', now())",
    );
    await expect(restore(await openEmpty(), await fileOf(source))).rejects.toThrow('of another version');
  });

  test('names tables of somebody else', async () => {
    const source = await openMigrated();
    await source.script('CREATE TABLE "Own notes" (text TEXT)');
    await expect(restore(await openMigrated(), await fileOf(source))).rejects.toThrow(
      'Only one side has "Own notes" (text)',
    );
  });

  test.each([
    'source',
    'target',
  ] as const)('fails if the server of the %s ends the copy, which leaves nothing behind', async (side) => {
    const databases = { source: await openMigrated(), target: await openMigrated() };
    const { source, target } = databases;
    await source.query('INSERT INTO search_word SELECT md5(n::text) FROM generate_series(1, 300000) AS n');
    const before = await contentOf(target);
    const copies = (database: Database, what: string) =>
      database.query(
        `SELECT ${what} FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY%' AND pid <> pg_backend_pid()`,
      );
    const moving = dump(source, (messages) =>
      load(
        target,
        (async function* () {
          let count = 0;
          for await (const message of messages) {
            if (message.length > 10_000 && ++count === 3) await copies(databases[side], 'pg_terminate_backend(pid)');
            yield message;
          }
        })(),
      ),
    );
    await expect(moving).rejects.toThrow(DatabaseUnavailable);
    for (const database of [source, target]) {
      await expectEventually(() => copies(database, 'pid'), []);
    }
    expect(await contentOf(target)).toEqual(before);
  });

  test('fails with the error of PostgreSQL when a row does not fit', async () => {
    const [source, target] = [await openMigrated(), await openMigrated()];
    await source.query('INSERT INTO search_word SELECT md5(n::text) FROM generate_series(1, 100000) AS n');
    await target.script("ALTER TABLE search_word ADD CHECK (word NOT LIKE 'ab%')");
    await expect(dump(source, (messages) => load(target, messages))).rejects.toMatchObject({ code: '23514' });
    expect(await target.query('SELECT FROM search_word')).toEqual([]);
  });

  test('refuses rows whose references lead nowhere', async () => {
    const [source, target] = [await openMigrated(), await openMigrated()];
    await source.transaction(async (transaction) => {
      await transaction.query("SET LOCAL session_replication_role = 'replica'");
      await transaction.query(
        "INSERT INTO api_key_secret (key_id, digest, prefix) VALUES (7, repeat('a', 64), 'pda_x')",
      );
    });
    const [before, dumped] = [await contentOf(target), await fileOf(source)];
    await expect(restore(target, dumped)).rejects.toMatchObject({ code: '23503' });
    expect(await contentOf(target)).toEqual(before);
  });
});
