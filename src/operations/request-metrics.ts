/** Metrics of requests, errors and durations per endpoint. Series are looked up without building a name, since every request passes here. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Endpoint } from './endpoint.ts';
import { bucketOf, openTrafficCounts, type Tally } from './traffic-counts.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];
const OTHER_METHOD = 'other';

/** The answers of one endpoint with one method and status. */
interface Series {
  /** Answers since the last scrape. */
  count: number;
  labels: Record<'face' | 'route' | 'operation' | 'method' | 'status', string>;
  seconds: { observe(seconds: number): void };
  /** The same answers for the console, until they are written. */
  tally: Tally;
}

export function openRequestMetrics(registry: Registry) {
  const endpoints = new Map<Endpoint, Map<number, Series>>();
  const traffic = openTrafficCounts();
  // Counted in plain numbers and handed to the library at a scrape, since its own counting costs as much as everything else here.
  const requests = new Counter({
    name: 'pda_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['face', 'route', 'operation', 'method', 'status'],
    registers: [registry],
    collect() {
      for (const statuses of endpoints.values()) {
        for (const series of statuses.values()) {
          requests.inc(series.labels, series.count);
          series.count = 0;
        }
      }
    },
  });
  const seconds = new Histogram({
    name: 'pda_http_request_seconds',
    help: 'Duration of requests in seconds.',
    labelNames: ['face', 'route', 'operation', 'class'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });

  const makeSeries = ({ face, route, operation }: Endpoint, method: string, status: number): Series => ({
    count: 0,
    labels: { face, route, operation, method, status: String(status) },
    seconds: seconds.labels({ face, route, operation, class: `${Math.floor(status / 100)}xx` }),
    tally: traffic.tallyOf(face, status),
  });

  return {
    /** The answers by interface, outcome and duration that are not written yet. */
    traffic,
    /** Counts an answer. @param milliseconds from the request's head until the answer's last byte is handed to the socket. */
    observe(endpoint: Endpoint, method: string, status: number, milliseconds: number) {
      const index = METHODS.indexOf(method);
      let statuses = endpoints.get(endpoint);
      if (!statuses) {
        statuses = new Map();
        endpoints.set(endpoint, statuses);
      }
      const place = status * (METHODS.length + 1) + index + 1;
      let series = statuses.get(place);
      if (!series) {
        series = makeSeries(endpoint, METHODS[index] ?? OTHER_METHOD, status);
        statuses.set(place, series);
      }
      series.count += 1;
      series.seconds.observe(milliseconds / 1000);
      const bucket = bucketOf(milliseconds);
      series.tally[bucket] = (series.tally[bucket] as number) + 1;
    },
  };
}
