/** The metrics for the operator, in Prometheus' format. Each is documented in docs/operations.md. */
import { type Aggregator, Counter, Gauge, Registry } from 'prom-client';
import type { RefusalReason } from '../access/access.ts';
import { openDatabaseMetrics } from './database-metrics.ts';
import { openFeedMetrics } from './feed-metrics.ts';
import { openImportMetrics } from './import-metrics.ts';
import { openProcessMetrics } from './process-metrics.ts';
import { openRequestMetrics } from './request-metrics.ts';
import { openWebhookMetrics } from './webhook-metrics.ts';

const REFUSALS: readonly RefusalReason[] = ['missing_key', 'malformed_key', 'unknown_key', 'guesses', 'rate', 'quota'];

export type Metrics = ReturnType<typeof openMetrics>;

/** Opens a registry with the service's metrics; one per process. @param version of the service. */
export function openMetrics(version = '') {
  const registry = new Registry();
  const registers = [registry];
  openProcessMetrics(registry);
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers });
  /** A gauge of which the workers of an instance report the lowest or highest value. */
  const extreme = <Label extends string>(aggregator: Aggregator, name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers, aggregator });
  /** A gauge that reads its value at each scrape. */
  const readGauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });

  let admission: { readonly inside: number; readonly limit: number } = { inside: 0, limit: 0 };
  readGauge('pda_requests_in_flight', 'Requests in progress.', () => admission.inside);
  const limitHelp = 'Limit of requests in progress, derived from the recent rate of answers.';
  readGauge('pda_requests_limit', limitHelp, () => admission.limit);
  let freeWork: { readonly waiting: number } = { waiting: 0 };
  readGauge('pda_free_requests_waiting', 'Free requests that wait for their turn.', () => freeWork.waiting);

  const buildHelp = 'Always 1; the labels are the versions of the service and of Node.';
  extreme('max', 'pda_build_info', buildHelp, 'version', 'node').set({ version, node: process.version }, 1);

  const refusalsHelp = 'Requests refused because of their key, rate or quota, by reason.';
  const refusals = counter('pda_refusals_total', refusalsHelp, 'reason');
  for (const reason of REFUSALS) refusals.inc({ reason }, 0); // So that the first refusal shows as an increase.

  let keptFigures = () => ({ hits: 0, misses: 0, bytes: 0, evictedWhole: 0, evictedByTags: 0 });
  new Counter({
    name: 'pda_kept_answers_total',
    help: 'Cacheable answers: taken from the cache (hit) or made (miss).',
    labelNames: ['result'],
    registers,
    collect() {
      const { hits, misses } = keptFigures();
      this.reset();
      this.inc({ result: 'hit' }, hits);
      this.inc({ result: 'miss' }, misses);
    },
  });
  new Counter({
    name: 'pda_kept_answers_evicted_total',
    help: 'Cached answers that changes of the catalogue evicted: those that the change affected (precise), or all (whole).',
    labelNames: ['kind'],
    registers,
    collect() {
      const { evictedWhole, evictedByTags } = keptFigures();
      this.reset();
      this.inc({ kind: 'precise' }, evictedByTags);
      this.inc({ kind: 'whole' }, evictedWhole);
    },
  });
  const bytesHelp = 'Approximate memory of cached answers, in bytes.';
  readGauge('pda_kept_answers_bytes', bytesHelp, () => keptFigures().bytes);

  return {
    registry,
    requests: openRequestMetrics(registry),
    database: openDatabaseMetrics(registry),
    imports: openImportMetrics(registry),
    feeds: openFeedMetrics(registry),
    webhooks: openWebhookMetrics(registry),
    refusals,
    requestsShed: counter('pda_requests_shed_total', 'Requests refused because the service was overloaded.'),
    exports: gauge('pda_exports', 'Open exports.'),
    exportLines: counter('pda_export_lines_total', 'Lines of ended exports, by kind.', 'kind'),
    longPolls: gauge('pda_long_polls', 'Requests that wait for changes (`wait`).'),
    subscriptions: gauge('pda_subscriptions', 'Open GraphQL subscriptions.'),
    catalogueReads: counter(
      'pda_catalogue_reads_total',
      'Reads of the catalogue if replicas are configured, by the database that answered: primary or replica.',
      'home',
    ),
    replicaUp: extreme(
      'min',
      'pda_replica_up',
      '1 if a replica answered and was a copy of this database at the last check.',
      'replica',
    ),
    replicaLag: extreme(
      'max',
      'pda_replica_lag_seconds',
      'How long a replica has been behind the version of the catalogue at the last check, in seconds; 0 if up to date.',
      'replica',
    ),
    redisUp: extreme(
      'min',
      'pda_redis_up',
      '1 while rate limits are shared through Redis, 0 while each instance counts by itself.',
    ),
    /** Sets the source of the gauges of requests in progress. */
    showAdmission(shown: typeof admission) {
      admission = shown;
    },
    /** Sets the queue whose length is reported. */
    showFreeWork(shown: typeof freeWork) {
      freeWork = shown;
    },
    /** Sets the function that returns the figures of cached answers since the start; called at each scrape. */
    watchKeptAnswers(figures: typeof keptFigures) {
      keptFigures = figures;
    },
  };
}
