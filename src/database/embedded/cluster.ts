/** The folder of the embedded database: PostgreSQL's data, its socket, its log and the password of its only role. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { DatabaseEnded, EmbeddedUnusable } from '../database.ts';
import { MAJOR_VERSION, makeRunnable, type Programs } from './programs.ts';
import { chooseUser, type RunAs } from './run-as.ts';

export interface Cluster {
  /** `DATA_DIR` itself. */
  home: string;
  /** The folder in it that has all of the following, and that only its owner may enter. */
  folder: string;
  data: string;
  socket: string;
  password: string;
  log: string;
  /** Links to libraries, if needed: {@link makeRunnable}. */
  libraries: string;
}

/** The role of the service, which owns the database of the same name. Nobody can sign in as the superuser. */
export const ROLE = 'pda';

/** The cluster in a data folder. */
export function clusterIn(dataDir: string, name = 'postgres'): Cluster {
  const home = resolve(dataDir);
  const folder = join(home, name);
  const within = (file: string) => join(folder, file);
  return {
    home,
    folder,
    data: within('data'),
    socket: within('socket'),
    password: within('password'),
    log: within('log'),
    libraries: within('lib'),
  };
}

// The folder of the embedded database before it was a server.
const FORMER = 'pg';

/** Whether the cluster exists. @throws {EmbeddedUnusable} if it was made by another version. */
export function hasCluster({ home, data }: Cluster): boolean {
  const version = readIfExists(join(data, 'PG_VERSION'))?.trim();
  if (version === MAJOR_VERSION) return true;
  if (version === undefined && !existsSync(join(home, FORMER))) return false;
  const [maker, remedy] =
    version === undefined
      ? ['an earlier engine', 'set DATA_DIR to a new folder, and import the feeds again']
      : [`PostgreSQL ${version}`, 'run `pda backup` with the version that made it, and `pda restore` with this one'];
  throw new EmbeddedUnusable(
    `The data in ${home} is of ${maker}, and this version reads only that of PostgreSQL ${MAJOR_VERSION}: ${remedy}.`,
  );
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error; // Such as a folder that this user may not enter.
  }
}

const STALE_MS = 10 * 60_000;

/**
 * Creates the cluster with an empty database. It is made under another name and renamed, so that a process that is killed leaves no
 * incomplete one, and of several processes that create it at the same time, one succeeds.
 */
export async function createCluster(cluster: Cluster, programs: Programs): Promise<void> {
  makeFolder(cluster.home);
  removeStale(cluster);
  const aside = clusterIn(cluster.home, `${basename(cluster.folder)}.creating-${randomBytes(6).toString('hex')}`);
  try {
    mkdirSync(aside.folder, { mode: 0o700 });
    const environment = makeRunnable(programs, aside.libraries);
    const runAs = chooseUser(cluster.folder, programs.postgres, environment);
    for (const folder of [aside.data, aside.socket]) mkdirSync(folder, { mode: 0o700 });
    const { user } = runAs;
    if (user) for (const folder of [aside.folder, aside.data, aside.socket]) chownSync(folder, user.uid, user.gid);
    const password = randomBytes(24).toString('base64url');
    writeFileSync(aside.password, password, { mode: 0o600, flush: true });
    await run(programs.initdb, ['-D', aside.data, ...INITDB], '', runAs, environment);
    const statements = [`CREATE ROLE ${ROLE} LOGIN PASSWORD '${password}'`, `CREATE DATABASE ${ROLE} OWNER ${ROLE}`];
    await run(
      programs.postgres,
      ['--single', '-D', aside.data, 'template1'],
      statements.join('\n'),
      runAs,
      environment,
    );
    writeFileSync(join(aside.data, 'pg_hba.conf'), `local ${ROLE} ${ROLE} scram-sha-256\n`, { flush: true });
    renameSync(aside.folder, cluster.folder);
    syncFolder(cluster.home);
  } catch (error) {
    const isTaken = /^(EEXIST|ENOTEMPTY)$/.test((error as NodeJS.ErrnoException).code ?? '');
    if (isTaken && !hasCluster(cluster)) {
      throw new EmbeddedUnusable(
        `The folder ${cluster.folder} has no complete database: restore it from a backup, or move it away, and run this again.`,
      );
    }
    if (!isTaken) throw error;
  } finally {
    rmSync(aside.folder, { recursive: true, force: true });
  }
}

// The superuser has no way in: its name is only needed once, in single-user mode.
const INITDB = ['-U', 'postgres', '-A', 'reject', '-E', 'UTF8', '--locale=C'];

/** Runs a program to its end. @throws with what it said, if it failed. */
async function run(
  program: string,
  words: readonly string[],
  input: string,
  { prefix, user }: RunAs,
  env: Record<string, string>,
): Promise<void> {
  const [file = '', ...all] = [...prefix, program, ...words];
  // In a session of its own, as the server: a terminal's Ctrl-C is for the service, which waits for it.
  const child = spawn(file, all, { ...user, env, detached: true, stdio: ['pipe', 'ignore', 'pipe'] });
  child.stdin.on('error', () => {}); // It has ended, and says why.
  child.stdin.end(input);
  const [said, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  const complaint = /^.*(?:ERROR|FATAL|PANIC): .*$/m.exec(said)?.[0];
  if (status === 0 && complaint === undefined) return;
  throw new DatabaseEnded(
    `The embedded database could not be created: ${basename(program)} said "${complaint ?? said.trim().slice(-500)}". ` +
      'Check that the disk of DATA_DIR has room, and start again.',
  );
}

/** Writes the names in a folder to the disk. */
export function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r');
  fsyncSync(opened);
  closeSync(opened);
}

/** Removes what killed processes have left. */
function removeStale({ home, folder }: Cluster): void {
  const prefix = `${basename(folder)}.creating-`;
  for (const name of readdirSync(home)) {
    const path = join(home, name);
    if (!name.startsWith(prefix)) continue;
    const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs; // Its process may have just renamed it.
    if (since === undefined || Date.now() - since < STALE_MS) continue;
    rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Creates a folder and its parents. Node's recursive mkdir loops forever if the system reports a missing folder although its parent
 * exists, as in `/proc`.
 */
function makeFolder(folder: string): void {
  try {
    makeOneFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    if (!existsSync(dirname(folder))) makeFolder(dirname(folder));
    makeOneFolder(folder);
  }
}

function makeOneFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
