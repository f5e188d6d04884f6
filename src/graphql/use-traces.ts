/** Wraps each operation in a span; used only if tracing is on. */
import { getOperationAST, type OperationTypeNode } from 'graphql';
import type { Exchange } from '../http/exchange.ts';
import type { Tracing } from '../operations/tracing.ts';
import type { ServerPlugin } from './server-context.ts';

export function useTraces(tracing: Tracing): ServerPlugin {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const type = getOperationAST(args.document, args.operationName)?.operation;
      setExecuteFn((given) => inSpan(tracing, args.contextValue.exchange, type, async () => executeFn(given)));
    },
  };
}

/** Runs an operation in a span. The request must have its names. */
export function inSpan<Result>(
  tracing: Tracing,
  { endpoint, operationName }: Exchange,
  type: `${OperationTypeNode}` = 'query',
  work: () => Promise<Result>,
): Promise<Result> {
  // OpenTelemetry, Semantic Conventions for GraphQL Server; without the document, which may contain values.
  const attributes = {
    'graphql.operation.type': type,
    ...(operationName !== undefined && { 'graphql.operation.name': operationName }),
  };
  return tracing.span(`${type} ${endpoint.operation}`, 'internal', attributes, work);
}
