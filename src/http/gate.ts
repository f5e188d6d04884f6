/**
 * The one gate before both faces: every request gets its id and its access here, every answer the headers that tell what is
 * left, and whatever a handler throws becomes a problem. The insides of a fault go to the log under the request's id, never
 * to the client.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type AccessServices, openAccess } from '../access/access.ts';
import type { Market } from '../catalogue/market.ts';
import { asProblem } from '../operations/faults.ts';
import type { Log } from '../operations/log.ts';
import type { Metrics } from '../operations/metrics.ts';
import { readAddress } from './address.ts';
import { compress } from './compression.ts';
import { answerOptions, openCors } from './cors.ts';
import { type Answer, type Exchange, type Handler, headerOf } from './exchange.ts';
import { problemAnswer } from './problem.ts';
import { openRequestLog, requestIdOf } from './request-log.ts';
import { openStreams, type Streams } from './streams.ts';
import { answerUnreadable } from './unreadable.ts';

export interface GateServices {
  access: AccessServices;
  market: Market;
  log: Log;
  metrics: Metrics;
  /** Origins whose browsers may read answers; `*` for all. */
  corsOrigins: readonly string[];
}

/** The listener of an HTTP server, and when it has nothing left to do. */
export interface Gate {
  listener: RequestListener;
  /** Ends all streams, and those that begin from now on, as if they had come to their end. */
  endStreams(): void;
  /** Settles when all that has come in is done with, whether the clients have waited for it or not. */
  settled(): Promise<void>;
}

/**
 * Opens the gate.
 *
 * @param handlers asked in their order; the last one answers everything.
 * @param methodsOf the methods that a path takes, as `Allow` lists them.
 */
export function openGate(
  { access, market, log, metrics, corsOrigins }: GateServices,
  handlers: readonly Handler[],
  methodsOf: (pathname: string) => string,
): Gate {
  const underWay = new Set<Promise<void>>();
  const streams = openStreams();
  const writeLog = openRequestLog(log, metrics);
  const addCors = openCors(corsOrigins);

  const answer = async (exchange: Exchange): Promise<Answer> => {
    try {
      if (exchange.method === 'OPTIONS') return answerOptions(methodsOf(exchange.pathname));
      for (const handle of handlers) {
        const handled = handle(exchange);
        if (handled) return await handled;
      }
      throw new Error(`No handler answers ${exchange.pathname}.`);
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status >= 500) log.error({ requestId: exchange.id, err: problem.cause ?? problem });
      return problemAnswer(problem, market.publicUrl);
    }
  };

  const pass = async (exchange: Exchange, startedAt: number): Promise<void> => {
    const answered = await answer(exchange);
    const compressing = compress(exchange, answered);
    if (compressing) await compressing;
    addCors(exchange, answered);
    send(exchange, answered, await exchange.access.conclude(answered.status), streams);
    writeLog(exchange, answered, startedAt);
  };

  /** The last resort, for what fails behind the handlers: the client gets an answer as long as none has begun. */
  const fail = async (exchange: Exchange, error: unknown, startedAt: number): Promise<void> => {
    log.error({ requestId: exchange.id, err: error });
    if (exchange.outgoing.headersSent) {
      exchange.outgoing.destroy();
      return;
    }
    const answered = problemAnswer(asProblem(error), market.publicUrl);
    send(exchange, answered, await exchange.access.conclude(answered.status).catch(() => ({})), streams);
    writeLog(exchange, answered, startedAt);
  };

  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const startedAt = performance.now();
    const { method = 'GET', url = '', headers } = incoming;
    // HTTP/1.0 knows no Host, and some balancers' health checks still speak it.
    const host = headers.host ?? (incoming.httpVersion === '1.0' ? 'localhost' : undefined);
    const address = host ? readAddress(url, host) : undefined;
    if (!address) {
      answerUnreadable(market, outgoing);
      return;
    }
    const exchange: Exchange = {
      id: requestIdOf(headerOf({ headers }, 'x-request-id')),
      method,
      pathname: address.pathname,
      search: address.search,
      headers,
      access: openAccess(headerOf({ headers }, 'x-api-key') ?? null, access),
      incoming,
      outgoing,
    };
    const passing = pass(exchange, startedAt)
      .catch((error: unknown) => fail(exchange, error, startedAt))
      .catch(() => void outgoing.destroy())
      .finally(() => underWay.delete(passing));
    underWay.add(passing);
  };

  return {
    listener,
    endStreams: streams.end,
    async settled() {
      await Promise.all(underWay);
    },
  };
}

/** @param access the headers that tell what is left of the key's allowance. */
function send(
  exchange: Exchange,
  { status, headers, body }: Answer,
  access: Record<string, string>,
  streams: Streams,
): void {
  const { id, outgoing } = exchange;
  // Names and values in turn: to gather them in one object costs more than all else that is done with them.
  const lines: string[] = [];
  for (const name in headers) lines.push(name, headers[name] as string);
  for (const name in access) lines.push(name, access[name] as string);
  lines.push('X-Request-Id', id);
  outgoing.writeHead(status, lines);
  if (body instanceof Readable) streams.send(exchange, body);
  else outgoing.end(body);
}
