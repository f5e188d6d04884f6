/** Answers an admitted request: chooses the row of the route table, applies its access class, calls its handler, and turns errors into problems. */
import { atPrice } from '../access/access-class.ts';
import { maskSecrets } from '../access/secret.ts';
import type { Market } from '../catalogue/market.ts';
import { endpointOf } from '../operations/endpoint.ts';
import { asProblem } from '../operations/faults.ts';
import type { Log } from '../operations/log.ts';
import { Problem } from '../problem.ts';
import type { Soon } from '../soon.ts';
import type { Answer, Exchange } from './exchange.ts';
import { problemAnswer } from './problem.ts';
import { chooseRow, type Found, READ_ALLOW, type ServerRoute, takes } from './route-table.ts';

export type Answering = ReturnType<typeof openAnswering>;

/** Makes the page of a problem for a browser; `undefined` for programs. */
export type ShowProblem = (exchange: Exchange, problem: Problem) => Answer | undefined;

export function openAnswering({ market, log }: { market: Market; log: Log }, showProblem?: ShowProblem) {
  return {
    /** Answers a request. @throws the error that {@link explain} turns into the answer. */
    answer(exchange: Exchange, found: Found | undefined): Soon<Answer> {
      refuseOversized(exchange);
      if (exchange.method === 'OPTIONS') {
        return { status: 204, headers: { Allow: found?.row.allow ?? READ_ALLOW }, body: null };
      }
      return answerByTable(exchange, found);
    },
    /** The answer to a request that failed. The details of a server error go to the log with the request's id, never to the client. */
    explain(exchange: Exchange, error: unknown): Answer {
      const { id, isExcess } = exchange;
      const problem = asProblem(error);
      // A line for each request that is too many would fill the log; a metric counts the waiting ones.
      if (problem.status >= 500 && !isExcess) log.error({ requestId: id, err: problem.cause ?? problem });
      return showProblem?.(exchange, problem) ?? problemAnswer(problem, market.publicUrl);
    },
  };
}

/** The longest path and query together, in characters. RFC 9110 §4.1 recommends that servers accept at least 8,000. */
export const LONGEST_URL = 8_192;
/** The most header lines. Node silently drops headers beyond its limit, so its limit is set one higher. */
export const MOST_HEADERS = 100;

/** Refuses requests that only attackers send: very long URLs and very many headers. */
function refuseOversized({ pathname, search, method, headers, incoming, outgoing }: Exchange): void {
  if (pathname.length + search.length > LONGEST_URL) {
    throw new Problem('uri_too_long', `The URL is longer than ${LONGEST_URL} characters: send a shorter one.`);
  }
  // Alternating names and values.
  if (incoming.rawHeaders.length > 2 * MOST_HEADERS) {
    throw new Problem('headers_too_large', `The request has more than ${MOST_HEADERS} headers: send fewer.`, {
      headers: { Connection: 'close' },
    });
  }
  // The body of such a request has no meaning and is not read. A proxy in front may disagree on where it ends and take the rest for
  // another request (RFC 9110 §9.3.1), so the connection closes after it.
  if (
    !BODY_METHODS.has(method) &&
    (Number(headers['content-length']) > 0 || headers['transfer-encoding'] !== undefined)
  ) {
    outgoing.shouldKeepAlive = false;
  }
}

/** The methods whose bodies have a meaning here. */
const BODY_METHODS: ReadonlySet<string> = new Set(['POST', 'PATCH']);

function answerByTable(exchange: Exchange, found: Found | undefined): Soon<Answer> {
  const row = found && chooseRow(exchange, found);
  if (!row) return refuseUnknown(exchange);
  exchange.endpoint = row.endpoint;
  if (!takes(row, exchange.method)) return refuseMethod(exchange, row, found.row.allow);
  if (row.access === 'limited') {
    const admitting = exchange.access.admitFree();
    if (admitting) return admitting.then(() => row.handle(exchange, found.values));
  }
  if (row.access === 'keyed') return exchange.access.admitKeyed().then(() => row.handle(exchange, found.values));
  if (row.access === 'metered' && row.price === 'one request') {
    return atPrice(exchange.access, 1, () => row.handle(exchange, found.values));
  }
  return row.handle(exchange, found.values);
}

/** The endpoint of unknown paths in metrics and the log. */
export const NOWHERE = endpointOf('rest', 'unmatched');

const MOST_SHOWN = 200;

/** Refuses an unknown path. */
export async function refuseUnknown(exchange: Exchange): Promise<never> {
  exchange.endpoint = NOWHERE;
  await exchange.access.recognise(); // So that the headers report the limits of a known key.
  // Mask before cutting, since a part of a key would not be recognised.
  const shown = maskSecrets(exchange.pathname).slice(0, MOST_SHOWN);
  throw new Problem('not_found', `No route matches ${shown}: see /api/v1 for all routes.`);
}

/** @param allow the methods of the path, as `Allow` lists them. */
async function refuseMethod({ method, access }: Exchange, { endpoint }: ServerRoute, allow: string): Promise<never> {
  const isForPrograms = endpoint.face !== 'page' && endpoint.face !== 'other';
  if (isForPrograms) await access.recognise(); // As above.
  const instead = allow === READ_ALLOW ? 'GET' : allow;
  const detail = `This URL does not support ${method}: use ${instead}.`;
  throw new Problem('method_not_allowed', detail, { headers: { Allow: allow } });
}
