/**
 * The one gate in front of all handlers. A request arrives (`arrival.ts`), its body is read, it is admitted or refused under
 * overload, it is answered by the route table (`answering.ts`), and the answer is sent (`passing.ts`).
 */
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Log } from '../operations/log.ts';
import type { Metrics } from '../operations/metrics.ts';
import type { Tracing } from '../operations/tracing.ts';
import { type Admission, openAdmission } from './admission.ts';
import { openAnswering, type ShowProblem } from './answering.ts';
import { type ArrivalServices, openArrivals, type Passing } from './arrival.ts';
import { openBodies } from './bodies.ts';
import { openCors } from './cors.ts';
import { openDeadline } from './deadline.ts';
import { openDressing } from './dressing.ts';
import { openWays } from './passing.ts';
import { openRests } from './rests.ts';
import type { RouteTable } from './route-table.ts';
import { securityLines } from './security-headers.ts';
import { openShedding } from './shedding.ts';
import type { Traffic } from './traffic.ts';

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
  /** Learns of each request. */
  traffic?: Traffic;
  /** Origins whose browsers may read answers; `*` for all. */
  corsOrigins: readonly string[];
  showProblem?: ShowProblem;
  /** Limits the requests in progress that wait, see `isPatient` in the route table. */
  patience?: Admission;
  /** How long an answer may take, in milliseconds. The default is longer than any wait inside the service. */
  longestMs?: number;
}

const LONGEST_MS = 15_000;
// Longer than clients may ask a request to wait.
const PATIENCE_MS = 45_000;
const MOST_PATIENT = 1_000;

/** Opens the gate in front of the routes: the listener of an HTTP server, and the means to end it. */
export function openGate(
  services: GateServices,
  routes: RouteTable,
  {
    admission,
    traffic,
    corsOrigins,
    showProblem,
    patience = openAdmission({ targetMs: 0, most: MOST_PATIENT }),
    longestMs = LONGEST_MS,
  }: GateOptions,
) {
  const { market, tracing, log, isProxy } = services;
  const bodies = openBodies();
  const cors = openCors(corsOrigins);
  const security = securityLines(market.publicUrl, corsOrigins.includes('*'));
  const arrive = openArrivals(services, routes);
  const rest = openRests(isProxy, () =>
    log.warn(
      'A connection was paused because it retried immediately, and its requests seem to come through a proxy: if it is yours, set TRUST_PROXY',
    ),
  );
  const { pass, giveUp, endStreams } = openWays(
    services,
    openAnswering(services, showProblem),
    openDressing(cors, security),
    rest,
  );
  const refuse = openShedding(services, rest, cors, security.data);
  const deadline = openDeadline<Passing>(longestMs, giveUp);
  const lateDeadline = openDeadline<Passing>(longestMs + PATIENCE_MS, giveUp);
  let underWay = 0;
  let onSettled: (() => void)[] = [];

  const leave = () => {
    underWay -= 1;
    if (underWay > 0) return;
    for (const settle of onSettled) settle();
    onSettled = [];
  };

  const listener: RequestListener = (incoming, outgoing) => {
    const passing = arrive(incoming, outgoing);
    if (!passing) return;
    const { exchange, found, startedAt } = passing;
    traffic?.note(startedAt);
    const mostBytes = found?.row.withBody.get(exchange.method)?.bodyRule?.(exchange) ?? 0;
    underWay += 1;
    if (mostBytes === 0) enter(passing, startedAt);
    else void enterWithBody(passing, mostBytes);
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
    const isPatient = found?.row.isPatient(exchange) ?? false;
    const room = found?.row.isVital ? undefined : isPatient ? patience : admission;
    if (room && !room.enter(() => exchange.access.knownKey() !== undefined)) {
      refuse(exchange.incoming, exchange.outgoing);
      leave();
      return;
    }
    void work(passing, arrivedAt, room, isPatient ? lateDeadline : deadline);
  };

  /** Never rejects. */
  const work = async (
    passing: Passing,
    arrivedAt: number,
    room: Admission | undefined,
    due: typeof deadline,
  ): Promise<void> => {
    const { exchange } = passing;
    const watch = due.begin(passing, arrivedAt);
    try {
      await (tracing ? tracing.request(exchange, () => pass(passing)) : pass(passing));
    } catch {
      exchange.outgoing.destroy();
    } finally {
      room?.leave();
      due.end(watch);
      leave();
    }
  };

  return {
    listener,
    endStreams,
    /** Settles when no request is under way, including those whose clients have gone. */
    async settled(): Promise<void> {
      if (underWay > 0) await new Promise<void>((settle) => onSettled.push(settle));
    },
  };
}
