/** Wraps each operation in a span; used only if tracing is on. */
import { getOperationAST } from 'graphql';
import type { Tracing } from '../operations/tracing.ts';
import type { ServerPlugin } from './server-context.ts';

export function useTraces(tracing: Tracing): ServerPlugin {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { endpoint, operationName } = args.contextValue.exchange;
      const type = getOperationAST(args.document, args.operationName)?.operation ?? 'query';
      // OpenTelemetry, Semantic Conventions for GraphQL Server; without the document, which may contain values.
      const attributes = {
        'graphql.operation.type': type,
        ...(operationName !== undefined && { 'graphql.operation.name': operationName }),
      };
      setExecuteFn((given) =>
        tracing.span(`${type} ${endpoint.operation}`, 'internal', attributes, async () => executeFn(given)),
      );
    },
  };
}
