/** Logs the causes of internal errors in GraphQL operations under the request id that the client gets. */
import type { Plugin } from 'graphql-yoga';
import { asProblem } from '../operations/faults.ts';
import type { Log } from '../operations/log.ts';
import { isMistake } from './errors.ts';
import { exchangeOf } from './exchange-of.ts';

export function useErrorLog(log: Log): Plugin {
  return {
    onResultProcess({ request, result }) {
      const errors = 'errors' in result ? (result.errors ?? []) : [];
      for (const problem of errors.filter((error) => !isMistake(error)).map(asProblem)) {
        if (problem.status >= 500) log.error({ requestId: exchangeOf(request).id, err: problem.cause ?? problem });
      }
    },
  };
}
