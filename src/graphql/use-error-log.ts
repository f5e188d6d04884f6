/** Logs the insides of a GraphQL operation's failures under the id that the client is told. */
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
