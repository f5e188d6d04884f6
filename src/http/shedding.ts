/** What is answered to requests for which there is no room: at once, by as little work as there can be (decisions §2). */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Market } from '../catalogue/market.ts';
import type { Log } from '../operations/log.ts';
import type { Metrics } from '../operations/metrics.ts';
import { Problem } from '../problem.ts';
import type { AddCors } from './cors.ts';
import type { Answer } from './exchange.ts';
import { problemAnswer } from './problem.ts';
import { openRests } from './rests.ts';

const RETRY_AFTER_SECONDS = 1;
const SAY_EVERY_MS = 1_000;

const noRoom = new Problem(
  'unavailable',
  'There are more requests than can be answered in time: try again in a second.',
  { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
);

/** Makes what refuses a request before anything is known of it. @param lines what every answer tells browsers. */
export function openShedding(
  {
    market,
    log,
    metrics,
    isProxy,
  }: { market: Market; log: Log; metrics: Metrics; isProxy(incoming: IncomingMessage): boolean },
  addCors: AddCors,
  lines: readonly string[],
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const rest = openRests(isProxy, () =>
    log.warn(
      'A connection was paused because it retried at once, and its requests look as if a proxy had passed them on: if it is yours, set TRUST_PROXY',
    ),
  );
  let refused = 0;
  /** Written once: only the address that it points to can change, at the start. */
  let written: { publicUrl: string; answer: Answer } | undefined;

  const say = () => {
    log.warn({ refused }, 'There were more requests than can be answered in time: some were refused');
    refused = 0;
  };

  return (incoming, outgoing) => {
    metrics.requestsShed.inc();
    // One line a second, not one for each: there is no time for more.
    if (refused === 0) setTimeout(say, SAY_EVERY_MS).unref();
    refused += 1;
    const { method = 'GET', headers } = incoming;
    const { publicUrl } = market;
    if (written?.publicUrl !== publicUrl) written = { publicUrl, answer: problemAnswer(noRoom, publicUrl) };
    const answer = { ...written.answer, headers: { ...written.answer.headers } };
    addCors({ method, headers }, answer);
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
