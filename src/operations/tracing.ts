/** The interface of traces for the rest of the service, independent of OpenTelemetry. */
import type { StatementObserver } from '../database/observed.ts';
import type { Exchange } from '../http/exchange.ts';

/** The operator's settings. The library itself reads endpoints, headers, sampler and resource from the environment. */
export interface TraceSettings {
  exporter: 'otlp' | 'console';
  protocol: 'http/protobuf' | 'http/json';
}

/** A request as a trace sees it. */
export type TracedRequest = Pick<Exchange, 'id' | 'method' | 'pathname' | 'headers' | 'endpoint' | 'outgoing'> & {
  traceId?: string;
};

export interface Tracing {
  /** Runs a request's work in a span that continues the client's trace, and sets the trace id of the exchange. */
  request<Result>(exchange: TracedRequest, work: () => Promise<Result>): Promise<Result>;
  /** Runs work in a span of the current trace, or without a span if there is none. */
  span<Result>(
    name: string,
    kind: 'internal' | 'client',
    attributes: Record<string, string | number>,
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** Runs work in a span that starts a trace. */
  root<Result>(name: string, attributes: Record<string, string | number>, work: () => Promise<Result>): Promise<Result>;
  /** Runs a statement in a span with its text but no values. */
  statement: NonNullable<StatementObserver['trace']>;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}
