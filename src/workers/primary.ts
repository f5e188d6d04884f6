/**
 * The primary process of workers: prepares the database, starts the workers, keeps their counts, serves the metrics, and stops them.
 * It answers no requests, so nothing that a client sends can stop it.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { mayHaveDemo } from '../demo/may-have-demo.ts';
import { openHome } from '../open-home.ts';
import { readImportPosition } from '../operations/import-metrics.ts';
import { type Log, openLog } from '../operations/log.ts';
import { serveMetrics } from '../operations/metrics-server.ts';
import { packageVersion } from '../package-root.ts';
import { prepareDatabase } from '../prepare-database.ts';
import { CLOSE_MS, openEnd } from '../stopping.ts';
import { type Death, startCrew } from './crew.ts';
import { type Gathered, openGatheredMetrics } from './gathered-metrics.ts';

// A worker that has not stopped by itself this long after its own limit is killed.
const GRACE_MS = 500;

/** Serves until a signal says to stop. */
export async function serveAsPrimary(config: Config): Promise<void> {
  const log = openLog(config.logLevel, true);
  log.info({ version: packageVersion() }, 'Starting');
  const end = openEnd(log, async () => (await opening).close());
  const opening = openHome(config, log, { onEnd: end.fail });
  opening.catch(() => {}); // Awaited below.
  try {
    const database = await opening;
    // Loads the importer only if it may be needed.
    const { setUpDemo } = mayHaveDemo(config) ? await import('../demo/demo.ts') : { setUpDemo: undefined };
    const showKeys = await setUpDemo?.(config, database, log);
    await prepareDatabase(database, log);
    const importsSince = await readImportPosition(database);
    let figures: () => Iterable<Gathered> = () => [];
    const metrics = openGatheredMetrics(() => figures());
    if (config.metricsPort !== undefined) await serveMetrics(metrics, config.metricsPort, config.host);
    const crew = await startCrew(config, {
      importsSince,
      onStart: (worker) => log.info({ worker }, 'A worker is serving'),
      onDeath(death) {
        metrics.workerExits.inc();
        void metrics.retire(death.figures);
        noteDeath(log, death);
      },
    });
    figures = crew.figures;
    // However this process ends, such as by a second signal.
    process.once('exit', crew.kill);
    end.becomes(async (isAtOnce) => {
      if (isAtOnce) return database.close();
      const overdue = wait(config.drainDelaySeconds * 1_000 + CLOSE_MS + GRACE_MS).then(() => {
        throw new Error('a worker did not stop in time and is killed.');
      });
      return Promise.race([crew.stop(), overdue]).finally(() => database.close());
    });
    log.info({ address: crew.address, database: database.description, workers: config.workers.count }, 'Listening');
    await showKeys?.(crew.address);
  } catch (error) {
    if (end.hasStarted()) return;
    await opening.then((database) => database.close());
    throw error;
  }
}

function noteDeath(log: Log, { pid, status, signal, reason }: Death): void {
  const how = { worker: pid, ...(status !== null && { status }), ...(signal !== null && { signal }) };
  log.error({ ...how, ...(reason !== undefined && { reason }) }, 'A worker has ended and is replaced');
}
