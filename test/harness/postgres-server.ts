/** A separate PostgreSQL server for a test, which can be killed, restarted, copied and promoted, and is removed afterwards. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** The folder of PostgreSQL's programs. Debian does not put those of a server on the PATH. */
const PROGRAMS = ((): string | undefined => {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(root, version, 'bin')).find((folder) => existsSync(join(folder, 'initdb')));
})();

/** Whether this machine has what {@link startPostgresServer} needs. */
export const hasPostgresPrograms = PROGRAMS !== undefined;

// PostgreSQL refuses to run as root.
const owner = ((): { uid: number; gid: number } | undefined => {
  if (PROGRAMS === undefined || process.getuid?.() !== 0) return undefined;
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
})();

/** Creates a server on a free port and starts it. @param settings lines for its `postgresql.conf`. */
export async function startPostgresServer(settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = makeFolder();
  runProgram('initdb', ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C', '--no-sync']);
  return startIn(folder, settings);
}

async function startIn(folder: string, settings: readonly string[]): Promise<PostgresServer> {
  const port = await freePort();
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const lines = [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    'wal_level = replica',
    'max_wal_senders = 5',
    'hot_standby = on',
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
      child = spawn(programPath('postgres'), ['-D', folder], { stdio: 'ignore', ...owner });
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
      const copy = makeFolder();
      runProgram('pg_basebackup', ['-d', url, '-D', copy, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']);
      return startIn(copy, extra);
    },
    async promote() {
      runProgram('pg_ctl', ['promote', '-D', folder, '-w']);
      await eventually(isOpen, (row) => row?.standby === false, 30_000);
    },
    async remove() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pda-postgres-'));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

function programPath(name: string): string {
  if (PROGRAMS === undefined) throw new Error('This test needs the programs of a PostgreSQL server.');
  return join(PROGRAMS, name);
}

function runProgram(name: string, words: readonly string[]): void {
  execFileSync(programPath(name), words, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/', ...owner });
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
