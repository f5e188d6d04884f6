/**
 * The one gate before both faces: every request gets its id and its access here, every answer the headers that tell what is
 * left, and whatever a handler throws becomes a problem. The insides of a fault go to the log under the request's id, never
 * to the client.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type AccessServices, openAccess } from '../access/access.ts';
import type { Market } from '../catalogue/market.ts';
import { UNMATCHED } from '../operations/endpoint.ts';
import { asProblem } from '../operations/faults.ts';
import type { Log } from '../operations/log.ts';
import type { Metrics } from '../operations/metrics.ts';
import type { Tracing } from '../operations/tracing.ts';
import { Problem } from '../problem.ts';
import { hasSeveralHosts, readAddress } from './address.ts';
import type { Admission } from './admission.ts';
import { openBodies } from './bodies.ts';
import { compress } from './compression.ts';
import { answerOptions, openCors } from './cors.ts';
import { openDeadline } from './deadline.ts';
import { type Answer, type BodyRule, type Exchange, type Handler, headerOf } from './exchange.ts';
import { problemAnswer } from './problem.ts';
import { refuseOversized } from './refuse-oversized.ts';
import { openRequestLog, requestIdOf } from './request-log.ts';
import { type SecurityLines, securityLines } from './security-headers.ts';
import { openShedding } from './shedding.ts';
import { openStreams, type Streams } from './streams.ts';
import { answerUnreadable } from './unreadable.ts';

export interface GateServices {
  access: AccessServices;
  market: Market;
  log: Log;
  metrics: Metrics;
  /** Absent where nobody wants traces. */
  tracing?: Tracing | undefined;
  /** The client that a request comes from, as limits count it. */
  clientAddress(incoming: IncomingMessage): string;
  /** Whether a connection comes from a trusted proxy. */
  isProxy(incoming: IncomingMessage): boolean;
  /** Origins whose browsers may read answers; `*` for all. */
  corsOrigins: readonly string[];
  /** What bounds the requests at once. */
  admission: Admission;
  /** How long an answer may take, in milliseconds; longer than any part of the service waits for another by default. */
  longestMs?: number;
}

const LONGEST_MS = 15_000;

/** The status that the log and the metrics have for a client that did not wait for its answer, as nginx has it. */
const CLIENT_GONE = 499;

