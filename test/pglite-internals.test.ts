/**
 * What the embedded database relies on inside PGlite, beyond its documented interface. The version is pinned for that reason: run
 * these tests when you raise it. Each failure names the file to check.
 */
import fs, { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEmbedded } from '../src/database/embedded.ts';

const root = join(import.meta.dirname, '..');

let folder: string;
let pglite: PGlite;
// biome-ignore lint/suspicious/noExplicitAny: these tests check whether it is as our code uses it.
let postgres: any;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pda-internals-'));
  pglite = await PGlite.create({ dataDir: join(folder, 'pg') });
  postgres = pglite.Module;
});
afterAll(async () => {
  await pglite.close();
  rmSync(folder, { recursive: true });
});

test('the version of PGlite is pinned, and matches the installed one', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const installed = readFileSync(join(root, 'node_modules/@electric-sql/pglite/package.json'), 'utf8');
  expect(dependencies['@electric-sql/pglite']).toBe(JSON.parse(installed).version);
});

describe('durability (on failure, check openDurable and syncToDisk in src/database/embedded.ts):', () => {
  test('the default start parameter -F, which we omit, turns fsync off', () => {
    expect(PGlite.defaultStartParams).toContain('-F');
  });

  test('a commit reaches the disk', async () => {
    const { fdatasyncSync } = fs;
    let synced = 0;
    fs.fdatasyncSync = (file) => {
      synced += 1;
      fdatasyncSync(file);
    };
    syncBuiltinESMExports();
    const database = await openEmbedded(join(folder, 'durable'));
    try {
      await database.script('CREATE TABLE note (text TEXT)');
      for (const write of [
        () => database.query("INSERT INTO note VALUES ('by itself')"),
        () => database.transaction((transaction) => transaction.query("INSERT INTO note VALUES ('in a transaction')")),
      ]) {
        const before = synced;
        await write();
        expect(synced).toBeGreaterThan(before);
      }
    } finally {
      fs.fdatasyncSync = fdatasyncSync;
      syncBuiltinESMExports();
      await database.close();
    }
  });
});

describe('the end of the database (on failure, check src/database/fail-stop.ts):', () => {
  test('a failed statement exits PostgreSQL with status 100, through functions that can be replaced', async () => {
    const calls: string[] = [];
    const statuses: unknown[] = [];
    const names = [
      '_PostgresMainLoopOnce',
      '_PostgresMainLongJmp',
      'stackRestore',
      '_PostgresSendReadyForQueryIfNecessary',
      '_pgl_pq_flush',
    ];
    const originals = Object.fromEntries(names.map((name) => [name, postgres[name]]));
    for (const name of names) {
      expect([name, typeof originals[name]]).toEqual([name, 'function']);
      postgres[name] = (...given: unknown[]) => {
        calls.push(name);
        try {
          return originals[name](...given);
        } catch (error) {
          statuses.push((error as { status?: unknown }).status);
          throw error;
        }
      };
    }
    await expect(pglite.query('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
    Object.assign(postgres, originals);
    expect([...new Set(calls)].sort()).toEqual([...names].sort());
    expect(new Set(statuses)).toEqual(new Set([100]));
  });
});

describe('the time limit of statements (on failure, check src/database/statement-timeout.ts):', () => {
  test('protocol messages go through a method that can be replaced', async () => {
    const run = pglite.execProtocolRawSync;
    const letters: string[] = [];
    pglite.execProtocolRawSync = (message) => {
      letters.push(String.fromCharCode(message[0] ?? 0));
      return run.call(pglite, message);
    };
    await pglite.query('SELECT $1::int', [1]);
    pglite.execProtocolRawSync = run;
    expect(letters).toEqual(['P', 'D', 'B', 'D', 'E', 'S']);
  });

  test('the flags that cancel a statement are in the memory of PostgreSQL, and are not set', () => {
    expect(postgres.HEAPU8).toBeInstanceOf(Uint8Array);
    for (const flag of ['_QueryCancelPending', '_InterruptPending']) {
      expect([flag, typeof postgres[flag], postgres.HEAPU8[postgres[flag]]]).toEqual([flag, 'number', 0]);
    }
  });
});

test('checkpoints (on failure, check src/database/checkpoints.ts): the control file gives the size of the log', async () => {
  const measured =
    'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()';
  const bytes = async () => (await pglite.query<{ bytes: number }>(measured)).rows[0]?.bytes ?? Number.NaN;
  await pglite.exec('CREATE TABLE filled AS SELECT generate_series(1, 10000) AS number');
  const before = await bytes();
  await pglite.exec('CHECKPOINT');
  expect(await bytes()).toBeLessThan(before);
});
