/** Gives each request an id, which its answer and its log line bear, and writes that line. */
import { randomUUID } from 'node:crypto';
import type { Log } from '../operations/log.ts';
import type { Metrics } from '../operations/metrics.ts';
import type { Answer, Exchange } from './exchange.ts';

// A client's own id is taken over when it can do no harm in a log: short, and without blanks or control characters.
const SANE_ID = /^[\w.:/+=-]{1,128}$/;

/** The id of a request that came with `sent` in its `X-Request-Id` header. */
export function requestIdOf(sent: string | undefined): string {
  return sent !== undefined && SANE_ID.test(sent) ? sent : randomUUID();
}

/** Makes what counts an answer and writes its line. */
export function openRequestLog(
  log: Log,
  metrics: Metrics,
): (exchange: Exchange, answer: Answer, startedAt: number) => void {
  const counters = new Map<string, { inc(): void }>();
  const counterOf = (method: string, status: number) => {
    const name = `${method} ${status}`;
    let counter = counters.get(name);
    if (!counter) {
      counter = metrics.requests.labels({ method, status });
      counters.set(name, counter);
    }
    return counter;
  };

  return ({ id, method, pathname, access }, { status }, startedAt) => {
    const milliseconds = performance.now() - startedAt;
    counterOf(method, status).inc();
    metrics.requestSeconds.observe(milliseconds / 1000);
    if (!log.isLevelEnabled('info')) return;
    const key = access.recognised();
    log.info({
      requestId: id,
      method,
      // Without the query: a client that puts its key there by mistake must not find it in our log.
      path: pathname,
      status,
      ms: Math.round(milliseconds * 10) / 10,
      ...(key && { keyId: String(key.id) }),
    });
  };
}
