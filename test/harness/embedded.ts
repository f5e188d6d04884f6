/** A folder for an embedded database, and what a test needs to look at its server. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterIn } from '../../src/database/embedded/cluster.ts';
import { processOf } from '../../src/database/embedded/server.ts';
import { eventually } from './eventually.ts';
import { isAlive, type Outcome, runApart, type ServerProcess, startServerProcess } from './process.ts';

export type EmbeddedFolder = ReturnType<typeof makeEmbeddedFolder>;

let migrated: Promise<string> | undefined;

/** Makes a data folder with an empty, migrated database, as a copy of one that the worker process has made. */
export async function makeMigratedFolder(): Promise<EmbeddedFolder> {
  migrated ??= (async () => {
    const { folder, pda } = makeEmbeddedFolder();
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    const { status, stderr } = await pda(['migrate']);
    if (status !== 0) throw new Error(stderr);
    return folder;
  })();
  const home = makeEmbeddedFolder();
  execFileSync('cp', ['-a', `${await migrated}/.`, home.folder]);
  return home;
}

/** Makes an empty data folder. */
export function makeEmbeddedFolder(prefix = 'pda-embedded-') {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const { data, socket, folder: within } = clusterIn(folder);
  const servers: ServerProcess[] = [];
  return {
    folder,
    /** The folder of PostgreSQL's data. */
    data,
    socket,
    within,
    /** The process of the database, if its lock file names one. */
    process: () => processOf(data),
    /** Starts a gateway on it, which is killed by {@link remove}. */
    async start(environment: Record<string, string> = {}, prefix: readonly string[] = []): Promise<ServerProcess> {
      const all = { DATA_DIR: folder, DRAIN_DELAY_SECONDS: '0', ...environment };
      const server = await startServerProcess(all, undefined, prefix);
      servers.push(server);
      return server;
    },
    /** Runs a command on it. */
    pda: (words: readonly string[], environment: Record<string, string> = {}): Promise<Outcome> =>
      runApart('pda', words, { DATA_DIR: folder, ...environment }),
    /** Deletes the database, so that the next start is the first one. */
    clear: () => rmSync(within, { recursive: true }),
    /** Waits until no process of the database is left. @returns whether it is so. */
    isStopped: (withinMs = 30_000) =>
      eventually(
        async () => processOf(data) === undefined,
        (isSo) => isSo,
        withinMs,
      ),
    /** Kills everything that uses it, and deletes it. */
    async remove(): Promise<void> {
      await Promise.all(servers.map((server) => server.kill()));
      const left = processOf(data);
      if (left !== undefined && isAlive(left)) process.kill(left, 'SIGQUIT');
      await eventually(
        async () => left === undefined || !isAlive(left),
        (isSo) => isSo,
      );
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
