/** The command line as operators and scripts use it: real processes on a database of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PLAN_IDS } from '../../src/access/plans.ts';
import { createProgram } from '../../src/cli/program.ts';
import type { Database } from '../../src/database/database.ts';
import { decodeId } from '../../src/values/id.ts';
import { leavesOf } from '../harness/commands.ts';
import { makeEmptyDatabase } from '../harness/database.ts';
import { makeHome } from '../harness/home.ts';
import { folderForFile, forFile } from '../harness/lifetime.ts';
import { run } from '../harness/process.ts';
import { hasTerminals, showOnTerminal } from '../harness/terminal.ts';

// In test/embedded and test/first-start.test.ts, commands use the embedded database.

const pda = (words: string[], input?: string) => run('pda', words, home.environment, input);
const json = async (...words: string[]) => {
  const { status, stdout, stderr } = await pda([...words, '--json']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
};
const file = (name: string, text: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const withDatabase = (work: (database: Database) => Promise<unknown>) => home.within(work);
const HEADER = 'id\ttitle\tlink\tprice\tavailability\tgtin\n';
const row = (id: string, price = '1.00 EUR', gtin = '') =>
  `${id}\tThing ${id}\thttps://x.example/${id}\t${price}\tin stock\t${gtin}\n`;

const docs = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');

const program = await createProgram();

const folder = folderForFile('pda-cli-');
const home = await forFile(makeHome());

describe.each(leavesOf(program).map((leaf) => [leaf.words.join(' '), leaf] as const))('pda %s', (name, {
  words,
  command,
}) => {
  test('has help with an example', async () => {
    const { status, stdout } = await pda([...words, '--help']);
    expect(status).toBe(0);
    expect(stdout).toMatch(new RegExp(`Example:\\n(.*\\n)*? {2}.*pda ${name}`));
  });

  test('has a --json option, and its help describes the output', () => {
    expect(command.options.find(({ long }) => long === '--json')?.description).toMatch(/^print (a list|\{|an object)/);
  });

  test('is in the documentation with an example of its JSON', () => {
    expect(docs).toContain(`| \`pda ${name}`);
    expect(docs).toMatch(new RegExp(`^pda ${name}( .*)? --json\\n[[{]`, 'm'));
  });
});

describe('help', () => {
  test('lists all commands alike, whether or not they are loaded', async () => {
    expect((await createProgram([])).helpInformation()).toBe(program.helpInformation());
  });

  test.each([[[]], [['keys']]])('of pda %j shows an example', async (words) => {
    expect((await pda([...words, '--help'])).stdout).toMatch(/Example:\n {2}\$ pda /);
  });
});

describe('colours', () => {
  const BOLD = '\x1b[1m';
  test.each([
    ['are not written to a pipe', {}, false],
    ['are written to a pipe with FORCE_COLOR', { FORCE_COLOR: '1' }, true],
    ['are never written with NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    ['are not written with FORCE_COLOR=0', { FORCE_COLOR: '0' }, false],
  ])('%s', async (_where, environment, isColoured) => {
    for (const words of [['keys', 'list'], ['--help']]) {
      const { stdout } = await run('pda', words, { ...home.environment, ...environment });
      expect(stdout.includes(BOLD)).toBe(isColoured);
    }
  });

  test.runIf(hasTerminals)('and progress bars are written to a terminal', async () => {
    const { environment } = home;
    const made = await json('keys', 'create', '--name', 'seen', '--plan', 'free');
    const command = `${process.execPath} dist/pda.js`;
    expect(await showOnTerminal(`${command} usage ${made.id}`, environment)).toContain(BOLD);
    expect(await showOnTerminal(`${command} usage`, { ...environment, NO_COLOR: '1' })).not.toContain(BOLD);
    const feed = file('terminal.tsv', HEADER + row('a'));
    const imported = await showOnTerminal(`${command} import ${feed} --merchant Terminal`, environment);
    expect(imported).toMatch(/Importing .*%/);
    expect(imported).toContain('1 row read');
  });
});

describe('usage', () => {
  test('is listed by day, with bars on a terminal and as plain numbers elsewhere', async () => {
    const { id } = await json('keys', 'create', '--name', 'daily', '--plan', 'starter');
    await withDatabase((database) =>
      database.query(
        `INSERT INTO usage_counter (key_id, month, quota, used, granted, day_starts)
         VALUES ($1, '2026-01', 10000, 60, 1, '{0,20,NULL,50}')`,
        [decodeId('key', id)],
      ),
    );
    const [usage] = await json('usage', id, '--month', '2026-01');
    expect(usage).toMatchObject({ month: '2026-01', used: 60, remaining: 9_940 });
    expect(usage.days).toHaveLength(31);
    expect(usage.days.slice(0, 5).map(({ used }: { used: number }) => used)).toEqual([20, 30, 0, 10, 0]);
    const { stdout } = await pda(['usage', id, '--month', '2026-01']);
    expect(stdout).toMatch(/^2026-01-02 +30$/m);
    expect(stdout).not.toMatch(/[█▁]/);
    if (!hasTerminals) return;
    const shown = await showOnTerminal(`${process.execPath} dist/pda.js usage ${id} --month 2026-01`, {
      ...home.environment,
      NO_COLOR: '1',
    });
    expect(shown).toMatch(/2026-01-02 +30 +█{50}\s/);
    expect(shown).toMatch(/2026-01-03 +0 *\r/);
  });

  test('is refused for two different keys', async () => {
    const { status, stderr } = await pda(['usage', 'key_1', '--key', 'key_2']);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'The command names two keys, key_1 and key_2. Give only one.\n',
    });
  });
});

describe('keys', () => {
  test('are created, shown, moved to another plan, rotated and revoked', async () => {
    const made = await json(
      'keys',
      'create',
      '--name',
      'A client',
      '--plan',
      'starter',
      '--rate-limit',
      '5',
      '--expires',
      '2999-12-31',
    );
    expect(made).toEqual({
      id: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^pda_\w{38}$/),
      plan: 'starter',
      name: 'A client',
    });
    const shown = await json('keys', 'show', made.id);
    expect(shown).toMatchObject({
      id: made.id,
      name: 'A client',
      plan: 'starter',
      rateLimit: 5,
      expiresAt: '3000-01-01T00:00:00.000Z',
    });
    expect(await json('keys', 'set-plan', made.id, 'pro')).toMatchObject({ plan: 'pro' });
    const limits = ['--quota', '250000', '--rate-limit', 'plan', '--expires', 'never'];
    const limited = await json('keys', 'set-limits', made.id, ...limits);
    expect(limited).toMatchObject({ monthlyQuota: 250_000 });
    expect([limited.rateLimit, limited.expiresAt]).toEqual([undefined, undefined]);
    const rotated = await json('keys', 'rotate', made.id, '--grace', '2');
    expect(rotated.id).toBe(made.id);
    expect(rotated.key).not.toBe(made.key);
    expect(await json('usage', '--key', made.id)).toEqual([
      {
        id: made.id,
        name: 'A client',
        plan: 'pro',
        month: expect.any(String),
        used: 0,
        quota: 250_000,
        remaining: 250_000,
        days: expect.arrayContaining([{ day: new Date().toISOString().slice(0, 10), used: 0 }]),
      },
    ]);
    expect(await json('keys', 'revoke', made.id)).toMatchObject({ revokedAt: expect.any(String) });
    expect((await json('keys', 'list')).map(({ id }: { id: string }) => id)).toContain(made.id);
  });

  test('are printed only once, with the advice to store them', async () => {
    const { stdout } = await pda(['keys', 'create', '--name', 'x', '--plan', 'free']);
    expect(stdout).toMatch(/^pda_\w{38}\n[\s\S]*shown only once/);
    expect((await pda(['keys', 'list'])).stdout).not.toMatch(/pda_\w{38}/);
  });

  test('are listed with their last day, in the form of --expires', async () => {
    await pda(['keys', 'create', '--name', 'until', '--plan', 'free', '--expires', '2999-12-31']);
    expect((await pda(['keys', 'list'])).stdout).toContain('until 2999-12-31');
  });
});

describe('import', () => {
  test('reads times without a zone in that of the market', async () => {
    const sale = '\tsale_price\tsale_price_effective_date';
    const period = '\t0.50 EUR\t2026-01-01T00:00/2026-01-02T00:00';
    const header = HEADER.replace('\n', `${sale}\n`);
    const feed = file('sale.tsv', `${header}${row('s').replace('\n', `${period}\n`)}`);
    const untilIn = async (zone: string | undefined, merchant: string) => {
      const environment = { ...home.environment, ...(zone && { MARKET_TIME_ZONE: zone }) };
      const words = ['import', feed, '--merchant', merchant, '--observed-at', '2026-01-01T12:00:00Z'];
      expect((await run('pda', words, environment)).status).toBe(0);
      const untilOf = 'SELECT offer.sale_until FROM offer JOIN merchant ON merchant.id = merchant_id WHERE name = $1';
      const rows = await home.within((database) => database.query<{ sale_until: Date }>(untilOf, [merchant]));
      return rows.map(({ sale_until }) => sale_until.toISOString());
    };
    expect(await untilIn(undefined, 'Berlin')).toEqual(['2026-01-01T23:00:00.000Z']);
    expect(await untilIn('America/New_York', 'New York')).toEqual(['2026-01-02T05:00:00.000Z']);
  });

  test('prints the counts as JSON, and writes the rejected rows', async () => {
    const rejects = join(folder, 'rejects.jsonl');
    const feed = file('a.tsv', HEADER + row('a') + row('b', 'free') + row('c', '2.00 EUR', '4006381333931'));
    expect(await json('import', feed, '--merchant', 'A', '--rejects', rejects)).toEqual({
      read: 3,
      new: 2,
      changed: 0,
      same: 0,
      withdrawn: 0,
      rejected: 1,
      reasons: { invalid_price: 1 },
      rejectsNotWritten: 0,
    });
    expect(JSON.parse(readFileSync(rejects, 'utf8'))).toMatchObject({ line: 3, id: 'b', reason: 'invalid_price' });
    // The next import rejects nothing, so the list of the previous one is removed.
    const clean = file('a-clean.tsv', HEADER + row('a') + row('c', '2.00 EUR', '4006381333931'));
    await json('import', clean, '--merchant', 'A', '--rejects', rejects);
    expect(existsSync(rejects)).toBe(false);
  });

  test('refuses a feed that exceeds a limit, names the option, and changes nothing', async () => {
    const rejects = join(folder, 'limits.jsonl');
    const feed = file('limits.tsv.gz', gzipSync(HEADER + Array.from({ length: 300 }, (_, n) => row(`${n}`)).join('')));
    const imported = (...words: string[]) =>
      pda(['import', feed, '--merchant', 'Limits', '--rejects', rejects, ...words]);
    const large = await imported('--max-bytes', '10KiB');
    expect([large.status, large.stderr]).toEqual([
      3,
      'the feed is larger than 10 KiB unpacked, so nothing was changed; raise the limit with --max-bytes, or split the feed and import each part with --delta\n',
    ]);
    const long = await imported('--max-rows', '299');
    expect([long.status, long.stderr]).toEqual([
      3,
      'line 301: the feed has more than 299 rows, so nothing was changed; raise the limit with --max-rows, or split the feed and import each part with --delta\n',
    ]);
    await withDatabase(async (database) =>
      expect(await database.query("SELECT FROM merchant WHERE name = 'Limits'")).toEqual([]),
    );
    expect((await imported('--max-bytes', '1 MB', '--max-rows', '300')).status).toBe(0);
  });

  test('writes at most --max-rejects rejected rows, and counts the others', async () => {
    const feed = file(
      'rejected.tsv',
      HEADER + row('a') + ['b', 'c', 'd'].map((id) => row(id, 'free')).join('') + row('a'),
    );
    const of = async (most: string) => {
      const rejects = join(folder, `most-${most}.jsonl`);
      const words = ['import', feed, '--merchant', 'Rejected', '--rejects', rejects, '--max-rejects', most];
      const { rejected, reasons, rejectsNotWritten } = await json(...words);
      expect([rejected, reasons]).toEqual([4, { invalid_price: 3, duplicate_id: 1 }]);
      const lines = existsSync(rejects) ? readFileSync(rejects, 'utf8').split('\n').length - 1 : 0;
      return { lines, rejectsNotWritten, said: (await pda(words)).stdout };
    };
    expect(await of('4')).toMatchObject({ lines: 4, rejectsNotWritten: 0 });
    expect(await of('3')).toMatchObject({ lines: 3, rejectsNotWritten: 1 });
    const two = await of('2');
    expect(two).toMatchObject({ lines: 2, rejectsNotWritten: 2 });
    expect(two.said).toContain(`2 of them listed in ${join(folder, 'most-2.jsonl')}, 2 not written (--max-rejects)`);
    expect(await of('0')).toMatchObject({
      lines: 0,
      rejectsNotWritten: 4,
      said: expect.stringContaining('none written'),
    });
  });

  test.each([
    ['--max-bytes', '0'],
    ['--max-bytes', '2  GiB'],
    ['--max-bytes', '1.5GiB'],
    ['--max-bytes', '2gigs'],
    ['--max-bytes', '-1'],
    ['--max-bytes', '9999999TiB'],
    ['--min-free', 'all'],
    ['--max-rows', '0'],
    ['--max-rows', '1e6'],
    ['--max-rows', '3000000000'],
    ['--max-rejects', '-1'],
    ['--max-rejects', '10k'],
  ])('names the valid values if %s is %s', async (option, value) => {
    const { status, stderr } = await pda(['import', '-', '--merchant', 'A', option, value], '');
    expect(status).toBe(2);
    expect(stderr).toMatch(new RegExp(`^${option} must be .*; got ${value}\\.\n$`));
  });

  test('reads standard input, and reports the result to people', async () => {
    const { status, stdout } = await pda(
      ['import', '-', '--merchant', 'Stdin', '--merchant-url', 'https://x.example'],
      HEADER + row('a'),
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/1 row read\nOffers: 1 new, 0 changed, 0 unchanged, 0 withdrawn/);
  });

  test('accepts archived feeds, delta feeds, dry runs and --force', async () => {
    const full = file('b.tsv', HEADER + row('a') + row('b') + row('c'));
    const less = file('less.tsv', HEADER + row('a', '3.00 EUR'));
    await json('import', full, '--merchant', 'B', '--observed-at', '2026-01-01');
    expect(
      await json('import', less, '--merchant', 'B', '--delta', '--observed-at', '2026-01-02T00:00:00Z'),
    ).toMatchObject({ changed: 1, withdrawn: 0 });
    const refused = await pda(['import', less, '--merchant', 'B']);
    expect(refused.status).toBe(3);
    expect(refused.stderr).toContain('--force');
    expect(await json('import', less, '--merchant', 'B', '--force', '--dry-run')).toMatchObject({ withdrawn: 2 });
    expect(await json('import', less, '--merchant', 'B', '--force')).toMatchObject({ withdrawn: 2 });
  });

  test('refuses a rejects file that cannot be written, before anything is changed', async () => {
    const feed = file('r.tsv', HEADER + row('a'));
    for (const rejects of [join(folder, 'missing', 'r.jsonl'), folder, feed]) {
      const { status, stdout, stderr } = await pda(['import', feed, '--merchant', 'R', '--rejects', rejects]);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain('--rejects');
    }
    expect(await json('import', feed, '--merchant', 'R')).toMatchObject({ new: 1 });
  });

  test('loads a taxonomy', async () => {
    const taxonomy = file('t.txt', '1 - A\n2 - A > B\n');
    expect(await json('taxonomy', taxonomy)).toEqual({ read: 2, new: 2, changed: 0, same: 0 });
  });
});

test('migrate lists the migrations that it applied, and none the second time', async () => {
  const { url, drop } = await makeEmptyDatabase('single');
  onTestFinished(drop);
  const environment = { DATABASE_URL: url };
  const first = await run('pda', ['migrate', '--json'], environment);
  expect(JSON.parse(first.stdout).applied.length).toBeGreaterThan(0);
  const second = await run('pda', ['migrate', '--json'], environment);
  expect(JSON.parse(second.stdout)).toEqual({ applied: [] });
});

describe('the exit status', () => {
  test.each([
    [2, ['nothing'], /unknown command/],
    [2, ['keys', 'create', '--name', 'x'], /--plan/],
    [2, ['keys', 'create', '--name', 'x', '--plan', 'gold'], new RegExp(PLAN_IDS.join(', '))],
    [2, ['keys', 'create', '--name', 'x', '--plan', 'pro', '--expires', '2001-01-01'], /is in the past/],
    [2, ['keys', 'create', '--name', 'x', '--plan', 'pro', '--expires', '2030-02-31'], /must be a day/],
    [2, ['keys', 'create', '--name', 'x', '--plan', 'pro', '--rate-limit', '0'], /from 1 to 999999999/],
    [2, ['keys', 'set-limits', 'key_1'], /names no limit: add --rate-limit/],
    [2, ['keys', 'set-limits', 'key_1', '--quota', '-1'], /from 0 \(unlimited\) to 999999999/],
    [2, ['usage', '--month', '2030-13'], /not a month/],
    [2, ['import', 'x', '--merchant', 'A', '--observed-at', 'yesterday'], /not a time/],
    [2, ['import', 'x', '--merchant', 'A', '--observed-at', '0000-12-31'], /not a time/],
    [2, ['import', 'x', '--merchant', 'A', '--observed-at', '2999-01-01'], /future/],
    [2, ['import', 'x', '--merchant', 'A', '--observed-at', '2026-02-31'], /not a time/],
    [2, ['audit', '--since', '2026-02-31'], /not a time/],
    [2, ['import', 'x', '--merchant', 'A', '--observed-at', '2026-02-31T10:00:00+02:00'], /not a time/],
    [3, ['import', '/nowhere/feed.xml', '--merchant', 'A'], /^\/nowhere\/feed.xml cannot be read: no such file/],
    [3, ['import', 'ftp://me:secret@shop.example/feed', '--merchant', 'A'], /not fetched by ftp.*http:\/\//],
    [3, ['import', 'file:///srv/feed.xml', '--merchant', 'A'], /not fetched by file.*a path/],
    [3, ['taxonomy', '/nowhere/taxonomy.txt'], /^\/nowhere\/taxonomy.txt cannot be read: no such file/],
    [3, ['articles', '/nowhere'], /^\/nowhere cannot be read: no such file/],
    [4, ['keys', 'show', 'key_zzz'], /No key has the id key_zzz/],
    [4, ['usage', '--key', 'nothing'], /No key has the id nothing/],
  ])('is %i for pda %j, with a sentence that says what to do', async (expected, words, message) => {
    const { status, stdout, stderr } = await pda(words);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect({ status, stdout }).toEqual({ status: expected, stdout: '' });
  });

  test('is 2 for an invalid environment variable', async () => {
    const { status, stderr } = await run('pda', ['keys', 'list'], { ...home.environment, MARKET_CURRENCY: 'EURO' });
    expect(status).toBe(2);
    expect(stderr).toMatch(/MARKET_CURRENCY/);
  });

  test('is 2 for an unusable data folder', async () => {
    const { status, stderr } = await run('pda', ['migrate'], { DATA_DIR: join(file('a-file', ''), 'data') });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^The data folder .* cannot be used .*DATA_DIR/);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  test('is 5 when the database cannot be reached, and the message has no password', async () => {
    const { status, stderr } = await run('pda', ['keys', 'list'], {
      DATABASE_URL: 'postgresql://user:hunter2@127.0.0.1:1/x',
    });
    expect(status).toBe(5);
    expect(stderr).toMatch(/PostgreSQL at 127\.0\.0\.1:1\/x cannot be used: .*DATABASE_URL/);
    expect(stderr).not.toContain('hunter2');
  });

  test('is 5 when the server has no such database or user', async () => {
    const server = new URL(home.environment.DATABASE_URL ?? '');
    const noDatabase = new URL(server);
    noDatabase.pathname = '/pda_no_such_database';
    const noUser = new URL(server);
    noUser.username = 'pda_no_such_user';
    for (const url of [noDatabase, noUser]) {
      const { status, stderr } = await run('pda', ['keys', 'list'], { DATABASE_URL: url.href });
      expect(stderr).toMatch(/cannot be used: .*pda_no_such/);
      expect(status).toBe(5);
    }
  });

  test('is 3 for a feed that cannot be read, without blaming the database', async () => {
    for (const feed of ['http://127.0.0.1:1/feed', 'http://no-such-shop.invalid/', '/nowhere/feed.xml', folder]) {
      const words = ['import', feed, '--merchant', 'A', '--allow-private', '--dry-run'];
      const { status, stderr } = await pda(words);
      expect(stderr).not.toMatch(/PostgreSQL|DATABASE_URL/);
      expect({ status, named: stderr.startsWith(feed) }).toEqual({ status: 3, named: true });
    }
  });

  test('is 0 when the reader of the output closes it early, as `head` does', async () => {
    const child = spawn(process.execPath, ['dist/pda.js', 'keys', 'list', '--json'], {
      cwd: join(import.meta.dirname, '..', '..'),
      env: { PATH: process.env.PATH, ...home.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    child.stdout.destroy();
    const [status] = await once(child, 'close');
    expect({ status, said }).toEqual({ status: 0, said: '' });
  });
});
