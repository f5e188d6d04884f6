/** Logs the causes of internal errors in GraphQL operations under the request id that the client gets. */
import { asProblem } from '../operations/faults.ts';
import type { Log } from '../operations/log.ts';
import { isMistake } from './errors.ts';
import type { ServerPlugin } from './server-context.ts';

export function useErrorLog(log: Log): ServerPlugin {
  return {
    onResultProcess({ serverContext: { exchange }, result }) {
      if (exchange.isExcess) return;
      const errors = 'errors' in result ? (result.errors ?? []) : [];
      for (const problem of errors.filter((error) => !isMistake(error)).map(asProblem)) {
        if (problem.status >= 500) log.error({ requestId: exchange.id, err: problem.cause ?? problem });
      }
    },
  };
}
