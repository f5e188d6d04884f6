/** A worker: a gateway that shares its port and its counts with others, and obeys the primary process. */
import type { Worker } from 'node:cluster';
import type { Config } from '../config.ts';
import { failureOf } from '../failure.ts';
import { startGateway } from '../gateway.ts';
import { openHome } from '../open-home.ts';
import { type Log, openLog } from '../operations/log.ts';
import { STOP_SIGNALS } from '../stopping.ts';
import { openCountsClient } from './counts-client.ts';
import type { FromPrimary, FromWorker } from './messages.ts';
import { poolSizeOf, shareOf } from './share.ts';

type Start = Extract<FromPrimary, { kind: 'start' }>;

/** Serves until the primary process says to stop, or has ended. */
export async function serveAsWorker(config: Config, self: Worker): Promise<void> {
  // A terminal and systemd signal all processes at once. The primary process alone decides when its workers stop.
  for (const signal of STOP_SIGNALS) process.on(signal, () => {});
  const log = openLog(config.logLevel, true);
  const send = (message: FromWorker, onSent = () => {}) => void process.send?.(message, undefined, undefined, onSent);
  const counts = openCountsClient((asks) => send({ kind: 'asks', asks }), config.publicRequestsPerMinute);
  let gateway: Awaited<ReturnType<typeof startGateway>> | undefined;
  let stopping: Promise<void> | undefined;
  let noteAllClosed = () => {};
  const othersClosed = () =>
    new Promise<void>((resolve) => {
      noteAllClosed = resolve;
      send({ kind: 'closed' });
    });
  const stop = (isAtOnce: boolean, status: number) => {
    stopping ??= gateway ? gateway.stop({ isAtOnce }).catch((err) => noteFailure(log, err)) : Promise.resolve();
    stopping.then(
      () => process.exit(status),
      () => process.exit(1),
    );
  };

  self.on('disconnect', () => {
    // Otherwise the library would end this process now, with requests in progress.
    self.exitedAfterDisconnect = true;
    log.error('The primary process has ended, so this worker stops');
    counts.end();
    stop(true, 1);
  });

  const start = async ({ hasUpkeep, importsSince }: Start): Promise<void> => {
    const poolSize = poolSizeOf(config);
    const database = await openHome(config, log, { poolSize, onEnd: () => stop(true, 1) });
    const since = { run: BigInt(importsSince.run), failure: BigInt(importsSince.failure) };
    const { windows, ledger } = counts;
    const part = { windows, ledger, poolSize, importsSince: since, hasUpkeep, othersClosed };
    gateway = await startGateway(shareOf(config), database, log, part);
    send({ kind: 'listening', address: gateway.address });
  };

  process.on('message', (message: FromPrimary) => {
    switch (message.kind) {
      case 'start':
        start(message).catch((error: unknown) => {
          const { text, status } = failureOf(error);
          send({ kind: 'failed', text }, () => process.exit(status));
        });
        break;
      case 'told':
        counts.hear(message.told);
        break;
      case 'metrics':
        gateway?.services.metrics.registry.getMetricsAsJSON().then(
          (metrics) => send({ kind: 'metrics', metrics }),
          (err) => log.error({ err }, 'The metrics could not be read'),
        );
        break;
      case 'closed':
        noteAllClosed();
        break;
      case 'stop':
        stop(message.isAtOnce, 0);
        break;
    }
  });
  // Messages that arrived earlier would be lost.
  send({ kind: 'ready' });
}

function noteFailure(log: Log, err: unknown): never {
  log.error({ err }, 'Stopping failed');
  throw err;
}
