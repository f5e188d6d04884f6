/** A separate PostgreSQL server for a test, which can be killed, restarted, copied and promoted, and is removed afterwards. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { freemem, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findPrograms, makeRunnable } from '../../src/database/embedded/programs.ts';
import { chooseUser } from '../../src/database/embedded/run-as.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { eventually } from './eventually.ts';

export interface PostgresServer {
  /** The URL of its database `postgres`, which is empty at first. */
  url: string;
  port: number;
  /** Its data folder. */
  folder: string;
  /** Starts it, and waits until it accepts connections. */
  start(): Promise<void>;
  /** `fast` ends all sessions and shuts down; `immediate` leaves recovery to the next start. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Ends the server and all its processes at once, as a power cut does. */
  kill(): Promise<void>;
  /** Stops all its processes without ending them, as a machine that hangs does. */
  pause(): void;
  resume(): void;
  /** Starts a streaming replica of it. @param settings lines for its `postgresql.conf`. */
  replica(settings?: readonly string[]): Promise<PostgresServer>;
  /** Promotes a replica to a primary, and waits until it accepts writes. */
  promote(): Promise<void>;
  /** Ends it and deletes its data. */
  remove(): Promise<void>;
}

/** The programs of the package, or Debian's if the run uses a server of its own, which may have other extensions (Citus). */
const PROGRAMS = ((): { postgres: string; initdb: string; env: Record<string, string> } => {
  const root = '/usr/lib/postgresql';
  const versions = process.env.TEST_DATABASE_URL !== undefined && existsSync(root) ? readdirSync(root) : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(root, version, 'bin'));
  const folder = newest.find((each) => existsSync(join(each, 'initdb')));
  if (folder !== undefined) return { postgres: join(folder, 'postgres'), initdb: join(folder, 'initdb'), env: {} };
  const programs = findPrograms();
  return { ...programs, env: makeRunnable(programs, join(tmpdir(), 'pda-postgres-lib')) };
})();

/**
 * Creates a server on a free port and starts it.
 * @param settings lines for its `postgresql.conf`.
 * @param icuLocale the order of texts; that of their bytes by default.
 * @param parent the folder in which its folder is made.
 */
export async function startPostgresServer(
  settings: readonly string[] = [],
  { icuLocale, parent = tmpdir() }: { icuLocale?: string; parent?: string } = {},
): Promise<PostgresServer> {
  const home = makeFolder(parent);
  const order = icuLocale === undefined ? [] : ['--locale-provider=icu', `--icu-locale=${icuLocale}`];
  home.run(home.programs.initdb, ['-D', home.folder, ...INITDB, ...order]);
  return startIn(home, settings);
}

const INITDB = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];

