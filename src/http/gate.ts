/**
 * The one gate before all handlers. A request arrives (`arrival.ts`), its body is read, it is admitted or refused for want of
 * room, the route table says how it is answered (`answering.ts`), and the answer is sent (`passing.ts`, `sending.ts`).
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
import { openSending } from './sending.ts';
import { openShedding } from './shedding.ts';

export interface GateServices extends ArrivalServices {
  log: Log;
  metrics: Metrics;
  /** Absent where nobody wants traces. */
  tracing?: Tracing | undefined;
  /** Whether a connection comes from a trusted proxy. */
  isProxy(incoming: IncomingMessage): boolean;
}

export interface GateOptions {
  /** What bounds the requests at once. */
  admission: Admission;
  /** Origins whose browsers may read answers; `*` for all. */
  corsOrigins: readonly string[];
  /** How long an answer may take, in milliseconds; longer than any part of the service waits for another by default. */
  longestMs?: number;
}

const LONGEST_MS = 15_000;

/** The listener of an HTTP server, and when it has nothing left to do. */
export interface Gate {
  listener: RequestListener;
  /** Ends all streams, and those that begin from now on, as if they had come to their end. */
  endStreams(): void;
  /** Settles when all that has come in is done with, whether the clients have waited for it or not. */
  settled(): Promise<void>;
}

/** Opens the gate before the routes. */
export function openGate(
  services: GateServices,
  routes: RouteTable,
  { admission, corsOrigins, longestMs = LONGEST_MS }: GateOptions,
): Gate {
  const { market, tracing } = services;
  const underWay = new Set<Promise<void>>();
  const bodies = openBodies();
  const addCors = openCors(corsOrigins);
  const security = securityLines(market.publicUrl, corsOrigins.includes('*'));
  const arrive = openArrivals(services, routes);
  const sending = openSending(services, security);
  const { pass, giveUp, fail } = openWays(services, openAnswering(services), addCors, sending);
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

  /** Reads the body first: until it is there, the request waits for its client and for nothing of ours. */
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

  /** Lets a request in that has arrived whole at that moment, or refuses it for want of room. */
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
    endStreams: sending.endStreams,
    async settled() {
      await Promise.all(underWay);
    },
  };
}
