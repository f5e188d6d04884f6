/** Gives each request an id, which its answer and its log line bear, and writes that line. */
import { randomUUID } from 'node:crypto';
import type { Plugin } from 'graphql-yoga';
import { recognisedKey } from '../access/plugin.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

const requestIds = new WeakMap<Request, { id: string; startedAt: number }>();

// A client's own id is taken over when it can do no harm in a log: short, and without blanks or control characters.
const SANE_ID = /^[\w.:/+=-]{1,128}$/;

/** The id of a request that has come through {@link useRequestLog}. */
export function requestIdOf(request: Request): string | undefined {
  return requestIds.get(request)?.id;
}

export function useRequestLog(log: Log, metrics: Metrics): Plugin {
  return {
    onRequest({ request }) {
      requestIds.set(request, identify(request));
    },
    onResponse({ request, response }) {
      // GraphiQL's page is answered before this plugin is asked.
      const { id, startedAt } = requestIds.get(request) ?? identify(request);
      response.headers.set('X-Request-Id', id);
      const milliseconds = performance.now() - startedAt;
      metrics.requests.inc({ method: request.method, status: response.status });
      metrics.requestSeconds.observe(milliseconds / 1000);
      if (!log.isLevelEnabled('info')) return;
      const key = recognisedKey(request);
      log.info({
        requestId: id,
        method: request.method,
        // Without the query: a client that puts its key there by mistake must not find it in our log.
        path: new URL(request.url).pathname,
        status: response.status,
        ms: Math.round(milliseconds * 10) / 10,
        ...(key && { keyId: String(key.id) }),
      });
    },
  };
}

function identify(request: Request): { id: string; startedAt: number } {
  const sent = request.headers.get('x-request-id');
  return { id: sent && SANE_ID.test(sent) ? sent : randomUUID(), startedAt: performance.now() };
}
