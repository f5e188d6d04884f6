/**
 * What a GraphQL operation costs: as many requests as it has root fields, and `lookups` as many as it looks up, so that both
 * faces cost the same (decisions §4).
 */
import { type FieldNode, Kind, OperationTypeNode, type SelectionSetNode, valueFromASTUntyped } from 'graphql';
import { MOST_LOOKUPS } from '../catalogue/lookup/lookup.ts';
import { findOperation, type ReadOperation, readDocument, type Variables, variablesOf } from './operation.ts';

// Public over REST as well, or about the schema itself.
const PUBLIC_FIELDS = new Set(['plans', '__schema', '__type', '__typename']);

/**
 * The price of an operation in requests; 0 when all that it asks for is public. A document that cannot be read costs 1,
 * as a REST request that is answered 400 does.
 */
export function costOf(query: string, operationName: string | null | undefined, variables: Variables = {}): number {
  const read = readDocument(query);
  const operation = typeof read === 'string' ? undefined : findOperation(read, operationName);
  if (operation?.operation.operation !== OperationTypeNode.QUERY) return 1;
  const fields = rootFields(operation);
  const priced = [...fields.values()].filter((field) => !PUBLIC_FIELDS.has(field.name.value));
  if (fields.size > 0 && priced.length === 0) return 0;
  const given = variablesOf(operation, variables);
  return Math.max(
    1,
    priced.reduce((sum, field) => sum + priceOf(field, given), 0),
  );
}

/** The price of a root field. More lookups than there may be are refused for what one mistake costs. */
function priceOf(field: FieldNode, variables: Variables): number {
  const argument =
    field.name.value === 'lookups' ? field.arguments?.find(({ name }) => name.value === 'identifiers') : undefined;
  const identifiers = argument && valueFromASTUntyped(argument.value, variables);
  const count = Array.isArray(identifiers) ? identifiers.length : 1;
  return count > MOST_LOOKUPS ? 1 : Math.max(1, count);
}

/** The root fields by the name that they have in the answer: the same name twice is one field. Each fragment is read once. */
export function rootFields({ operation, fragments }: ReadOperation): Map<string, FieldNode> {
  const fields = new Map<string, FieldNode>();
  const visited = new Set<string>();
  const collect = (selectionSet: SelectionSetNode) => {
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) {
        fields.set(selection.alias?.value ?? selection.name.value, selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet);
      } else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) collect(fragment.selectionSet);
      }
    }
  };
  collect(operation.selectionSet);
  return fields;
}
