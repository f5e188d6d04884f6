/** A folder for an embedded database, and what a test needs to look at its server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterIn } from '../../src/database/embedded/cluster.ts';
import { processOf } from '../../src/database/embedded/server.ts';
import { eventually } from './eventually.ts';
import { isAlive, type Outcome, runApart, type ServerProcess, startServerProcess } from './process.ts';

export type EmbeddedFolder = ReturnType<typeof makeEmbeddedFolder>;

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
