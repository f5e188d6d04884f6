/** Refuses requests under overload, immediately and with as little work as possible. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Market } from '../catalogue/market.ts';
import type { Log } from '../operations/log.ts';
import type { Metrics } from '../operations/metrics.ts';
import { Problem } from '../problem.ts';
import type { Cors } from './cors.ts';
import type { Answer } from './exchange.ts';
import { problemAnswer } from './problem.ts';
import type { Rest } from './rests.ts';

const RETRY_AFTER_SECONDS = 1;
const SAY_EVERY_MS = 1_000;

const noRoom = new Problem('unavailable', 'The service is overloaded: try again in a second.', {
  headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
});

/** Makes the function that refuses a request before it is looked at. @param lines the security headers. */
export function openShedding(
  { market, log, metrics }: { market: Market; log: Log; metrics: Metrics },
  rest: Rest,
  cors: Cors,
  lines: readonly string[],
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const tally = metrics.requests.traffic.tallyOf('other', noRoom.status);
  let refused = 0;
  /** Cached; only the URL in it can change, at the start. */
  let written: { publicUrl: string; answer: Answer } | undefined;

  const say = () => {
    log.warn({ refused }, 'The service was overloaded: some requests were refused');
    refused = 0;
  };

  return (incoming, outgoing) => {
    metrics.requestsShed.inc();
    tally[0] = (tally[0] as number) + 1;
    // One line a second, since a line for each would take too long.
    if (refused === 0) setTimeout(say, SAY_EVERY_MS).unref();
    refused += 1;
    const { method = 'GET', headers, url: pathname = '' } = incoming;
    const { publicUrl } = market;
    if (written?.publicUrl !== publicUrl) written = { publicUrl, answer: problemAnswer(noRoom, publicUrl) };
    const answer = { ...written.answer, headers: { ...written.answer.headers } };
    cors.add({ method, headers, pathname }, answer);
    rest(incoming, outgoing);
    outgoing.writeHead(noRoom.status, [
      ...Object.entries(answer.headers).flat(),
      ...lines,
      'X-Request-Id',
      randomUUID(),
    ]);
    outgoing.end(answer.body);
  };
}
