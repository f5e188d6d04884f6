/** Names each operation by its root fields, for metrics, the log and traces. The schema's names keep the number of names small. */
import type { Exchange } from '../http/exchange.ts';
import { endpointOf } from '../operations/endpoint.ts';
import { rootFields } from './cost.ts';
import { MOST_FREE_CHARACTERS } from './limits.ts';
import { findOperation, oncePerOperation, readDocument, SCHEMA_FIELDS } from './operation.ts';
import type { OperationRequest } from './operation-access.ts';
import { schema } from './schema.ts';
import type { ServerPlugin } from './server-context.ts';

/** A document that cannot be parsed, has no such operation, or selects fields that are not in the schema. */
const INVALID = 'invalid';
/** Any combination of root fields after the first {@link MOST_COMBINATIONS}. */
const OTHER = 'other';
const MOST_COMBINATIONS = 50;
const LONGEST_NAME = 64;

/** Sets the names of a request: its endpoint, and the client's own name for its operation. */
export type NameOperation = (exchange: Exchange, request: OperationRequest) => void;

/** Names the operations that pass through Yoga. A known result has its name already, unless the operation was not read. */
export function useOperationNames(name: NameOperation): ServerPlugin {
  return {
    onParams({ context: { exchange, result, isFinal }, params }) {
      if (!result || isFinal) name(exchange, params);
    },
  };
}

/** Opens the function that names operations by their root fields. */
export function openOperationNames(): NameOperation {
  const ours = schema();
  const roots = [ours.getQueryType(), ours.getMutationType(), ours.getSubscriptionType()];
  const declared = roots.flatMap((root) => Object.keys(root?.getFields() ?? {}));
  const fieldNames = new Set([...declared, ...SCHEMA_FIELDS.keys(), '__typename']);
  const combinations = new Set<string>();

  const nameOf = oncePerOperation((operation): string => {
    const fields = rootFields(operation);
    const names = [...new Set(Array.from(fields.values(), ({ name }) => name.value))].sort();
    if (names.length === 0 || !names.every((name) => fieldNames.has(name))) return INVALID;
    const together = names.join(' ');
    // A single field always keeps its name, even if a client uses up all combinations.
    if (names.length > 1 && !combinations.has(together)) {
      if (combinations.size >= MOST_COMBINATIONS) return OTHER;
      combinations.add(together);
    }
    return together;
  });

  return (exchange, { query, operationName }) => {
    const text = typeof query === 'string' ? query : '';
    // A document that is too long to be read without a key is not read for its name either.
    const isRead = exchange.access.recognised() !== undefined || text.length <= MOST_FREE_CHARACTERS;
    const operation = findOperation(readDocument(isRead ? text : ''), operationName);
    exchange.endpoint = endpointOf('graphql', '/graphql', operation ? nameOf(operation) : INVALID);
    const clientName = operation?.operation.name?.value;
    if (clientName !== undefined) exchange.operationName = clientName.slice(0, LONGEST_NAME);
  };
}
