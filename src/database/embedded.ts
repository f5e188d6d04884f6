/**
 * The embedded database: PGlite, which is PostgreSQL in WebAssembly, runs inside this process on a folder that only this process may
 * open. Other processes of the same user connect through the door.
 */
import { existsSync, fdatasyncSync, mkdirSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PGlite, types } from '@electric-sql/pglite';
import { LOG_SETTINGS, makeCheckpoints } from './checkpoints.ts';
import {
  type Connection,
  type Database,
  DatabaseEnded,
  type Purpose,
  type QueryOptions,
  type TransactionOptions,
  type Writers,
} from './database.ts';
import { serveDoor } from './door-server.ts';
import { stopOnFailure } from './fail-stop.ts';
import { FolderUnusable, lockFolder } from './folder-lock.ts';
import { openPlanCache, type PlanCache } from './plan-cache.ts';
import { openStatementTimeout, type StatementTimeout } from './statement-timeout.ts';
import { openTurns, type Turns } from './turns.ts';
import { openWriters } from './writers.ts';

const parsers = { [types.INT8]: BigInt, [types.DATE]: String };

// Requests are answered within 15 s. PostgreSQL ends their statements after the same time (postgres.ts).
const LONGEST_WAIT_MS = 15_000;
const STATEMENT_TIMEOUT_MS = 4_000;

export interface EmbeddedOptions {
  /** The purpose of statements outside transactions. Those of requests, the default, have a time limit. */
  purpose?: Purpose | undefined;
  /** How long a request's statement may run, in milliseconds. */
  statementTimeoutMs?: number;
  /** How long a request's statement may wait for its turn, in milliseconds. */
  longestWaitMs?: number;
  /** How long a client of the door may leave a transaction open without sending a statement, in milliseconds. */
  doorIdleMs?: number;
  /** Called with a sentence if other users of the machine can change the folder. */
  onShared?: ((warning: string) => void) | undefined;
  /** Called when the watching thread has failed, so that statements of requests no longer have a time limit. */
  onTimeoutLost?: ((error: Error) => void) | undefined;
  /** Called when the database has ended itself. It serves nothing more and recovers when it is reopened. */
  onEnd?: ((error: DatabaseEnded) => void) | undefined;
}

/**
 * Opens the embedded database in `folder`, and creates it on first use.
 *
 * @throws {FolderInUse} when another process holds the folder.
 * @throws {FolderUnusable} when this process lacks access to the folder.
 * @throws {DatabaseEnded} when the database cannot be opened, as on a full disk.
 */
export async function openEmbedded(folder: string, options: EmbeddedOptions = {}): Promise<Database> {
  const home = resolve(folder);
  try {
    return await openHome(home, folder, options);
  } catch (error) {
    if (isRefusedIn(home, error)) throw new FolderUnusable(folder, error);
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    throw new DatabaseEnded(`The disk of ${home} is full: make room, and start again.`, { cause: error });
  }
}

/** Whether a system error concerns the folder, something in it, or one of its parents. */
function isRefusedIn(home: string, error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code = '', path, address } = error as NodeJS.ErrnoException & { address?: string };
  const place = path ?? address;
  const isRefusal = /^(EACCES|EEXIST|ELOOP|ENAMETOOLONG|ENOENT|ENOTDIR|EPERM|EROFS)$/.test(code);
  return isRefusal && place !== undefined && (place.startsWith(home) || home.startsWith(place));
}

async function openHome(home: string, folder: string, options: EmbeddedOptions): Promise<Database> {
  const { purpose = 'requests', statementTimeoutMs = STATEMENT_TIMEOUT_MS, longestWaitMs = LONGEST_WAIT_MS } = options;
  const { doorIdleMs, onShared, onTimeoutLost, onEnd } = options;
  let opened: (database: Database) => void = () => {};
  const ready = new Promise<Database>((resolveReady) => {
    opened = resolveReady;
  });
  const lock = await lockFolder(home, (visitor) => serveDoor(visitor, ready, doorIdleMs), onShared);
  try {
    const { pglite, lastWords } = await openDurable(join(home, 'pg'));
    const failStop = stopOnFailure(pglite, (cause) => onEnd?.(endOf(home, lastWords(), cause)));
    await syncToDisk(pglite);
    await pglite.exec(PLANNING);
    const turns = openTurns(longestWaitMs);
    const writers = openWriters();
    const plans = openPlanCache(pglite);
    const isLimited = purpose === 'requests';
    const timeout = isLimited ? openStatementTimeout(pglite, statementTimeoutMs, onTimeoutLost) : undefined;
    const description = `embedded database in ${folder}`;
    // Commands connect through the door; their statements have no time limit.
    const ofCommands = overPglite(pglite, description, { turns, writers, plans });
    const checkpoints = makeCheckpoints(ofCommands);
    const database: Database = {
      ...(timeout ? overPglite(pglite, description, { turns, writers, plans }, timeout) : ofCommands),
      async close() {
        checkpoints.stop();
        await timeout?.stop();
        if (!failStop.hasEnded()) await pglite.close();
        lock.release();
      },
    };
    opened(ofCommands);
    return database;
  } catch (error) {
    lock.release();
    throw error;
  }
}

// The files are in memory too. To zero the default of 128 MB takes a third of the time of opening.
const SMALL_BUFFERS = ['-c', 'shared_buffers=16MB'];

