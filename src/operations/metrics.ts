/** The metrics for the operator, in Prometheus' format. Each is documented in docs/operations.md. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { RefusalReason } from '../access/access.ts';
import { type DatabaseMetrics, openDatabaseMetrics } from './database-metrics.ts';
import { type ImportMetrics, openImportMetrics } from './import-metrics.ts';
import { openRequestMetrics, type RequestMetrics } from './request-metrics.ts';

/** Figures of the cache of answers, since the start. */
export interface KeptFigures {
  hits: number;
  misses: number;
  /** The approximate memory of the cached answers. */
  bytes: number;
}

export interface Metrics {
  registry: Registry;
  requests: RequestMetrics;
  database: DatabaseMetrics;
  imports: ImportMetrics;
  refusals: Counter<'reason'>;
  requestsShed: Counter;
  /** Sets the source of the gauges of requests in progress. */
  showAdmission(shown: { readonly inside: number; readonly limit: number }): void;
  subscriptions: Gauge;
  catalogueReads: Counter<'home'>;
  replicaUp: Gauge<'replica'>;
  replicaLag: Gauge<'replica'>;
  redisUp: Gauge;
  /** Sets the function that returns the figures of cached answers; called at each scrape. */
  watchKeptAnswers(figures: () => KeptFigures): void;
}

const REFUSALS: readonly RefusalReason[] = ['missing_key', 'malformed_key', 'unknown_key', 'guesses', 'rate', 'quota'];

/** Opens a registry with the service's metrics; one per process. @param version of the service. */
export function openMetrics(version = ''): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  let admission = { inside: 0, limit: 0 };
  new Gauge({
    name: 'pda_requests_in_flight',
    help: 'Requests in progress.',
    registers,
    collect() {
      this.set(admission.inside);
    },
  });
  new Gauge({
    name: 'pda_requests_limit',
    help: 'Limit of requests in progress, derived from the recent rate of answers.',
    registers,
    collect() {
      this.set(admission.limit);
    },
  });

  const buildInfo = new Gauge({
    name: 'pda_build_info',
    help: 'Always 1; the labels are the versions of the service and of Node.',
    labelNames: ['version', 'node'],
    registers,
  });
  buildInfo.set({ version, node: process.version }, 1);

  const refusals = new Counter({
    name: 'pda_refusals_total',
    help: 'Requests refused because of their key, rate or quota, by reason.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of REFUSALS) refusals.inc({ reason }, 0); // So that the first refusal shows as an increase.

  let keptFigures: (() => KeptFigures) | undefined;
  new Counter({
    name: 'pda_kept_answers_total',
    help: 'Cacheable answers: taken from the cache (hit) or made (miss).',
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
    help: 'Approximate memory of cached answers, in bytes.',
    registers,
    collect() {
      this.set(keptFigures?.().bytes ?? 0);
    },
  });

  return {
    registry,
    showAdmission(shown: { readonly inside: number; readonly limit: number }) {
      admission = shown;
    },
    requestsShed: new Counter({
      name: 'pda_requests_shed_total',
      help: 'Requests refused because the service was overloaded.',
      registers,
    }),
    requests: openRequestMetrics(registry),
    database: openDatabaseMetrics(registry),
    imports: openImportMetrics(registry),
    refusals,
    subscriptions: new Gauge({
      name: 'pda_subscriptions',
      help: 'Open GraphQL subscriptions.',
      registers,
    }),
    catalogueReads: new Counter({
      name: 'pda_catalogue_reads_total',
      help: 'Reads of the catalogue if replicas are configured, by the database that answered: primary or replica.',
      labelNames: ['home'],
      registers: [registry],
    }),
    replicaUp: new Gauge({
      name: 'pda_replica_up',
      help: '1 if a replica answered and was a copy of this database at the last check.',
      labelNames: ['replica'],
      registers: [registry],
    }),
    replicaLag: new Gauge({
      name: 'pda_replica_lag_seconds',
      help: 'How long a replica has been behind the version of the catalogue at the last check, in seconds; 0 if up to date.',
      labelNames: ['replica'],
      registers: [registry],
    }),
    redisUp: new Gauge({
      name: 'pda_redis_up',
      help: '1 while rate limits are shared through Redis, 0 while each process counts by itself.',
      registers,
    }),
    watchKeptAnswers(figures) {
      keptFigures = figures;
    },
  };
}
