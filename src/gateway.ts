/** A gateway from open data to a listening server, and back: what `npm start`, the tests and the benchmarks all start. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { foldNames } from './import/fold-names.ts';
import { openLog } from './operations/log.ts';
import { serveMetrics } from './operations/metrics-server.ts';
import { createGateway } from './server.ts';
import { openServices, type Services } from './services.ts';

export interface Gateway {
  /** Where it listens, such as `http://127.0.0.1:4000`. */
  address: string;
  /** Where the metrics are served, when they are. */
  metricsPort: number | undefined;
  services: Services;
  /** Answers what is under way, for at most ten seconds, then closes everything. */
  stop(): Promise<void>;
}

const DRAIN_MS = 10_000;

/** Migrates the database, opens the services and listens. The gateway owns the database from here on. */
export async function startGateway(
  config: Config,
  database: Database,
  log = openLog(config.logLevel),
): Promise<Gateway> {
  const applied = await migrate(database);
  if (applied.length > 0) log.info({ migrations: applied }, 'The database was migrated');
  await foldNames(database);
  const services = await openServices(config, database, log);
  let isDraining = false;
  const { server, endStreams, settled } = createGateway(services, () => isDraining);
  server.listen(config.port, config.host);
  await once(server, 'listening');
  const metricsServer =
    config.metricsPort === undefined
      ? undefined
      : await serveMetrics(services.metrics, config.metricsPort, config.host);
  const { port } = server.address() as AddressInfo;
  const address = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  if (config.publicUrl === undefined) services.market.publicUrl = address;

  return {
    address,
    metricsPort: metricsServer && (metricsServer.address() as AddressInfo).port,
    services,
    async stop() {
      isDraining = true;
      endStreams();
      await drain(server);
      await Promise.race([settled(), wait(DRAIN_MS, undefined, { ref: false })]);
      metricsServer?.close();
      await services.close();
    },
  };
}

/** Takes no new connections, lets the requests under way end, and cuts off what has not ended by then. */
async function drain(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(deadline);
}
