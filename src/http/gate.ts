/**
 * The one gate in front of all handlers. A request arrives (`arrival.ts`), its body is read, it is admitted or refused under
 * overload, it is answered by the route table (`answering.ts`), and the answer is sent (`passing.ts`).
 */
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Log } from '../operations/log.ts';
import type { Metrics } from '../operations/metrics.ts';
import type { Tracing } from '../operations/tracing.ts';
import type { Admission } from './admission.ts';
import { openAnswering } from './answering.ts';
import { type ArrivalServices, openArrivals, type Passing } from './arrival.ts';
import { openBodies } from './bodies.ts';
import { openCors } from './cors.ts';
import { openDeadline } from './deadline.ts';
import { openWays } from './passing.ts';
import type { RouteTable } from './route-table.ts';
import { securityLines } from './security-headers.ts';
import { openShedding } from './shedding.ts';

export interface GateServices extends ArrivalServices {
  log: Log;
  metrics: Metrics;
  /** Absent unless traces are configured. */
  tracing?: Tracing | undefined;
  /** Whether a connection comes from a trusted proxy. */
  isProxy(incoming: IncomingMessage): boolean;
}

export interface GateOptions {
  /** Limits the requests in progress. */
  admission: Admission;
  /** Origins whose browsers may read answers; `*` for all. */
  corsOrigins: readonly string[];
  /** How long an answer may take, in milliseconds. The default is longer than any wait inside the service. */
  longestMs?: number;
}

const LONGEST_MS = 15_000;

/** Opens the gate in front of the routes: the listener of an HTTP server, and the means to end it. */
export function openGate(
  services: GateServices,
  routes: RouteTable,
  { admission, corsOrigins, longestMs = LONGEST_MS }: GateOptions,
) {
  const { market, tracing } = services;
  const underWay = new Set<Promise<void>>();
  const bodies = openBodies();
  const addCors = openCors(corsOrigins);
  const security = securityLines(market.publicUrl, corsOrigins.includes('*'));
  const arrive = openArrivals(services, routes);
  const { pass, giveUp, fail, endStreams } = openWays(services, openAnswering(services), addCors, security);
  const refuse = openShedding(services, addCors, security.data);
  const deadline = openDeadline<Passing>(longestMs, giveUp);

  const listener: RequestListener = (incoming, outgoing) => {
    const passing = arrive(incoming, outgoing);
    if (!passing) return;
    const { exchange, found, startedAt } = passing;
    const mostBytes = (exchange.method === 'POST' && found?.row.post?.bodyRule?.(exchange)) || 0;
    if (mostBytes === 0) {
      enter(passing, startedAt);
      return;
    }
    const reading = enterWithBody(passing, mostBytes).finally(() => underWay.delete(reading));
    underWay.add(reading);
  };

  /** Reads the body first. Until it is complete, the request takes no place among the requests in progress. */
  const enterWithBody = async (passing: Passing, mostBytes: number): Promise<void> => {
    const { exchange } = passing;
    try {
      const text = await bodies.read(exchange, mostBytes);
      exchange.body = () => text;
    } catch (error) {
      exchange.body = () => {
        throw error;
      };
    }
    enter(passing, performance.now());
  };

  /** Admits a request that was complete at `arrivedAt`, or refuses it under overload. */
  const enter = (passing: Passing, arrivedAt: number): void => {
    const { exchange, found } = passing;
    const { access, incoming, outgoing } = exchange;
    const needsRoom = !found?.row.isVital;
    if (needsRoom && !admission.enter(() => access.knownKey() !== undefined)) {
      refuse(incoming, outgoing);
      return;
    }
    deadline.begin(passing, arrivedAt);
    const work = () => pass(passing).catch((error: unknown) => fail(passing, error));
    const passed = (tracing ? tracing.request(exchange, work) : work())
      .catch(() => void outgoing.destroy())
      .finally(() => {
        if (needsRoom) admission.leave();
        deadline.end(passing);
        underWay.delete(passed);
      });
    underWay.add(passed);
  };

  return {
    listener,
    endStreams,
    /** Settles when all requests are finished, including those whose clients have gone. */
    async settled(): Promise<void> {
      await Promise.all(underWay);
    },
  };
}
