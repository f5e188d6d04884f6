/** Traces as the rest of the service sees them, without OpenTelemetry. */
import type { StatementObserver } from '../database/observed.ts';
import type { Exchange } from '../http/exchange.ts';

/** What the operator has asked for; addresses, headers, sampler and resource the library reads from the environment itself. */
export interface TraceSettings {
  exporter: 'otlp' | 'console';
  protocol: 'http/protobuf' | 'http/json';
}

/** A request as a trace sees it. */
export type TracedRequest = Pick<Exchange, 'id' | 'method' | 'pathname' | 'headers' | 'endpoint' | 'outgoing'> & {
  traceId?: string;
};

export interface Tracing {
  /** Runs a request's work in a span, which goes on with the client's trace, and notes the trace's id in the exchange. */
  request<Result>(exchange: TracedRequest, work: () => Promise<Result>): Promise<Result>;
  /** Runs work in a span of the trace that is under way; without one the work runs by itself. */
  span<Result>(
    name: string,
    kind: 'internal' | 'client',
    attributes: Record<string, string | number>,
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** Runs work in a span that begins a trace. */
  root<Result>(name: string, attributes: Record<string, string | number>, work: () => Promise<Result>): Promise<Result>;
  /** Runs a statement in a span, which has its text and never a value. */
  statement: NonNullable<StatementObserver['trace']>;
  /** Sends what has not been sent. */
  close(): Promise<void>;
}
