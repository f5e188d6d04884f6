/** The figures that the operator watches, in Prometheus' format. Each is named in docs/operations.md. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof openMetrics>;

/** Opens a registry with the service's metrics; one for each process. */
export function openMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Counter({
      name: 'pda_http_requests_total',
      help: 'Requests answered, by method and status.',
      labelNames: ['method', 'status'],
      registers: [registry],
    }),
    requestSeconds: new Histogram({
      name: 'pda_http_request_seconds',
      help: 'How long requests took, in seconds.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    }),
    subscriptions: new Gauge({
      name: 'pda_subscriptions',
      help: 'GraphQL subscriptions that are open.',
      registers: [registry],
    }),
    redisUp: new Gauge({
      name: 'pda_redis_up',
      help: '1 while rate limits are shared over Redis, 0 while they go on in process.',
      registers: [registry],
    }),
  };
}
