/**
 * The threads that draw: a picture takes tens of milliseconds of a processor, for which all other requests would wait. Started with
 * the first picture, and gone a minute after the last: most processes never need one.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';
import { Problem } from '../problem.ts';
import { once } from '../remember.ts';
import type { ChartLook } from './look.ts';
import type { PriceChart } from './price-chart.ts';

const IDLE_MS = 60_000;
// At some 30 ms each, the last one waits for as long as anybody would.
const MOST_WAITING = 50;

const openPool = once(async () => {
  const { Piscina } = await import('piscina');
  return new Piscina({
    filename: join(packageRoot(), 'dist', 'chart-worker.js'),
    minThreads: 0,
    maxThreads: Math.max(1, availableParallelism() - 1),
    idleTimeout: IDLE_MS,
    maxQueue: MOST_WAITING,
  });
});

/**
 * Draws in a thread of its own.
 *
 * @throws {Problem} `unavailable` when more pictures are asked for than can be drawn in time.
 */
export async function drawInThread(chart: PriceChart, look: ChartLook): Promise<string> {
  const pool = await openPool();
  if (pool.queueSize >= MOST_WAITING) {
    throw new Problem('unavailable', 'More pictures are asked for than can be drawn in time: try again in a second.', {
      headers: { 'Retry-After': '1' },
    });
  }
  return pool.run({ chart, look });
}
