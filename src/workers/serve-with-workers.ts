/** Serves with several workers, which share one port: this process is their primary process, or one of them. */
import cluster from 'node:cluster';
import type { Config } from '../config.ts';

/** Serves as the part that this process has. @throws what `failureOf` explains, if the start fails. */
export async function serveWithWorkers(config: Config): Promise<void> {
  if (cluster.worker) {
    const { serveAsWorker } = await import('./worker.ts');
    return serveAsWorker(config, cluster.worker);
  }
  const { serveAsPrimary } = await import('./primary.ts');
  return serveAsPrimary(config);
}
