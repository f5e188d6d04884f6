/**
 * The primary process of workers: prepares the database, starts the workers, keeps their counts, serves the metrics, and stops them.
 * It answers no requests, so nothing that a client sends can stop it.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { openHome } from '../open-home.ts';
import { readImportPosition } from '../operations/import-metrics.ts';
import { type Log, openLog } from '../operations/log.ts';
import { serveMetrics } from '../operations/metrics-server.ts';
import { prepareDatabase } from '../prepare-database.ts';
import { CLOSE_MS } from '../stop-times.ts';
import { type Death, startCrew } from './crew.ts';
import { type Gathered, openGatheredMetrics } from './gathered-metrics.ts';

// A worker that has not stopped by itself this long after its own limit is killed.
const GRACE_MS = 500;

/** Serves until a signal says to stop. */
export async function serveAsPrimary(config: Config): Promise<void> {
  const log = openLog(config.logLevel, true);
  const { description, importsSince } = await prepare(config, log);
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
  log.info({ address: crew.address, database: description, workers: config.workers.count }, 'Listening');

  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) {
      // A second signal: the operator does not want to wait.
      crew.kill();
      process.exit(1);
    }
    isStopping = true;
    log.info({ signal }, 'Stopping');
    const overdue = wait(config.drainDelaySeconds * 1_000 + CLOSE_MS + GRACE_MS).then(() => {
      log.error('Workers that did not stop in time were killed');
      crew.kill();
      return 1;
    });
    void Promise.race([crew.stop(), overdue]).then((status) => process.exit(status));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Migrates the database and checks the rights, once for all workers. Leaves no connection open. */
async function prepare(config: Config, log: Log) {
  const database = await openHome(config, log);
  try {
    await prepareDatabase(database, log);
    return { description: database.description, importsSince: await readImportPosition(database) };
  } finally {
    await database.close();
  }
}

function noteDeath(log: Log, { pid, status, signal, reason }: Death): void {
  const how = { worker: pid, ...(status !== null && { status }), ...(signal !== null && { signal }) };
  log.error({ ...how, ...(reason !== undefined && { reason }) }, 'A worker has ended and is replaced');
}
