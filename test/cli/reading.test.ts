/** Commands that only read never change the database, migrations included, and create none. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import type { Database } from '../../src/database/database.ts';
import { migrate, ownMigrations } from '../../src/database/migrate.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { leavesOf } from '../harness/commands.ts';
import { makeEmptyDatabase } from '../harness/database.ts';
import { run } from '../harness/process.ts';

/** All commands that change something. A new command belongs here, or must pass the tests below. */
const CHANGING = [
  'keys create',
  'keys revoke',
  'keys rotate',
  'keys set-plan',
  'keys set-limits',
  'webhooks create',
  'webhooks delete',
  'webhooks confirm',
  'webhooks enable',
  'webhooks disable',
  'webhooks test',
  'webhooks replay',
  'console',
  'import',
  'feeds add',
  'feeds edit',
  'feeds pause',
  'feeds resume',
  'feeds remove',
  'feeds run',
  'identifiers detach',
  'identifiers allow',
  'taxonomy',
  'articles',
  'synonyms',
  'migrate',
  'restore',
  'move',
  'seal',
  'distribute',
  'demo',
];
/** These need no migrated database. */
const WITHOUT_DATABASE = ['roles', 'doctor'];
/** These copy a database as it is, also an older one (cli/copy.test.ts). */
const COPYING = ['backup'];

const leaves = leavesOf(await createProgram()).map(({ words, command }) => ({
  name: words.join(' '),
  words: [
    ...words,
    ...command.registeredArguments.filter(({ required }) => required).map((each) => each.argChoices?.[0] ?? '1'),
  ],
}));
const reading = leaves.filter(({ name }) => !CHANGING.includes(name)).map(({ words }) => words);
const unchanging = [
  ...reading.filter(([name = '']) => ![...WITHOUT_DATABASE, ...COPYING].includes(name)),
  ['import', 'package.json', '--merchant', 'A Shop', '--dry-run'],
  ['identifiers', 'detach', 'B0DEMO0001', '--dry-run'],
  ['synonyms', '--clear', '--dry-run'],
  ['synonyms', '--list'],
];

test('the list of commands that change something names only commands', () => {
  expect(leaves.map(({ name }) => name)).toEqual(expect.arrayContaining(CHANGING));
});

describe('on a database that lacks a migration', () => {
  let url: string;
  let database: Database;
  beforeAll(async () => {
    const made = await makeEmptyDatabase('single');
    url = made.url;
    database = openPostgres({ url, poolSize: 1, purpose: 'bulk' });
    await migrate(database, ownMigrations().slice(0, -1));
    return async () => {
      await database.close();
      await made.drop();
    };
  });
  const applied = () => database.query('SELECT migration_name, finished_at FROM _prisma_migrations ORDER BY 1');

  test.each(
    unchanging.map((words) => [words.join(' '), words] as const),
  )('pda %s changes nothing, and says what to do', async (_name, words) => {
    const before = await applied();
    const { status, stdout, stderr } = await run('pda', words, { DATABASE_URL: url });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^The database lacks 1 migration, .*run `pda migrate` first\.\n$/);
    expect(await applied()).toEqual(before);
  });

  test.each(WITHOUT_DATABASE)('pda %s does its work, and changes nothing', async (name) => {
    const before = await applied();
    const { status, stdout } = await run('pda', [name, '--json'], { DATABASE_URL: url, PORT: '0' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^\{.*\}\n$/) });
    expect(await applied()).toEqual(before);
  });

  test('pda migrate applies it, and then commands read', async () => {
    expect((await run('pda', ['migrate'], { DATABASE_URL: url })).status).toBe(0);
    expect(await run('pda', ['keys', 'list', '--json'], { DATABASE_URL: url })).toMatchObject({
      status: 0,
      stdout: '[]\n',
    });
  });
});

test('an empty database stays empty', async () => {
  const { url, drop } = await makeEmptyDatabase('single');
  onTestFinished(drop);
  const { status, stderr } = await run('pda', ['keys', 'list'], { DATABASE_URL: url });
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('run `pda migrate` first') });
  const database = openPostgres({ url, poolSize: 1, purpose: 'bulk' });
  const tables = await database.query("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace");
  await database.close();
  expect(tables).toEqual([]);
});

describe('without a data folder', () => {
  const parent = mkdtempSync(join(tmpdir(), 'pda-reading-'));
  const DATA_DIR = join(parent, 'data');
  afterAll(() => rmSync(parent, { recursive: true }));

  test.each([
    [['keys', 'list']],
    [['import', 'package.json', '--merchant', 'A Shop', '--dry-run']],
  ])('pda %j says what to do, and creates none', async (words) => {
    const { status, stdout, stderr } = await run('pda', words, { DATA_DIR });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('run `pda migrate` first');
    expect(existsSync(DATA_DIR)).toBe(false);
  });
});
