/** Statements, batches and connections. Statements are many fewer than requests: the library's own counting will do. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { PoolState } from '../database/database.ts';
import type { Statement } from '../database/observed.ts';
import { openStatementNames } from '../database/statement-name.ts';

export interface DatabaseMetrics {
  observe(statement: Statement): void;
  /** Names where the state of the connections is, which is read when somebody asks. */
  watchPool(state: (() => PoolState) | undefined): void;
}

export function openDatabaseMetrics(registry: Registry): DatabaseMetrics {
  const registers = [registry];
  const nameOf = openStatementNames();
  const seconds = new Histogram({
    name: 'pda_statement_seconds',
    help: 'How long database statements took, waiting for a connection included, in seconds.',
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
    help: 'For how many keys, or counts, at once a statement asked that gathers what several requests want.',
    labelNames: ['statement'],
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    registers,
  });
  let poolState: (() => PoolState) | undefined;
  new Gauge({
    name: 'pda_database_connections',
    help: 'Connections to PostgreSQL by state, and statements that wait for one.',
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
    observe({ sql, milliseconds, rows, batchSize: size }) {
      const statement = nameOf(sql);
      seconds.observe({ statement }, milliseconds / 1000);
      if (size !== undefined) batchSize.observe({ statement }, size);
      if (rows === undefined) errors.inc({ statement });
    },
    watchPool(state) {
      poolState = state;
    },
  };
}