/** A request on its way through the gate. */
interface Passing {
  exchange: Exchange;
  startedAt: number;
  /** Whether its client has been answered that it took too long. */
  isLate: boolean;
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
 * @param isVital whether a path is answered however much there is to do.
 * @param bodyRules how much of a body each path takes, by path; only POST requests have one.
 */
export function openGate(
  {
    access,
    market,
    log,
    metrics,
    tracing,
    clientAddress,
    isProxy,
    corsOrigins,
    admission,
    longestMs = LONGEST_MS,
  }: GateServices,
  handlers: readonly Handler[],
  methodsOf: (pathname: string) => string,
  isVital: (pathname: string) => boolean = () => false,
  bodyRules: ReadonlyMap<string, BodyRule> = new Map(),
): Gate {
  const underWay = new Set<Promise<void>>();
  const bodies = openBodies();
  const streams = openStreams();
  const writeLog = openRequestLog(log, metrics);
  const addCors = openCors(corsOrigins);
  const security = securityLines(market.publicUrl, corsOrigins.includes('*'));
  const refuse = openShedding({ market, log, metrics, isProxy }, addCors, security.data);

  const answer = async (exchange: Exchange): Promise<Answer> => {
    try {
      refuseOversized(exchange);
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

  const pass = async (passing: Passing): Promise<void> => {
    const { exchange, startedAt } = passing;
    const answered = await answer(exchange);
    if (exchange.incoming.socket.destroyed && answered.status < 500) return leave(passing, answered);
    const compressing = compress(exchange, answered);
    if (compressing) await compressing;
    addCors(exchange, answered);
    const left = await exchange.access.conclude(answered.status);
    if (passing.isLate) {
      if (answered.body instanceof Readable) answered.body.destroy();
      await exchange.access.conclude(tooLate.status); // What has been charged since.
      return;
    }
    send(exchange, answered, left, security, streams);
    writeLog(exchange, answered, startedAt);
  };

  /** Ends a request whose client has gone before its answer: it is charged like any other (decisions §4), and logged as such. */
  const leave = async ({ exchange, startedAt, isLate }: Passing, { headers, body }: Answer): Promise<void> => {
    if (body instanceof Readable) body.destroy();
    await exchange.access.conclude(isLate ? tooLate.status : CLIENT_GONE);
    if (!isLate) writeLog(exchange, { status: CLIENT_GONE, headers, body: null }, startedAt);
  };

  const deadline = openDeadline<Passing>(longestMs, (passing) => {
    const { exchange, startedAt } = passing;
    if (exchange.outgoing.headersSent) return;
    passing.isLate = true;
    log.error(
      { requestId: exchange.id, path: exchange.pathname },
      'A request hangs: it was answered that it takes too long',
    );
    const answered = problemAnswer(tooLate, market.publicUrl);
    addCors(exchange, answered);
    // What it may hang at is what would tell the headers of access.
    send(exchange, answered, {}, security, streams);
    writeLog(exchange, answered, startedAt);
    void exchange.access.conclude(tooLate.status).catch(() => {});
  });

  /** The last resort, for what fails behind the handlers: the client gets an answer as long as none has begun. */
  const fail = async (passing: Passing, error: unknown): Promise<void> => {
    const { exchange, startedAt } = passing;
    log.error({ requestId: exchange.id, err: error });
    if (passing.isLate) return;
    if (exchange.outgoing.headersSent) {
      exchange.outgoing.destroy();
      return;
    }
    const answered = problemAnswer(asProblem(error), market.publicUrl);
    const left = await exchange.access.conclude(answered.status).catch(() => ({}));
    if (passing.isLate) return; // Meanwhile.
    send(exchange, answered, left, security, streams);
    writeLog(exchange, answered, startedAt);
  };

  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const startedAt = performance.now();
    const { method = 'GET', url = '', headers } = incoming;
    if (hasSeveralHosts(incoming.rawHeaders)) {
      answerUnreadable(market, outgoing, 'hosts');
      return;
    }
    // HTTP/1.0 knows no Host, and some balancers' health checks still speak it.
    const host = headers.host ?? (incoming.httpVersion === '1.0' ? 'localhost' : undefined);
    const address = host ? readAddress(url, host) : undefined;
    if (!address) {
      answerUnreadable(market, outgoing, 'address');
      return;
    }
    const addressOf = () => clientAddress(incoming);
    const exchange: Exchange = {
      id: requestIdOf(headerOf({ headers }, 'x-request-id')),
      method,
      pathname: address.pathname,
      search: address.search,
      headers,
      addressOf,
      endpoint: UNMATCHED,
      access: openAccess(headerOf({ headers }, 'x-api-key') ?? null, addressOf, access),
      body: noBody,
      incoming,
      outgoing,
    };
    const bodyRule = method === 'POST' ? bodyRules.get(address.pathname) : undefined;
    const mostBytes = bodyRule?.(exchange) ?? 0;
    if (mostBytes === 0) {
      enter(exchange, startedAt, startedAt);
      return;
    }
    const reading = enterWithBody(exchange, mostBytes, startedAt).finally(() => underWay.delete(reading));
    underWay.add(reading);
  };

  /** Reads the body first: until it is there, the request waits for its client and for nothing of ours. */
  const enterWithBody = async (exchange: Exchange, mostBytes: number, startedAt: number): Promise<void> => {
    try {
      const text = await bodies.read(exchange, mostBytes);
      exchange.body = () => text;
    } catch (error) {
      exchange.body = () => {
        throw error;
      };
    }
    enter(exchange, startedAt, performance.now());
  };

  /** Lets a request in that has arrived whole at that moment, or refuses it for want of room. */
  const enter = (exchange: Exchange, startedAt: number, arrivedAt: number): void => {
    const { access, incoming, outgoing, pathname } = exchange;
    const isAdmitted = !isVital(pathname);
    if (isAdmitted && !admission.enter(() => access.knownKey() !== undefined)) {
      refuse(incoming, outgoing);
      return;
    }
    const passing: Passing = { exchange, startedAt, isLate: false };
    deadline.begin(passing, arrivedAt);
    const work = () => pass(passing).catch((error: unknown) => fail(passing, error));
    const passed = (tracing ? tracing.request(exchange, work) : work())
      .catch(() => void outgoing.destroy())
      .finally(() => {
        if (isAdmitted) admission.leave();
        deadline.end(passing);
        underWay.delete(passed);
      });
    underWay.add(passed);
  };

  return {
    listener,
    endStreams: streams.end,
    async settled() {
      await Promise.all(underWay);
    },
  };
}

const noBody = () => '';

const tooLate = new Problem(
  'unavailable',
  'The answer took too long, and is not charged: try again in a few seconds.',
  {
    headers: { 'Retry-After': '5' },
  },
);

/** @param access the headers that tell what is left of the key's allowance. */
function send(
  exchange: Exchange,
  { status, headers, body }: Answer,
  access: Record<string, string>,
  security: SecurityLines,
  streams: Streams,
): void {
  const { id, outgoing } = exchange;
  // Names and values in turn: to gather them in one object costs more than all else that is done with them.
  const lines = (headers['Content-Security-Policy'] === undefined ? security.data : security.page).slice();
  for (const name in headers) lines.push(name, headers[name] as string);
  for (const name in access) lines.push(name, access[name] as string);
  lines.push('X-Request-Id', id);
  outgoing.writeHead(status, lines);
  if (body instanceof Readable) streams.send(exchange, body);
  else outgoing.end(body);
}
