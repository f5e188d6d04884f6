/** Starts and stops a gateway over an open database; `npm start`, the tests and the benchmarks all use it. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { openLog } from './operations/log.ts';
import { serveMetrics } from './operations/metrics-server.ts';
import { prepareDatabase } from './prepare-database.ts';
import { createGateway } from './server.ts';
import { openServices, type WorkerPart } from './services.ts';
import { CLOSE_MS, DRAIN_MS } from './stopping.ts';
import { addressOf } from './values/http-address.ts';

export type Gateway = Awaited<ReturnType<typeof startGateway>>;

// Connections that the system queues until they are accepted. It drops those beyond the limit, and their clients retry only after
// whole seconds. Linux queues no more than this by default (net.core.somaxconn).
const BACKLOG = 4_096;

/**
 * Opens the services and listens. From then on the gateway owns the database.
 * @param part of a worker, whose primary process has prepared the database and serves the metrics. An only process does both itself.
 */
export async function startGateway(
  config: Config,
  database: Database,
  log = openLog(config.logLevel),
  part?: WorkerPart,
) {
  if (!part) await prepareDatabase(database, log);
  const services = await openServices(config, database, log, part);
  let isDraining = false;
  const { server, connections, endStreams, settled } = createGateway(services, () => isDraining);
  server.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  await once(server, 'listening');
  const { metricsPort } = config;
  const { registry } = services.metrics;
  const text = { contentType: registry.contentType, metrics: () => registry.metrics() };
  const metricsServer =
    metricsPort === undefined || part ? undefined : await serveMetrics(text, metricsPort, config.host);
  const address = addressOf(config.host, (server.address() as AddressInfo).port);
  if (config.publicUrl === undefined) services.market.publicUrl = address;

  return {
    /** The listening address, such as `http://127.0.0.1:4000`. */
    address,
    /** The port of the metrics; `undefined` if they are not served. */
    metricsPort: metricsServer && (metricsServer.address() as AddressInfo).port,
    services,
    /**
     * Keeps serving for `DRAIN_DELAY_SECONDS` (not if `isAtOnce`) while it tells health checks and clients to go elsewhere.
     * Then accepts no more connections, answers the open requests and closes everything, within nine seconds.
     */
    async stop({ isAtOnce = false } = {}) {
      isDraining = true;
      connections.takeLeave();
      if (!isAtOnce) await wait(config.drainDelaySeconds * 1_000);
      endStreams();
      // Receivers are given their moment while clients get their answers.
      void services.deliveries?.stop();
      void services.feeds?.stop();
      void services.demo?.stop();
      const isClosed = new AbortController();
      const { signal } = isClosed;
      const cutOff = wait(DRAIN_MS, undefined, { ref: false, signal });
      const giveUp = wait(CLOSE_MS, undefined, { signal }).then(cannotClose);
      for (const timer of [cutOff, giveUp]) timer.catch(() => {}); // Nothing awaits them once everything is closed.
      await Promise.race([connections.close(part?.othersClosed).then(settled), cutOff]);
      server.closeAllConnections();
      metricsServer?.close();
      await Promise.race([services.close(), giveUp]).finally(() => isClosed.abort());
    },
  };
}

function cannotClose(): never {
  throw new Error('The database did not close in time: refunds that are not written yet may be lost.');
}
