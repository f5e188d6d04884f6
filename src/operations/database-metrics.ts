/** Metrics of statements, batches and connections. Statements are far fewer than requests, so the library's own counting is fast enough. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { PoolState } from '../database/database.ts';
import type { Statement } from '../database/observed.ts';

export function openDatabaseMetrics(registry: Registry) {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'pda_statement_seconds',
    help: 'Duration of database statements in seconds, including the wait for a connection.',
    labelNames: ['statement'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const errors = new Counter({
    name: 'pda_statement_errors_total',
    help: 'Database statements that failed.',
    labelNames: ['statement'],
    registers,
  });
  const batchSize = new Histogram({
    name: 'pda_batch_size',
    help: 'Keys or counts in a statement that batches those of several requests.',
    labelNames: ['statement'],
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    registers,
  });
  let poolState: (() => PoolState) | undefined;
  new Gauge({
    name: 'pda_database_connections',
    help: 'Connections to PostgreSQL by state, and statements waiting for one.',
    labelNames: ['state'],
    registers,
    collect() {
      if (!poolState) return;
      const { total, idle, waiting } = poolState();
      this.set({ state: 'busy' }, total - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });

  return {
    observe({ name: statement, milliseconds, rows, batchSize: size }: Statement) {
      seconds.observe({ statement }, milliseconds / 1000);
      if (size !== undefined) batchSize.observe({ statement }, size);
      if (rows === undefined) errors.inc({ statement });
    },
    /** Sets the function that returns the state of the connections; called at each scrape. */
    watchPool(state: typeof poolState) {
      poolState = state;
    },
  };
}
