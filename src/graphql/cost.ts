/** What a GraphQL operation costs: as many requests as it has root fields, so that both faces cost the same (decisions §4). */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';

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
export function costOf(query: string, operationName: string | null | undefined): number {
  let known = documents.get(query);
  if (!known) {
    known = { document: parseOrNothing(query) };
    documents.set(query, known);
  }
  const operation = known.document && getOperationAST(known.document, operationName);
  if (!known.document || !operation || operation.operation !== OperationTypeNode.QUERY) return 1;
  const fields = rootFields(known.document, operation.selectionSet);
  const priced = [...fields.values()].filter((name) => !PUBLIC_FIELDS.has(name));
  return fields.size > 0 && priced.length === 0 ? 0 : Math.max(1, priced.length);
}

/** The root fields by the name that they have in the answer: the same name twice is one field. */
function rootFields(document: DocumentNode, root: SelectionSetNode): Map<string, string> {
  const fields = new Map<string, string>();
  const visited = new Set<string>();
  const collect = (selectionSet: SelectionSetNode) => {
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) {
        fields.set(selection.alias?.value ?? selection.name.value, selection.name.value);
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
