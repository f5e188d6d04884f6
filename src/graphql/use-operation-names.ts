/** Names each operation by its root fields, for metrics, the log and traces. The schema's names keep the number of names small. */
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { type Endpoint, endpointOf } from '../operations/endpoint.ts';
import { rootFields } from './cost.ts';
import { exchangeOf } from './exchange-of.ts';
import { MOST_FREE_CHARACTERS } from './limits.ts';
import { findOperation, readDocument } from './operation.ts';
import { schema } from './schema.ts';

/** A document that cannot be parsed, has no such operation, or selects fields that are not in the schema. */
const INVALID = 'invalid';
/** Any combination of root fields after the first {@link MOST_COMBINATIONS}. */
const OTHER = 'other';
const MOST_COMBINATIONS = 50;
const LONGEST_NAME = 64;

export function useOperationNames(): Plugin {
  const nameOf = openOperationNames();
  return {
    onParams({ request, params }) {
      const exchange = exchangeOf(request);
      // A document that is too long to be read without a key is not read for its name either.
      const isRead = exchange.access.recognised() !== undefined || (params.query?.length ?? 0) <= MOST_FREE_CHARACTERS;
      const { endpoint, operationName } = nameOf(isRead ? params : {});
      exchange.endpoint = endpoint;
      if (operationName !== undefined) exchange.operationName = operationName;
    },
  };
}

/** Opens the function that finds an operation's endpoint and the name that its client gave it. */
function openOperationNames() {
  const ours = schema();
  const roots = [ours.getQueryType(), ours.getMutationType(), ours.getSubscriptionType()];
  const fieldNames = new Set(roots.flatMap((root) => Object.keys(root?.getFields() ?? {})));
  for (const name of ['__schema', '__type', '__typename']) fieldNames.add(name);
  const combinations = new Set<string>();
  const named = (operation: string): Endpoint => endpointOf('graphql', '/graphql', operation);

  return (params: GraphQLParams): { endpoint: Endpoint; operationName?: string } => {
    const read = readDocument(typeof params.query === 'string' ? params.query : '');
    const operation = typeof read === 'string' ? undefined : findOperation(read, params.operationName);
    if (!operation) return { endpoint: named(INVALID) };
    const clientName = operation.operation.name?.value;
    const client = clientName !== undefined && { operationName: clientName.slice(0, LONGEST_NAME) };
    const fields = rootFields(operation);
    const names = [...new Set(Array.from(fields.values(), ({ name }) => name.value))].sort();
    if (names.length === 0 || !names.every((name) => fieldNames.has(name)))
      return { endpoint: named(INVALID), ...client };
    const together = names.join(' ');
    // A single field always keeps its name, even if a client uses up all combinations.
    if (names.length > 1 && !combinations.has(together)) {
      if (combinations.size >= MOST_COMBINATIONS) return { endpoint: named(OTHER), ...client };
      combinations.add(together);
    }
    return { endpoint: named(together), ...client };
  };
}
