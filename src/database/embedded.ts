/**
 * The embedded home of the data: PGlite, PostgreSQL in WebAssembly, inside this process, in one folder that this process
 * alone may open. Other processes of the same user come in by the door.
 */
import { existsSync, fdatasyncSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PGlite, types } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { Database, Queryable } from './database.ts';
import { serveDoor } from './door-server.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';

const parsers = { [types.INT8]: BigInt, [types.DATE]: String };

/**
 * Opens the embedded database in `folder`, making it on the first use.
 *
 * @throws {FolderInUse} when another process holds the folder.
 */
export async function openEmbedded(folder: string): Promise<Database> {
  const home = resolve(folder);
  let opened: (database: Database) => void = () => {};
  const ready = new Promise<Database>((resolveReady) => {
    opened = resolveReady;
  });
  const lock = await lockFolder(home, (visitor) => serveDoor(visitor, ready));
  try {
    const pglite = await openDurable(join(home, 'pg'));
    const database = overPglite(pglite, `embedded database in ${folder}`, lock);
    opened(database);
    return database;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** An embedded database in memory, gone with the process; `image` is a folder image from {@link imageOf}. */
export async function openInMemory(image?: Blob): Promise<Database & { image(): Promise<Blob> }> {
  const pglite = await PGlite.create({ dataDir: 'memory://', ...(image && { loadDataDir: image }) });
  await pglite.exec(PLANNING);
  return { ...overPglite(pglite, 'embedded database in memory'), image: () => pglite.dumpDataDir('none') };
}

// As for PostgreSQL: what is read is in memory, where an index is the way also to what is not quite rare.
const PLANNING = 'SET random_page_cost = 1.1';

async function openDurable(folder: string): Promise<PGlite> {
  const marker = join(folder, 'PG_VERSION');
  if (!existsSync(marker)) await createWhole(folder);
  // PGlite's own defaults begin with -F, which turns fsync off: an acknowledged count must outlive a power cut.
  const pglite = await PGlite.create({
    dataDir: folder,
    startParams: PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  });
  await syncToDisk(pglite);
  await pglite.exec(PLANNING);
  return pglite;
}

/** A first start that is killed half-way must not leave a half-made folder: it is made aside and moved in one step. */
async function createWhole(folder: string): Promise<void> {
  const aside = `${folder}.creating`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  const pglite = await PGlite.create({ dataDir: aside });
  await pglite.close();
  rmSync(folder, { recursive: true, force: true });
  renameSync(aside, folder);
}

interface MountedStream {
  nfd: number;
}

/** Emscripten's file system over Node's has no fsync of its own: without one, PostgreSQL's reaches no disk. */
async function syncToDisk(pglite: PGlite): Promise<void> {
  const [row] = (await pglite.query<{ data_directory: string }>('SHOW data_directory')).rows;
  const { node } = pglite.Module.FS.lookupPath(row?.data_directory ?? '/', {});
  node.stream_ops.fsync = (stream: MountedStream) => {
    fdatasyncSync(stream.nfd);
    return 0;
  };
}

function overPglite(pglite: PGlite, description: string, lock?: FolderLock): Database {
  return {
    description,
    prismaAdapter: new PrismaPGlite(pglite),
    ...queryable(pglite),
    transaction: <Result>(work: (transaction: Queryable) => Promise<Result>) =>
      pglite.transaction((transaction) => work(queryable(transaction))) as Promise<Result>,
    async close() {
      await pglite.close();
      lock?.release();
    },
  };
}

function queryable(pglite: Pick<PGlite, 'query' | 'exec'>): Queryable {
  return {
    async query<Row>(sql: string, parameters: readonly unknown[] = []) {
      return (await pglite.query<Row>(sql, [...parameters], { parsers })).rows;
    },
    async script(sql) {
      await pglite.exec(sql);
    },
  };
}
