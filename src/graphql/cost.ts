/**
 * What a GraphQL operation costs: as many requests as it has root fields, and `lookups` as many as it looks up, so that both
 * faces cost the same (decisions §4).
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { MOST_LOOKUPS } from '../catalogue/lookup.ts';

// Public over REST as well, or about the schema itself.
const PUBLIC_FIELDS = new Set(['plans', '__schema', '__type', '__typename']);

const documents = new LRUCache<string, { document: DocumentNode | undefined }>({
  max: 1_000,
  maxSize: 4_000_000,
  sizeCalculation: (_value, query) => query.length + 1,
});

/**
 * The price of an operation in requests; 0 when all that it asks for is public. A document that cannot be read costs 1,
 * as a REST request that is answered 400 does.
 */
export function costOf(
  query: string,
  operationName: string | null | undefined,
  variables: Readonly<Record<string, unknown>> = {},
): number {
  let known = documents.get(query);
  if (!known) {
    known = { document: parseOrNothing(query) };
    documents.set(query, known);
  }
  const operation = known.document && getOperationAST(known.document, operationName);
  if (!known.document || !operation || operation.operation !== OperationTypeNode.QUERY) return 1;
  const fields = rootFields(known.document, operation.selectionSet);
  const priced = [...fields.values()].filter((field) => !PUBLIC_FIELDS.has(field.name.value));
  if (fields.size > 0 && priced.length === 0) return 0;
  const given = { ...defaultsOf(operation), ...variables };
  return Math.max(
    1,
    priced.reduce((sum, field) => sum + priceOf(field, given), 0),
  );
}

/** The price of a root field. More lookups than there may be are refused for what one mistake costs. */
function priceOf(field: FieldNode, variables: Readonly<Record<string, unknown>>): number {
  const argument =
    field.name.value === 'lookups' ? field.arguments?.find(({ name }) => name.value === 'identifiers') : undefined;
  const identifiers = argument && valueFromASTUntyped(argument.value, variables);
  const count = Array.isArray(identifiers) ? identifiers.length : 1;
  return count > MOST_LOOKUPS ? 1 : Math.max(1, count);
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
}

/** The root fields by the name that they have in the answer: the same name twice is one field. */
function rootFields(document: DocumentNode, root: SelectionSetNode): Map<string, FieldNode> {
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
        const fragment = findFragment(document, selection.name.value);
        if (fragment) collect(fragment.selectionSet);
      }
    }
  };
  collect(root);
  return fields;
}

function findFragment(document: DocumentNode, name: string): FragmentDefinitionNode | undefined {
  return document.definitions.find(
    (definition): definition is FragmentDefinitionNode =>
      definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
  );
}

function parseOrNothing(query: string): DocumentNode | undefined {
  try {
    return parse(query);
  } catch {
    return undefined; // Yoga tells the client what is wrong with it.
  }
}
