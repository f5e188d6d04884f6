/** Answers an admitted request: chooses the row of the route table, applies its access class, calls its handler, and turns errors into problems. */
import { atOneRequest } from '../access/access-class.ts';
import type { Market } from '../catalogue/market.ts';
import { asProblem } from '../operations/faults.ts';
import type { Log } from '../operations/log.ts';
import { answerOptions } from './cors.ts';
import type { Answer, Exchange } from './exchange.ts';
import { methodNotAllowed, refuseUnknown } from './misdirected.ts';
import { problemAnswer } from './problem.ts';
import { refuseOversized } from './refuse-oversized.ts';
import { allowOf, chooseRow, type Found, type ServerRoute, takes } from './route-table.ts';

export type GiveAnswer = (exchange: Exchange, found: Found | undefined) => Promise<Answer>;

/** Makes the function that answers requests. The details of a server error go to the log with the request's id, never to the client. */
export function openAnswering({ market, log }: { market: Market; log: Log }): GiveAnswer {
  return async (exchange, found) => {
    try {
      refuseOversized(exchange);
      if (exchange.method === 'OPTIONS') return answerOptions(allowOf(found));
      return await answerByTable(exchange, found);
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status >= 500) log.error({ requestId: exchange.id, err: problem.cause ?? problem });
      return problemAnswer(problem, market.publicUrl);
    }
  };
}

function answerByTable(exchange: Exchange, found: Found | undefined): Answer | Promise<Answer> {
  const row = found && chooseRow(exchange, found);
  if (!row) return refuseUnknown(exchange);
  exchange.endpoint = row.endpoint;
  if (!takes(row, exchange.method)) return refuseMethod(exchange, row, found.row.allow);
  if (row.access === 'limited') exchange.access.admitFree();
  if (row.access === 'metered' && row.price === 'one request') {
    return atOneRequest(exchange.access, () => row.handle(exchange, found.values));
  }
  return row.handle(exchange, found.values);
}

async function refuseMethod(exchange: Exchange, row: ServerRoute, allow: string): Promise<never> {
  const isForPrograms = row.endpoint.face !== 'page' && row.endpoint.face !== 'other';
  if (isForPrograms) await exchange.access.recognise(); // So that the headers report the limits of a known key.
  throw methodNotAllowed(exchange.method, allow);
}
