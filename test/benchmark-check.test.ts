/** The check of the benchmark against a recorded commit: its verdict, its options and its exit status. No test measures a time. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { conclude, judge, LIMIT, type Pair } from '../bench/check/verdict.ts';
import { readCluster } from '../bench/cluster.ts';
import { PARTS, readOptions } from '../bench/options.ts';
import { folderForFile } from './harness/lifetime.ts';
import { has } from './harness/terminal.ts';

const root = join(import.meta.dirname, '..');
const repository = folderForFile('pda-recorded-');
const MISSING = 'deadbeef'.repeat(5);

/** Two turns in which the present version did `speed` times the work of the recorded one per second, and `thrift` times per CPU second. */
const pair = (speed: number, thrift: number | null = speed): Pair => ({
  recorded: { count: 1_000, seconds: 1, cpuSeconds: thrift === null ? undefined : 1 },
  present: { count: 1_000 * speed, seconds: 1, cpuSeconds: thrift === null ? undefined : speed / thrift },
});
const rowOf = (...pairs: Pair[]) => ({ name: 'lookup, cold', unit: 'requests/s', pairs });

test('a row falls short only if both its speed and its work per CPU second are below the limit in most pairs', () => {
  const isShort = (...pairs: Pair[]) => judge(rowOf(...pairs)).isShort;
  expect([isShort(pair(LIMIT)), isShort(pair(LIMIT - 0.001)), isShort(pair(0.8, 1))]).toEqual([false, true, false]);
  expect(isShort(pair(0.3), pair(1), pair(0.99), pair(0.2), pair(1.01))).toBe(false);
  expect(() => judge(rowOf())).toThrow('lookup, cold was not measured');
});

test('the verdict is one line that names the rows that fall short and the commit', () => {
  const rows = [judge(rowOf(pair(1))), judge({ ...rowOf(pair(0.7)), name: 'search' })];
  const commit = '0123456789abcdef'.padEnd(40, '0');
  expect(conclude(rows, commit)).toBe(
    'Failed: 1 of 2 rows are slower than 0.9 × the recorded commit 0123456789: search.',
  );
  expect(conclude(rows.slice(0, 1), commit)).toMatch(/^Passed: /);
});

describe('the options', () => {
  test('are those of the whole comparison by default', () => {
    expect(readOptions([])).toMatchObject({ mode: 'compare', parts: PARTS, products: 200_000, isQuick: false });
  });

  test('select parts in the order of the benchmark', () => {
    expect(readOptions(['--check', '--only', 'imports,lookups']).parts).toEqual(['lookups', 'imports']);
  });

  test('select parts that need more than one server only by their names', () => {
    expect(PARTS).not.toContain('distribution');
    expect(readOptions(['--only', 'distribution'])).toMatchObject({ parts: ['distribution'], products: 20_000 });
  });

  test.each([
    [['--only', 'lookup'], 'got "lookup"'],
    [['--check', '--only', 'distribution'], '--check has no row for distribution'],
    [['--record', '--only', 'lookups,distribution'], '--record has no row for distribution'],
    [['--products', 'many'], 'a whole number from 1000'],
    [['--check', '--record'], 'check first, then record'],
    [['--check', '--quick'], '--check takes only --only and --products'],
    [['--record', '--json', 'x'], '--record takes only --only'],
    [['--record', '--products', '1000'], '--record takes only --only'],
    [['--chekc'], 'The options are --check, --record'],
    [['--help'], 'The options are --check, --record'],
  ])('%j are refused with a message that says what is allowed', (words, message) => {
    expect(() => readOptions(words)).toThrow(message);
  });
});

describe.skipIf(!has('git'))('npm run bench (install git to run these)', () => {
  const file = join(repository, 'bench', 'recorded.json');
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...words], {
      cwd: repository,
      encoding: 'utf8',
    }).trim();
  const commitAll = (subject: string) => {
    git('add', '--all');
    git('commit', '--quiet', '--message', subject);
    return git('rev-parse', 'HEAD');
  };
  const bench = (...words: string[]) =>
    spawnSync(process.execPath, [join(root, 'dist', 'scripts', 'run.js'), ...words], {
      cwd: repository,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, BENCH_DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/postgres' },
    });
  const keep = (recorded: Record<string, string>) => writeFileSync(file, JSON.stringify(recorded));
  const everyPart = (commit: string) => Object.fromEntries(PARTS.map((part) => [part, commit]));

  beforeAll(() => {
    // Also bundles the benchmark for the tests below.
    const { status, stderr } = spawnSync(process.execPath, ['run-script.js', 'bench/run.ts', '--only', 'nothing'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining('got "nothing"')]);
    git('init', '--quiet');
    mkdirSync(join(repository, 'bench'));
  });

  test('--record writes the present commit for every part, or only for the parts of --only', () => {
    keep({});
    const first = commitAll('First');
    expect(bench('--record').status).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(everyPart(first));
    const second = commitAll('Record');
    expect(bench('--record', '--only', 'imports').status).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...everyPart(first), imports: second });
    git('checkout', '--quiet', '.');
  });

  test('--record refuses uncommitted changes, because their version is in no commit', () => {
    keep(everyPart(MISSING));
    const before = readFileSync(file, 'utf8');
    const { status, stderr } = bench('--record');
    expect([status, stderr]).toEqual([2, expect.stringMatching(/Commit or stash.*\n.*recorded\.json/)]);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('--check says how to get a recorded commit that a shallow clone lacks', () => {
    keep(everyPart(MISSING));
    const { status, stderr } = bench('--check');
    expect([status, stderr]).toEqual([2, expect.stringContaining('git fetch --unshallow')]);
    expect(stderr).toContain(MISSING);
  });

  test('--check refuses a file without a full hash for a part', () => {
    keep({ ...everyPart(MISSING), lists: 'HEAD' });
    const { status, stderr } = bench('--check');
    expect([status, stderr]).toEqual([2, expect.stringContaining('"lists"')]);
  });

  test('the part "distribution" says that it needs a cluster', async () => {
    await expect(readCluster(undefined)).rejects.toThrow('BENCH_CLUSTER_URL');
  });

  test('--check says that it needs PostgreSQL', () => {
    keep({});
    keep(everyPart(commitAll('Present')));
    const { status, stderr } = bench('--check');
    expect([status, stderr]).toEqual([2, expect.stringContaining('BENCH_DATABASE_URL')]);
  });
});

test('the project has a recorded commit for every part', () => {
  const recorded = JSON.parse(readFileSync(join(root, 'bench', 'recorded.json'), 'utf8'));
  expect(Object.keys(recorded)).toEqual([...PARTS]);
  for (const commit of Object.values(recorded)) expect(commit).toMatch(/^[0-9a-f]{40}$/);
});
