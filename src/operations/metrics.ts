/** The figures that the operator watches, in Prometheus' format. Each is named in docs/operations.md. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { RefusalReason } from '../access/access.ts';
import { type DatabaseMetrics, openDatabaseMetrics } from './database-metrics.ts';
import { type ImportMetrics, openImportMetrics } from './import-metrics.ts';
import { openRequestMetrics, type RequestMetrics } from './request-metrics.ts';

/** What is kept of whole answers, since the start. */
export interface KeptFigures {
  hits: number;
  misses: number;
  /** How much memory the answers take, about. */
  bytes: number;
}

export interface Metrics {
  registry: Registry;
  requests: RequestMetrics;
  database: DatabaseMetrics;
  imports: ImportMetrics;
  refusals: Counter<'reason'>;
  requestsShed: Counter;
  /** Names what the gauges of requests at once are read from. */
  showAdmission(shown: { readonly inside: number; readonly limit: number }): void;
  subscriptions: Gauge;
  catalogueReads: Counter<'home'>;
  replicaUp: Gauge<'replica'>;
  replicaLag: Gauge<'replica'>;
  redisUp: Gauge;
  /** Names where the figures of kept answers are, which are read when somebody asks. */
  watchKeptAnswers(figures: () => KeptFigures): void;
}

const REFUSALS: readonly RefusalReason[] = ['missing_key', 'malformed_key', 'unknown_key', 'guesses', 'rate', 'quota'];

/** Opens a registry with the service's metrics; one for each process. @param version of the service. */
export function openMetrics(version = ''): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  let admission = { inside: 0, limit: 0 };
  new Gauge({
    name: 'pda_requests_in_flight',
    help: 'Requests that are being answered.',
    registers,
    collect() {
      this.set(admission.inside);
    },
  });
  new Gauge({
    name: 'pda_requests_limit',
    help: 'Requests that may be answered at once, by how fast they have been answered lately.',
    registers,
    collect() {
      this.set(admission.limit);
    },
  });

  const buildInfo = new Gauge({
    name: 'pda_build_info',
    help: 'Always 1; its labels say what runs.',
    labelNames: ['version', 'node'],
    registers,
  });
  buildInfo.set({ version, node: process.version }, 1);

  const refusals = new Counter({
    name: 'pda_refusals_total',
    help: 'Requests refused for their key, their rate or their quota.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of REFUSALS) refusals.inc({ reason }, 0); // So that the first one is a rise.

  let keptFigures: (() => KeptFigures) | undefined;
  new Counter({
    name: 'pda_kept_answers_total',
    help: 'Answers that might be kept: those that were (hit), and those that had to be made (miss).',
    labelNames: ['result'],
    registers,
    collect() {
      const { hits, misses } = keptFigures?.() ?? { hits: 0, misses: 0 };
      this.reset();
      this.inc({ result: 'hit' }, hits);
      this.inc({ result: 'miss' }, misses);
    },
  });
  new Gauge({
    name: 'pda_kept_answers_bytes',
    help: 'Memory that kept answers take, about.',
    registers,
    collect() {
      this.set(keptFigures?.().bytes ?? 0);
    },
  });

  return {
    registry,
    /** Names what the gauges of requests at once are read from. */
    showAdmission(shown: { readonly inside: number; readonly limit: number }) {
      admission = shown;
    },
    requestsShed: new Counter({
      name: 'pda_requests_shed_total',
      help: 'Requests refused because there were more than can be answered in time.',
      registers,
    }),
    requests: openRequestMetrics(registry),
    database: openDatabaseMetrics(registry),
    imports: openImportMetrics(registry),
    refusals,
    subscriptions: new Gauge({
      name: 'pda_subscriptions',
      help: 'GraphQL subscriptions that are open.',
      registers,
    }),
    catalogueReads: new Counter({
      name: 'pda_catalogue_reads_total',
      help: 'Statements that read the catalogue where there are replicas, by who answered: primary or replica.',
      labelNames: ['home'],
      registers: [registry],
    }),
    replicaUp: new Gauge({
      name: 'pda_replica_up',
      help: '1 while a replica answers and is a copy of this database, as of the last look.',
      labelNames: ['replica'],
      registers: [registry],
    }),
    replicaLag: new Gauge({
      name: 'pda_replica_lag_seconds',
      help: 'For how long a replica has been behind the version of the catalogue, as of the last look; 0 when it is level.',
      labelNames: ['replica'],
      registers: [registry],
    }),
    redisUp: new Gauge({
      name: 'pda_redis_up',
      help: '1 while rate limits are shared over Redis, 0 while they go on in process.',
      registers,
    }),
    watchKeptAnswers(figures) {
      keptFigures = figures;
    },
  };
}
