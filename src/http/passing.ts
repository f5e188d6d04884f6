/** Takes a request through the gate: answers it, or ends it if it takes too long, fails, or loses its client. Sends all answers. */
import { Readable } from 'node:stream';
import type { Market } from '../catalogue/market.ts';
import { asProblem } from '../operations/faults.ts';
import type { Log } from '../operations/log.ts';
import { loggedPath } from '../operations/logged-path.ts';
import type { Metrics } from '../operations/metrics.ts';
import { Problem } from '../problem.ts';
import type { Answering } from './answering.ts';
import type { Passing } from './arrival.ts';
import type { Dressing } from './dressing.ts';
import type { Answer, Dressed } from './exchange.ts';
import { problemAnswer } from './problem.ts';
import { openRequestLog } from './request-log.ts';
import type { Rest } from './rests.ts';
import { openStreams } from './streams.ts';

/** The status in the log and the metrics for a client that left before its answer, as in nginx. */
const CLIENT_GONE = 499;

/** Rate limits refuse with this status (RFC 6585 §4). */
const TOO_MANY = 429;

const tooLate = new Problem(
  'unavailable',
  'The request took too long and was not charged: try again in a few seconds.',
  { headers: { 'Retry-After': '5' } },
);

/** Opens the ways in which a request can end. */
export function openWays(
  { market, log, metrics }: { market: Market; log: Log; metrics: Metrics },
  { answer, explain }: Answering,
  { dress, dressAsIs }: Dressing,
  rest: Rest,
) {
  const streams = openStreams();
  const writeLog = openRequestLog(log, metrics);

  /** Sends an answer with the headers that all answers have. @param left the headers that report the key's remaining limits. */
  const send = (
    { exchange, startedAt }: Passing,
    status: number,
    { lines, body, isWhole, bytes }: Dressed,
    left: readonly string[],
  ): void => {
    const { id, incoming, outgoing } = exchange;
    if (status === TOO_MANY || exchange.isExcess) rest(incoming, outgoing);
    // Alternating names and values; merging them into one object would cost more than everything else here.
    outgoing.writeHead(status, lines.concat(left, 'X-Request-Id', id));
    if (body instanceof Readable) streams.send(exchange, body, isWhole);
    else outgoing.end(body);
    writeLog(exchange, { status, body, bytes }, startedAt);
  };

  /** Ends a request whose client left before its answer. It is charged like any other, and logged as status 499. */
  const leave = async ({ exchange, isLate, startedAt }: Passing, { headers, body }: Answer): Promise<void> => {
    if (body instanceof Readable) body.destroy();
    await exchange.access.conclude(isLate ? tooLate.status : CLIENT_GONE);
    if (isLate) return;
    writeLog(exchange, { status: CLIENT_GONE, body: null, bytes: headers['Content-Length'] }, startedAt);
  };

  // Each wait is skipped if there is nothing to wait for: a cached answer waits only for its charge.
  const answerAndSend = async (passing: Passing): Promise<void> => {
    const { exchange, found } = passing;
    let answered: Answer;
    try {
      const answering = answer(exchange, found);
      answered = answering instanceof Promise ? await answering : answering;
    } catch (error) {
      answered = explain(exchange, error);
    }
    const { status } = answered;
    if (exchange.incoming.socket.destroyed && (status < 500 || exchange.isExcess)) return leave(passing, answered);
    const dressing = dress(exchange, answered);
    const dressed = dressing instanceof Promise ? await dressing : dressing;
    const concluding = exchange.access.conclude(status);
    const left = concluding instanceof Promise ? await concluding : concluding;
    if (passing.isLate) {
      if (answered.body instanceof Readable) answered.body.destroy();
      await exchange.access.conclude(tooLate.status); // Refunds a charge made since.
      return;
    }
    send(passing, status, dressed, left);
  };

  /** The last resort, for errors outside the handlers. The client gets an answer unless one has started. */
  const fail = async (passing: Passing, error: unknown): Promise<void> => {
    const { exchange } = passing;
    log.error({ requestId: exchange.id, err: error });
    if (passing.isLate) return;
    if (exchange.outgoing.headersSent) {
      exchange.outgoing.destroy();
      return;
    }
    const answered = problemAnswer(asProblem(error), market.publicUrl);
    const left = await Promise.resolve(exchange.access.conclude(answered.status)).catch(() => []);
    if (passing.isLate) return; // It may have become late meanwhile.
    send(passing, answered.status, dressAsIs(exchange, answered), left);
  };

  return {
    /** Answers the request. */
    async pass(passing: Passing): Promise<void> {
      try {
        await answerAndSend(passing);
      } catch (error) {
        await fail(passing, error);
      }
    },
    /** Tells a client that its request took too long; the work continues without it. */
    giveUp(passing: Passing): void {
      const { exchange } = passing;
      if (exchange.outgoing.headersSent) return;
      passing.isLate = true;
      log.error(
        { requestId: exchange.id, path: loggedPath(exchange.pathname) },
        'A request took too long: it was answered 503',
      );
      const answered = problemAnswer(tooLate, market.publicUrl);
      // Without the access headers, whose lookup may be what hangs.
      send(passing, answered.status, dressAsIs(exchange, answered), []);
      void Promise.resolve(exchange.access.conclude(tooLate.status)).catch(() => {});
    },
    /** Ends all open streams, and from now on each new one: without an error, or by a cut if they are only of use as a whole. */
    endStreams: streams.end,
  };
}
