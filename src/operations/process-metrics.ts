/** Metrics that every process of an instance has, the primary process of workers included. */
import { type Aggregator, Counter, collectDefaultMetrics, type Metric, type Registry } from 'prom-client';

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

/** Adds Node's metrics and the exits of workers to a registry. */
export function openProcessMetrics(registry: Registry) {
  collectDefaultMetrics({ register: registry });
  for (const [name, aggregator] of Object.entries(AGGREGATORS)) {
    Object.assign(registry.getSingleMetric(name) as Metric, { aggregator });
  }
  return {
    workerExits: new Counter({
      name: 'pda_worker_exits_total',
      help: 'Workers that ended unexpectedly; each is replaced.',
      registers: [registry],
    }),
  };
}
