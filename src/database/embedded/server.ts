/** The server process of the embedded database: starts it, tells whether it runs, and stops it. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseEnded, EmbeddedUnusable } from '../database.ts';
import type { Cluster } from './cluster.ts';
import { makeRunnable, type Programs } from './programs.ts';
import { chooseUser, type RunAs } from './run-as.ts';

/**
 * The server's settings. Acknowledged data survives a power cut, as by PostgreSQL's defaults. Containers have little shared memory of the
 * default kind. No replica reads its log, so the log needs less.
 */
export const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  dynamic_shared_memory_type: 'mmap',
  ssl: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '256MB',
  // An import of 100,000 new products writes 650 MB.
  max_wal_size: '512MB',
} as const;

/** The program and settings of a server, so that one of another version or with other settings can be told: its `cluster_name`. */
export function identityOf({ postgres, version }: Programs): string {
  const all = JSON.stringify([postgres, version, SETTINGS]);
  return `pda-${createHash('sha256').update(all).digest('hex').slice(0, 16)}`;
}

/** A server that was started. */
export interface Started {
  /** Whether its process has ended. */
  hasEnded(): boolean;
  /** What was written to the log since. */
  said(): string;
}

const LONGEST_LOG = 1024 * 1024;

/** How the programs are run: as which user, and in which environment. */
export interface Launch extends RunAs {
  env: Record<string, string>;
}

/** Finds out how the programs can be run for a cluster that exists. @throws {EmbeddedUnusable} if they cannot. */
export function planLaunch({ folder, libraries }: Cluster, programs: Programs): Launch {
  const env = makeRunnable(programs, libraries);
  return { env, ...chooseUser(folder, programs.postgres, env) };
}

/**
 * Starts the server in a session of its own, so that a terminal's Ctrl-C reaches only its clients, who stop it in their own time. If another
 * process has just started it, this one exits.
 * @param further settings beside {@link SETTINGS}.
 */
export function startServer(
  cluster: Cluster,
  programs: Programs,
  { env, prefix, user }: Launch,
  maxConnections: number,
  further: Readonly<Record<string, string>> = {},
): Started {
  const { data, socket, log } = cluster;
  removeStrangersLocks(cluster);
  // The server takes a relative path from its data folder, so the limit of a socket's path does not matter to it.
  const settings = {
    ...SETTINGS,
    unix_socket_directories: join('..', 'socket'),
    max_connections: String(maxConnections),
    cluster_name: identityOf(programs),
    ...further,
  };
  const words = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const [file = '', ...all] = [...prefix, programs.postgres, ...words];
  // Root may run this in a folder of another user, so no link may lead out of it.
  const output = openSync(
    log,
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
    0o600,
  );
  if (fstatSync(output).nlink > 1) throw new EmbeddedUnusable(`The log ${log} has another name elsewhere: delete it.`);
  if (fstatSync(output).size > LONGEST_LOG) ftruncateSync(output);
  const from = fstatSync(output).size;
  const child = spawn(file, all, { ...user, env, cwd: socket, detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  child.unref();
  let end: string | undefined;
  child.once('exit', () => {
    end = '';
  });
  child.once('error', ({ message }) => {
    end = message;
  });
  return {
    hasEnded: () => end !== undefined,
    said: () => end || (existsSync(log) ? readFileSync(log).subarray(from).toString() : ''),
  };
}

/** The server's process, if it runs or has not cleaned up. */
export function processOf(data: string): number | undefined {
  return processIn(join(data, 'postmaster.pid'));
}

/** The process that a lock file names in its first line. */
function processIn(lockFile: string): number | undefined {
  try {
    const [line = ''] = readFileSync(lockFile, 'utf8').split('\n');
    return /^[1-9]\d*$/.test(line.trim()) ? Number(line) : undefined;
  } catch {
    return undefined; // There is none.
  }
}

/** Whether a process is a server on this data, which is the folder that it works in. True where the system does not tell. */
function isServerOf(data: string, pid: number): boolean {
  if (process.platform !== 'linux') return true;
  try {
    const [its, ours] = [statSync(`/proc/${pid}/cwd`), statSync(data)];
    return its.dev === ours.dev && its.ino === ours.ino;
  } catch (error) {
    // It has ended, or belongs to another user.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

const LONGEST_STOP_MS = 20_000;
const LOOK_EVERY_MS = 10;

/** Ends all sessions, stops the server, and waits until it has written its data and removed its lock file. */
export async function stopServer({ data }: Cluster): Promise<void> {
  const pid = processOf(data);
  if (pid === undefined || !isServerOf(data, pid)) return;
  signal(pid, 'SIGINT');
  const deadline = performance.now() + LONGEST_STOP_MS;
  // Its process may stay as a zombie, if the process that started it is gone and nobody reads its status.
  while (processOf(data) === pid && signal(pid, 0) && performance.now() < deadline) await wait(LOOK_EVERY_MS);
}

/** Sends a signal, or asks with 0 whether the process lives. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false; // It has ended.
  }
}

/**
 * Removes the lock files of a killed server whose process number belongs to another program now, as numbers repeat in containers. PostgreSQL
 * itself only asks whether such a process lives.
 */
function removeStrangersLocks({ data, socket }: Cluster): void {
  for (const file of [join(data, 'postmaster.pid'), join(socket, '.s.PGSQL.5432.lock')]) {
    const pid = processIn(file);
    if (pid !== undefined && !isServerOf(data, pid)) rmSync(file, { force: true });
  }
}

/** Explains to the operator why the server has ended. @param said what it wrote to its log. */
export function endOf({ folder, log }: Cluster, said: string): DatabaseEnded {
  // Its clients were told that it starts or stops, which explains nothing.
  const faults = said.match(/(?<=(?:FATAL|PANIC): +)(?!the database system is|terminating connection).*$/gm);
  const reason = (faults?.at(-1) ?? said.trim().split('\n').at(-1) ?? '').trim();
  const why = `The embedded database has ended (${reason || 'it said nothing'}).`;
  if (!existsSync(folder))
    return new DatabaseEnded(`${why} Its folder ${folder} was removed: put it back, and start again.`);
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.floor((bavail * bsize) / (1024 * 1024));
  return new DatabaseEnded(
    `${why} The disk of ${folder} has ${free} MiB free: make room if that is too little; otherwise see the log ${log}. Then start again.`,
  );
}
