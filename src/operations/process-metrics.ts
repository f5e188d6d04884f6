/** Metrics that every process of an instance has, the primary process of workers included. */
import { type Aggregator, Counter, collectDefaultMetrics, type Metric, Registry } from 'prom-client';

// How the values of several processes become one; the library's choice hides a process that is blocked, and the time of the start.
const AGGREGATORS: Readonly<Record<string, Aggregator>> = {
  process_start_time_seconds: 'min',
  nodejs_eventloop_lag_seconds: 'max',
  nodejs_eventloop_lag_mean_seconds: 'max',
  nodejs_eventloop_lag_stddev_seconds: 'max',
  nodejs_eventloop_lag_p50_seconds: 'max',
  nodejs_eventloop_lag_p90_seconds: 'max',
  nodejs_eventloop_lag_p99_seconds: 'max',
};

let ofNode: readonly Metric[] | undefined;

// Collected once: their observers run until the process ends, and would keep every registry that they belong to.
function metricsOfNode(): readonly Metric[] {
  if (ofNode) return ofNode;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const [name, aggregator] of Object.entries(AGGREGATORS)) {
    Object.assign(registry.getSingleMetric(name) as Metric, { aggregator });
  }
  ofNode = registry.getMetricsAsArray().map(({ name }) => registry.getSingleMetric(name) as Metric);
  return ofNode;
}

/** Adds Node's metrics and the exits of workers to a registry. */
export function openProcessMetrics(registry: Registry) {
  for (const metric of metricsOfNode()) registry.registerMetric(metric);
  return {
    workerExits: new Counter({
      name: 'pda_worker_exits_total',
      help: 'Workers that ended unexpectedly; each is replaced.',
      registers: [registry],
    }),
  };
}
