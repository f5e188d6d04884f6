/**
 * Turns what the plugins behind it throw into a problem response, so that each of them may simply throw.
 * The error's insides go to the log under the request's id, never to the client.
 */
import type { Plugin } from 'graphql-yoga';
import type { Market } from '../catalogue/market.ts';
import { asProblem } from '../operations/faults.ts';
import type { Log } from '../operations/log.ts';
import { requestIdOf } from '../operations/use-request-log.ts';
import { problemResponse } from './problem.ts';

/** Wraps plugins: an error in the `onRequest` of one of them ends the request with its problem. */
export function withProblems(plugins: readonly Plugin[], market: Market, log: Log): Plugin[] {
  return plugins.map((plugin) => {
    const { onRequest } = plugin;
    if (!onRequest) return plugin;
    return {
      ...plugin,
      async onRequest(payload) {
        try {
          await onRequest(payload);
        } catch (error) {
          const problem = asProblem(error);
          if (problem.status >= 500)
            log.error({ requestId: requestIdOf(payload.request), err: problem.cause ?? problem });
          payload.endResponse(problemResponse(problem, market.publicUrl));
        }
      },
    };
  });
}
