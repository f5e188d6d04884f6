/** Names each operation by its root fields, for metrics, the log and traces. The schema's names keep the number of names small. */
import { endpointOf } from '../operations/endpoint.ts';
import { rootFields } from './cost.ts';
import { MOST_FREE_CHARACTERS } from './limits.ts';
import { findOperation, type ReadOperation, readDocument, SCHEMA_FIELDS } from './operation.ts';
import { schema } from './schema.ts';
import type { ServerPlugin } from './server-context.ts';

/** A document that cannot be parsed, has no such operation, or selects fields that are not in the schema. */
const INVALID = 'invalid';
/** Any combination of root fields after the first {@link MOST_COMBINATIONS}. */
const OTHER = 'other';
const MOST_COMBINATIONS = 50;
const LONGEST_NAME = 64;

export function useOperationNames(): ServerPlugin {
  const nameOf = openOperationNames();
  return {
    onParams({ context: { exchange }, params: { query, operationName } }) {
      // A document that is too long to be read without a key is not read for its name either.
      const isRead = exchange.access.recognised() !== undefined || (query?.length ?? 0) <= MOST_FREE_CHARACTERS;
      const operation = findOperation(readDocument(isRead && typeof query === 'string' ? query : ''), operationName);
      exchange.endpoint = endpointOf('graphql', '/graphql', operation ? nameOf(operation) : INVALID);
      const clientName = operation?.operation.name?.value;
      if (clientName !== undefined) exchange.operationName = clientName.slice(0, LONGEST_NAME);
    },
  };
}

/** Opens the function that names operations by their root fields. */
function openOperationNames() {
  const ours = schema();
  const roots = [ours.getQueryType(), ours.getMutationType(), ours.getSubscriptionType()];
  const declared = roots.flatMap((root) => Object.keys(root?.getFields() ?? {}));
  const fieldNames = new Set([...declared, ...SCHEMA_FIELDS.keys(), '__typename']);
  const combinations = new Set<string>();

  return (operation: ReadOperation): string => {
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
  };
}
