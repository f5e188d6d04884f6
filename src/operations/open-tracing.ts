/** Starts traces if the operator configured them. OpenTelemetry is loaded only then. */
import type { Log } from './log.ts';
import type { TraceSettings, Tracing } from './tracing.ts';

/** @returns `undefined` without settings. */
export async function openTracing(settings: TraceSettings | undefined, log: Log): Promise<Tracing | undefined> {
  if (!settings) return undefined;
  const { startOpenTelemetry } = await import('./opentelemetry.ts');
  return startOpenTelemetry(settings, log);
}