/** Ends a server and deletes its folder when this process ends, also by SIGKILL: a pipe to the shell that does so then closes. */
function endWithThisProcess(server: number, folder: string): void {
  const script = 'cat; [ "$(head -n 1 "$2/postmaster.pid")" = "$1" ] && kill -QUIT "$1" && sleep 1; rm -rf "$2"';
  const guard = spawn('sh', ['-c', script, 'sh', String(server), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  (guard.stdin as Socket).unref();
}

async function startIn(home: Folder, settings: readonly string[]): Promise<PostgresServer> {
  const { folder, programs } = home;
  const port = await freePort();
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const lines = [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    'wal_level = replica',
    'max_wal_senders = 5',
    // A replica needs the log from the start of its copy.
    'wal_keep_size = 256MB',
    'hot_standby = on',
    // A replica waits for the queries of a test instead of ending them.
    'max_standby_streaming_delay = -1',
    // Containers have little shared memory of the default kind.
    'dynamic_shared_memory_type = mmap',
    'shared_buffers = 32MB',
    ...settings,
  ];
  writeFileSync(join(folder, 'postgresql.auto.conf'), `${lines.join('\n')}\n`, { flag: 'a' });
  let child: ChildProcess | undefined;

  const isOpen = async () => {
    const database = openPostgres({ url, poolSize: 1 });
    try {
      return (await database.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby'))[0];
    } catch {
      return undefined;
    } finally {
      await database.close();
    }
  };
  const end = async (name: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(name);
    await ended;
  };

  const signalAll = (name: NodeJS.Signals) => {
    if (child?.pid === undefined) return;
    for (const pid of [child.pid, ...childrenOf(child.pid)]) signal(pid, name);
  };

  const server: PostgresServer = {
    url,
    port,
    folder,
    async start() {
      child = home.start(programs.postgres, ['-D', folder]);
      if (child.pid !== undefined) endWithThisProcess(child.pid, folder);
      const opened = await eventually(isOpen, (row) => row !== undefined || child?.exitCode !== null, 60_000);
      if (!opened) throw new Error(`The PostgreSQL server in ${folder} did not start.`);
    },
    stop: (mode) => end(mode === 'fast' ? 'SIGINT' : 'SIGQUIT'),
    async kill() {
      const backends = child?.pid === undefined ? [] : childrenOf(child.pid);
      await end('SIGKILL');
      for (const pid of backends) signal(pid, 'SIGKILL');
    },
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    async replica(extra = []) {
      const copy = makeFolder(dirname(folder));
      const label = await backUp(url, () => copy.run('cp', ['-a', `${folder}/.`, copy.folder]));
      rmSync(join(copy.folder, 'postmaster.pid'));
      writeFileSync(join(copy.folder, 'backup_label'), label);
      writeFileSync(join(copy.folder, 'standby.signal'), '');
      return startIn(copy, [`primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'`, ...extra]);
    },
    async promote() {
      const database = openPostgres({ url, poolSize: 1, purpose: 'bulk' });
      await database.query('SELECT pg_promote()');
      await database.close();
    },
    async remove() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

interface Folder {
  folder: string;
  programs: typeof PROGRAMS;
  /** Starts a program as the user that PostgreSQL runs as. */
  start(program: string, words: readonly string[]): ChildProcess;
  /** Runs one to its end. */
  run(program: string, words: readonly string[]): void;
}

const ENOUGH_MEMORY = 4 * 1024 ** 3;

/** A folder in memory, where the system has one and enough of it; otherwise that for temporary files. */
export function memoryFolder(): string {
  const folder = '/dev/shm';
  if (!existsSync(folder) || freemem() < ENOUGH_MEMORY) return tmpdir();
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < ENOUGH_MEMORY ? tmpdir() : folder;
}

function makeFolder(parent: string): Folder {
  const folder = join(parent, `pda-postgres-${randomBytes(6).toString('hex')}`);
  const env = { PATH: process.env.PATH ?? '', ...PROGRAMS.env };
  const { prefix, user } = chooseUser(folder, PROGRAMS.postgres, env);
  mkdirSync(folder, { mode: 0o700 });
  if (user) chownSync(folder, user.uid, user.gid);
  const wordsOf = (program: string, words: readonly string[]) => {
    const [file = '', ...all] = [...prefix, program, ...words];
    return [file, all] as const;
  };
  return {
    folder,
    programs: PROGRAMS,
    start: (program, words) => spawn(...wordsOf(program, words), { stdio: 'ignore', env, cwd: '/', ...user }),
    run(program, words) {
      execFileSync(...wordsOf(program, words), { stdio: ['ignore', 'ignore', 'pipe'], env, cwd: '/', ...user });
    },
  };
}

/** Runs `copy` while the files of a server may be copied. @returns the label of the copy, from which it recovers. */
async function backUp(url: string, copy: () => void): Promise<string> {
  const database = openPostgres({ url, poolSize: 1, purpose: 'bulk' });
  try {
    return await database.transaction(async (session) => {
      await session.query("SELECT pg_backup_start('replica', true)");
      copy();
      const [row] = await session.query<{ label: string }>('SELECT labelfile AS label FROM pg_backup_stop(false)');
      return row?.label ?? '';
    });
  } finally {
    await database.close();
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has noticed the end of its server and exited.
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
