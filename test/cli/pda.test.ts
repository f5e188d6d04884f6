/** The command line as an operator and a script meet it: real processes on a folder of their own. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../harness/process.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pda-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pda = (words: string[], input?: string) => run('pda', words, { DATA_DIR: join(folder, 'data') }, input);
const json = async (...words: string[]) => {
  const { status, stdout, stderr } = await pda([...words, '--json']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
};
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const HEADER = 'id\ttitle\tlink\tprice\tavailability\tgtin\n';
const row = (id: string, price = '1.00 EUR', gtin = '') =>
  `${id}\tThing ${id}\thttps://x.example/${id}\t${price}\tin stock\t${gtin}\n`;

describe('help', () => {
  const commands = [
    [],
    ['keys'],
    ['keys', 'create'],
    ['keys', 'list'],
    ['keys', 'show'],
    ['keys', 'revoke'],
    ['keys', 'rotate'],
    ['keys', 'set-plan'],
    ['usage'],
    ['import'],
    ['taxonomy'],
    ['migrate'],
    ['demo'],
  ];
  test.each(
    commands.map((words) => [words.join(' '), words]),
  )('of "pda %s" shows an example, and no stack', async (_name, words) => {
    const { status, stdout } = await pda([...words, '--help']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/Example:\n {2}\$ .*pda /);
  });

  test('stands in the documentation for each command', () => {
    const text = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
    for (const words of commands.filter((each) => each.length > 0)) expect(text).toContain(`pda ${words.join(' ')}`);
  });
});

describe('keys', () => {
  test('are made, shown, moved, rotated and revoked', async () => {
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
        quota: 100_000,
        remaining: 100_000,
      },
    ]);
    expect(await json('keys', 'revoke', made.id)).toMatchObject({ revokedAt: expect.any(String) });
    expect((await json('keys', 'list')).map(({ id }: { id: string }) => id)).toContain(made.id);
  });

  test('are printed once for a person, with the advice to keep them', async () => {
    const { stdout } = await pda(['keys', 'create', '--name', 'x', '--plan', 'free']);
    expect(stdout).toMatch(/^pda_\w{38}\n[\s\S]*shown only now/);
    expect((await pda(['keys', 'list'])).stdout).not.toMatch(/pda_\w{38}/);
  });
});

describe('import', () => {
  test('answers a script with the counts, and writes the rejected rows', async () => {
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
    });
    expect(JSON.parse(readFileSync(rejects, 'utf8'))).toMatchObject({ line: 3, id: 'b', reason: 'invalid_price' });
  });

  test('reads standard input, and tells a person what was done', async () => {
    const { status, stdout } = await pda(
      ['import', '-', '--merchant', 'Stdin', '--merchant-url', 'https://x.example'],
      HEADER + row('a'),
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/1 rows read\nOffers: 1 new, 0 changed, 0 the same, 0 withdrawn/);
  });

  test('takes archived feeds, changes, dry runs and force', async () => {
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

  test('loads a taxonomy', async () => {
    const taxonomy = file('t.txt', '1 - A\n2 - A > B\n');
    expect(await json('taxonomy', taxonomy)).toEqual({ read: 2, new: 2, changed: 0, same: 0 });
  });
});

test('migrate says what it applied, and nothing the second time', async () => {
  const environment = { DATA_DIR: join(folder, 'fresh') };
  const first = await run('pda', ['migrate', '--json'], environment);
  expect(JSON.parse(first.stdout).applied.length).toBeGreaterThan(0);
  const second = await run('pda', ['migrate', '--json'], environment);
  expect(JSON.parse(second.stdout)).toEqual({ applied: [] });
});

describe('the exit status', () => {
  test.each([
    [2, ['nothing'], /unknown command/],
    [2, ['keys', 'create', '--name', 'x'], /--plan/],
    [2, ['keys', 'create', '--name', 'x', '--plan', 'gold'], /free, starter, pro, enterprise/],
    [2, ['keys', 'create', '--name', 'x', '--plan', 'pro', '--expires', '2001-01-01'], /has passed/],
    [2, ['keys', 'create', '--name', 'x', '--plan', 'pro', '--expires', '2030-02-31'], /not a day/],
    [2, ['keys', 'create', '--name', 'x', '--plan', 'pro', '--rate-limit', '0'], /above 0/],
    [2, ['usage', '--month', '2030-13'], /not a month/],
    [2, ['import', 'x', '--merchant', 'A', '--observed-at', 'yesterday'], /not a time/],
    [2, ['import', 'x', '--merchant', 'A', '--observed-at', '2999-01-01'], /future/],
    [3, ['import', '/nowhere/feed.xml', '--merchant', 'A'], /no such file/],
    [3, ['taxonomy', '/nowhere/taxonomy.txt'], /cannot be read/],
    [4, ['keys', 'show', 'key_zzz'], /There is no key key_zzz/],
    [4, ['usage', '--key', 'nothing'], /There is no key/],
  ])('is %i for pda %j, with a sentence that says what to do', async (expected, words, message) => {
    const { status, stdout, stderr } = await pda(words);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect({ status, stdout }).toEqual({ status: expected, stdout: '' });
  });

  test('is 2 for an environment that cannot be used', async () => {
    const { status, stderr } = await run('pda', ['keys', 'list'], { DATA_DIR: folder, MARKET_CURRENCY: 'EURO' });
    expect(status).toBe(2);
    expect(stderr).toMatch(/MARKET_CURRENCY/);
  });

  test('is 5 when the database cannot be reached, and the message has no password', async () => {
    const { status, stderr } = await run('pda', ['keys', 'list'], {
      DATABASE_URL: 'postgresql://user:hunter2@127.0.0.1:1/x',
    });
    expect(status).toBe(5);
    expect(stderr).not.toContain('hunter2');
  });
});
