/**
 * Traces, where the operator wants them: what the rest of the service knows of OpenTelemetry, of which nothing is loaded until
 * its variables are set.
 */
import type { StatementObserver } from '../database/observed.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Log } from './log.ts';

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

/** Begins to trace, where there is something to trace for. */
export async function openTracing(settings: TraceSettings | undefined, log: Log): Promise<Tracing | undefined> {
  if (!settings) return undefined;
  const { startOpenTelemetry } = await import('./opentelemetry.ts');
  return startOpenTelemetry(settings, log);
}