/** Opens an embedded database in memory. @param image a folder image, as the result's `image()` returns it. */
export async function openInMemory(image?: Blob): Promise<Database & { image(): Promise<Blob> }> {
  const startParams = [...PGlite.defaultStartParams, ...SMALL_BUFFERS];
  const pglite = await PGlite.create({ dataDir: 'memory://', startParams, ...(image && { loadDataDir: image }) });
  await pglite.exec(PLANNING);
  const turns = openTurns(LONGEST_WAIT_MS);
  const database = overPglite(pglite, 'embedded database in memory', {
    turns,
    writers: openWriters(),
    plans: openPlanCache(pglite),
  });
  return { ...database, image: () => pglite.dumpDataDir('none') };
}

// As for PostgreSQL: data is mostly in memory, so an index pays even for less selective conditions.
const PLANNING = 'SET random_page_cost = 1.1';

// An acknowledged count must survive a power cut. PGlite's default parameters include -F, which turns fsync off. PostgreSQL's default
// for its log is fdatasync, which does nothing in Emscripten; only fsync reaches the underlying file system.
const DURABLE_SETTINGS = ['-c', 'wal_sync_method=fsync'];

/** @returns the database, and PostgreSQL's last error message once it has ended itself. */
async function openDurable(folder: string): Promise<{ pglite: PGlite; lastWords(): string | undefined }> {
  const marker = join(folder, 'PG_VERSION');
  if (!existsSync(marker)) await createWhole(folder);
  let lastWords: string | undefined;
  const defaults = PGlite.defaultStartParams.filter((parameter) => parameter !== '-F');
  const opening = PGlite.create({
    dataDir: folder,
    startParams: [...defaults, ...DURABLE_SETTINGS, ...LOG_SETTINGS],
    onStderr(line) {
      if (/\b(PANIC|FATAL): /.test(line)) lastWords = line.replace(/^.*\b(?:PANIC|FATAL): +/, '');
      return false;
    },
  });
  const pglite = await opening.catch((cause: unknown) => {
    throw lastWords === undefined ? cause : endOf(folder, lastWords, cause);
  });
  return { pglite, lastWords: () => lastWords };
}

/** Explains to the operator why the database has ended itself. */
function endOf(folder: string, lastWords: string | undefined, cause: unknown): DatabaseEnded {
  const reason = lastWords ?? (cause instanceof Error ? cause.message : String(cause));
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.floor((bavail * bsize) / (1024 * 1024));
  return new DatabaseEnded(
    `The embedded database has ended itself (${reason}). The disk of ${folder} has ${free} MiB free: ` +
      'make room if that is too little, and start again. All acknowledged data is kept.',
    { cause },
  );
}

/** Creates the folder under another name and renames it, so that a first start that is killed leaves no incomplete folder. */
async function createWhole(folder: string): Promise<void> {
  const aside = `${folder}.creating`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  const pglite = await PGlite.create({ dataDir: aside });
  await pglite.close();
  rmSync(folder, { recursive: true, force: true });
  renameSync(aside, folder);
}

/** Adds fsync to Emscripten's file system over Node's. Without it, PostgreSQL's fsync does not reach the disk. */
async function syncToDisk(pglite: PGlite): Promise<void> {
  const [row] = (await pglite.query<{ data_directory: string }>('SHOW data_directory')).rows;
  const { node } = pglite.Module.FS.lookupPath(row?.data_directory ?? '/', {});
  node.stream_ops.fsync = (stream: { nfd: number }) => {
    fdatasyncSync(stream.nfd);
    return 0;
  };
}

/** @param timeout limits the time of statements outside transactions; without it they have no limit. */
function overPglite(
  pglite: PGlite,
  description: string,
  { turns, writers, plans }: { turns: Turns; writers: Writers; plans: PlanCache },
  timeout?: StatementTimeout,
): Database {
  const asText = keepText(pglite);
  const { query, raw, script } = connection(pglite, asText);
  const inTurn = <Result>(run: () => Promise<Result>, { yields }: QueryOptions = {}) =>
    timeout && !yields ? turns.take(() => timeout.limit(run), { mayExpire: true }) : turns.take(run, { yields });
  return {
    description,
    query: <Row>(sql: string, parameters?: readonly unknown[], options?: QueryOptions) =>
      inTurn(() => query<Row>(sql, parameters), options),
    raw: (sql, parameters, options) => inTurn(() => raw(sql, parameters), options),
    script: (sql, options) => turns.take(() => script(sql), options),
    transaction<Result>(work: (transaction: Connection) => Promise<Result>, options?: TransactionOptions) {
      const run = () => pglite.transaction((transaction) => work(connection(transaction, asText))) as Promise<Result>;
      return turns.take(options?.keepsPlans ? () => plans.keep(run) : run, { yields: options?.yields });
    },
    writers,
    close: () => pglite.close(),
  };
}

/** Parsers that return PostgreSQL's text of a value, for every type that PGlite has a parser for. */
function keepText({ parsers: ofPglite }: PGlite): PGlite['parsers'] {
  const oids = [...Object.values(types), ...Object.keys(ofPglite)];
  return Object.fromEntries(oids.map((oid) => [oid, (text: string) => text]));
}

function connection(pglite: Pick<PGlite, 'query' | 'exec'>, asText: PGlite['parsers']): Connection {
  return {
    async query<Row>(sql: string, parameters: readonly unknown[] = []) {
      return (await pglite.query<Row>(sql, [...parameters], { parsers })).rows;
    },
    async raw(sql, parameters = []) {
      const options = { parsers: asText, rowMode: 'array' } as const;
      const { fields, rows, affectedRows } = await pglite.query<(string | null)[]>(sql, [...parameters], options);
      const columns = fields.map(({ name, dataTypeID }) => ({ name, oid: dataTypeID }));
      return { columns, rows, rowCount: affectedRows || rows.length };
    },
    async script(sql) {
      await pglite.exec(sql);
    },
  };
}
