/**
 * Traces with the OpenTelemetry library, loaded only if its variables are set. Attributes follow the Semantic Conventions for HTTP,
 * databases and GraphQL. They never contain statement values, keys or URL queries.
 */
import {
  type Attributes,
  type Context,
  context,
  DiagLogLevel,
  diag,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, ConsoleSpanExporter, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Log } from './log.ts';
import { tracedPath } from './logged-path.ts';
import type { TraceSettings, Tracing } from './tracing.ts';

const SERVICE = 'product-data-api';
const LONGEST_STATEMENT = 4_000;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'CONNECT']);

/** Starts tracing. The library reads endpoints, headers, sampler and limits from the environment. */
export function startOpenTelemetry({ exporter, protocol }: TraceSettings, log: Log): Tracing {
  const error = (reason: string) => log.warn({ reason }, 'Traces could not be sent');
  const ignore = () => {};
  diag.setLogger({ error, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR);
  const OtlpExporter = protocol === 'http/json' ? JsonExporter : ProtobufExporter;
  const provider = new NodeTracerProvider({
    // The environment's service name takes precedence over the default.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': SERVICE }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter === 'console' ? new ConsoleSpanExporter() : new OtlpExporter())],
  });
  provider.register();
  const tracer = provider.getTracer(SERVICE);

  const within = async <Result>(
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    parent: Context,
    work: (span: Span) => Promise<Result>,
  ): Promise<Result> => {
    const span = tracer.startSpan(name, { kind, attributes }, parent);
    try {
      return await context.with(trace.setSpan(parent, span), work, undefined, span);
    } catch (error) {
      span.setAttribute('error.type', error instanceof Error ? error.name : 'Error');
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };

  /** Traces work within an open span; work outside of one, or after its end, is not traced. */
  const part = <Result>(name: string, kind: SpanKind, attributes: () => Attributes, work: () => Promise<Result>) =>
    trace.getActiveSpan()?.isRecording() ? within(name, kind, attributes(), context.active(), work) : work();

  return {
    request(exchange, work) {
      const { method, pathname, headers } = exchange;
      const known = METHODS.has(method) ? method : '_OTHER';
      const attributes = {
        'http.request.method': known,
        'url.path': tracedPath(pathname),
        'url.scheme': 'http',
        'pda.request_id': exchange.id,
      };
      // W3C Trace Context: continues the client's trace.
      const parent = propagation.extract(context.active(), headers);
      return within(known === '_OTHER' ? 'HTTP' : known, SpanKind.SERVER, attributes, parent, async (span) => {
        exchange.traceId = span.spanContext().traceId;
        try {
          return await work();
        } finally {
          const { face, route } = exchange.endpoint;
          const { statusCode } = exchange.outgoing;
          span.setAttributes({ 'http.response.status_code': statusCode, 'pda.face': face });
          if (route !== 'unmatched') {
            span.setAttribute('http.route', route);
            span.updateName(`${known} ${route}`);
          }
          if (statusCode >= 500) {
            span.setAttribute('error.type', String(statusCode));
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
        }
      });
    },
    span: (name, kind, attributes, work) =>
      part(name, kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, () => attributes, work),
    root: (name, attributes, work) => within(name, SpanKind.INTERNAL, attributes, context.active(), work),
    statement({ name, sql, batchSize }, run) {
      const attributes = () => ({
        'db.system.name': 'postgresql',
        'db.query.summary': name,
        'db.query.text': sql.slice(0, LONGEST_STATEMENT),
        ...(batchSize !== undefined && { 'db.operation.batch.size': batchSize }),
      });
      return part(name, SpanKind.CLIENT, attributes, run);
    },
    close: () => provider.shutdown().catch((err: unknown) => log.warn({ err }, 'The last traces could not be sent')),
  };
}
