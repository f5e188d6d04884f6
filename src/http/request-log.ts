/** Assigns each request the id in its answer and its log line, and writes that line. */
import { randomUUID } from 'node:crypto';
import { maskSecrets } from '../access/secret.ts';
import type { Log } from '../operations/log.ts';
import { loggedPath } from '../operations/logged-path.ts';
import type { Metrics } from '../operations/metrics.ts';
import type { Dressed, Exchange } from './exchange.ts';

// A client's own id is used if it is safe in a log: short, without blanks or control characters, and not a key.
const SANE_ID = /^[\w.:/+=-]{1,128}$/;

/** The id of a request. @param sent its `X-Request-Id` header. */
export function requestIdOf(sent: string | undefined): string {
  return sent !== undefined && SANE_ID.test(sent) && maskSecrets(sent) === sent ? sent : randomUUID();
}

/** What the log tells of an answer. */
type Sent = Pick<Dressed, 'body' | 'bytes'> & { status: number };

/** Makes the function that counts an answer and writes its line. */
export function openRequestLog(
  log: Log,
  metrics: Metrics,
): (exchange: Exchange, answer: Sent, startedAt: number) => void {
  return (exchange, { status, bytes: length, body }, startedAt) => {
    const { id, method, pathname, access, endpoint, operationName, traceId } = exchange;
    const milliseconds = performance.now() - startedAt;
    metrics.requests.observe(endpoint, method, status, milliseconds);
    if (!log.isLevelEnabled('info')) return;
    const key = access.recognised();
    const bytes = body === null || method === 'HEAD' ? 0 : length;
    log.info({
      requestId: id,
      ...(traceId !== undefined && { traceId }),
      face: endpoint.face,
      method,
      // Without the query, so that a key sent there by mistake does not end up in the log.
      path: loggedPath(pathname),
      route: endpoint.route,
      ...(endpoint.operation !== '' && { operation: endpoint.operation }),
      ...(operationName !== undefined && { operationName }),
      status,
      ms: Math.round(milliseconds * 10) / 10,
      // The length of a stream is unknown when it starts.
      ...(bytes !== undefined && { bytes: Number(bytes) }),
      cost: access.charged(),
      ...(key && { keyId: String(key.id) }),
    });
  };
}
