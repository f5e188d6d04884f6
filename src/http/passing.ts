/** Takes a request through the gate: answers it, or ends it if it takes too long, fails, or loses its client. Sends all answers. */
import { Readable } from 'node:stream';
import type { Market } from '../catalogue/market.ts';
import { asProblem } from '../operations/faults.ts';
import type { Log } from '../operations/log.ts';
import type { Metrics } from '../operations/metrics.ts';
import { Problem } from '../problem.ts';
import type { Passing } from './arrival.ts';
import { compress } from './compression.ts';
import type { AddCors } from './cors.ts';
import type { Answer, Exchange } from './exchange.ts';
import { problemAnswer } from './problem.ts';
import { openRequestLog } from './request-log.ts';
import type { SecurityLines } from './security-headers.ts';
import { openStreams } from './streams.ts';

/** The status in the log and the metrics for a client that left before its answer, as in nginx. */
const CLIENT_GONE = 499;

const tooLate = new Problem(
  'unavailable',
  'The request took too long and was not charged: try again in a few seconds.',
  { headers: { 'Retry-After': '5' } },
);

/** Opens the ways in which a request can end. */
export function openWays(
  { market, log, metrics }: { market: Market; log: Log; metrics: Metrics },
  answer: (exchange: Exchange, found: Passing['found']) => Promise<Answer>,
  addCors: AddCors,
  security: SecurityLines,
) {
  const streams = openStreams();
  const writeLog = openRequestLog(log, metrics);

  /** Sends an answer with the headers that all answers have. @param left the headers that report the key's remaining limits. */
  const send = ({ exchange, startedAt }: Passing, answered: Answer, left: Record<string, string>): void => {
    const { id, outgoing } = exchange;
    const { status, headers, body } = answered;
    // Alternating names and values; merging them into one object would cost more than everything else here.
    const lines = (headers['Content-Security-Policy'] === undefined ? security.data : security.page).slice();
    for (const name in headers) lines.push(name, headers[name] as string);
    for (const name in left) lines.push(name, left[name] as string);
    lines.push('X-Request-Id', id);
    outgoing.writeHead(status, lines);
    if (body instanceof Readable) streams.send(exchange, body);
    else outgoing.end(body);
    writeLog(exchange, answered, startedAt);
  };

  /** Ends a request whose client left before its answer. It is charged like any other, and logged as status 499. */
  const leave = async (passing: Passing, { headers, body }: Answer): Promise<void> => {
    const { exchange, isLate, startedAt } = passing;
    if (body instanceof Readable) body.destroy();
    await exchange.access.conclude(isLate ? tooLate.status : CLIENT_GONE);
    if (!isLate) writeLog(exchange, { status: CLIENT_GONE, headers, body: null }, startedAt);
  };

  return {
    /** Answers the request. */
    async pass(passing: Passing): Promise<void> {
      const { exchange, found } = passing;
      const answered = await answer(exchange, found);
      if (exchange.incoming.socket.destroyed && answered.status < 500) return leave(passing, answered);
      const compressing = compress(exchange, answered);
      if (compressing) await compressing;
      addCors(exchange, answered);
      const left = await exchange.access.conclude(answered.status);
      if (passing.isLate) {
        if (answered.body instanceof Readable) answered.body.destroy();
        await exchange.access.conclude(tooLate.status); // Refunds a charge made since.
        return;
      }
      send(passing, answered, left);
    },
    /** Tells a client that its request took too long; the work continues without it. */
    giveUp(passing: Passing): void {
      const { exchange } = passing;
      if (exchange.outgoing.headersSent) return;
      passing.isLate = true;
      log.error({ requestId: exchange.id, path: exchange.pathname }, 'A request took too long: it was answered 503');
      const answered = problemAnswer(tooLate, market.publicUrl);
      addCors(exchange, answered);
      send(passing, answered, {}); // Without the access headers, whose lookup may be what hangs.
      void exchange.access.conclude(tooLate.status).catch(() => {});
    },
    /** The last resort, for errors outside the handlers. The client gets an answer unless one has started. */
    async fail(passing: Passing, error: unknown): Promise<void> {
      const { exchange } = passing;
      log.error({ requestId: exchange.id, err: error });
      if (passing.isLate) return;
      if (exchange.outgoing.headersSent) {
        exchange.outgoing.destroy();
        return;
      }
      const answered = problemAnswer(asProblem(error), market.publicUrl);
      const left = await exchange.access.conclude(answered.status).catch(() => ({}));
      if (passing.isLate) return; // It may have become late meanwhile.
      send(passing, answered, left);
    },
    /** Ends all open streams without an error, and from now on each new one. */
    endStreams: streams.end,
  };
}
