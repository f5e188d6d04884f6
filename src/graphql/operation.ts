/**
 * Reads an operation once, before it is priced, validated or run: whatever a client sends passes here first, so reading is bounded
 * in time and in what is kept of it.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  valueFromASTUntyped,
} from 'graphql';
import { LRUCache } from 'lru-cache';

/** The most tokens that a document may have: names, numbers, texts and signs (GraphQL §2.1.6). */
export const MOST_TOKENS = 4_000;

/** A document, with its fragments by their names. */
export interface ReadDocument {
  document: DocumentNode;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** One operation of a document that can be read. */
export interface ReadOperation extends ReadDocument {
  operation: OperationDefinitionNode;
}

export type Variables = Readonly<Record<string, unknown>>;

/** Why there is no document: it breaks GraphQL's grammar, or has more than {@link MOST_TOKENS} tokens. */
export type Unreadable = 'no GraphQL' | 'too many tokens';

// A syntax tree is some hundred times as large as the text that it was read from.
const MOST_KEPT_CHARACTERS = 400_000;

/** A store that lets go of the least recently used when the texts that it is by are more than it may keep. */
export function keepByText<Value extends object>(): LRUCache<string, Value> {
  return new LRUCache({
    maxSize: MOST_KEPT_CHARACTERS,
    sizeCalculation: (_value, text) => text.length + 1,
  });
}

const documents = keepByText<{ read: ReadDocument | Unreadable }>();

/** The document of a text. */
export function readDocument(query: string): ReadDocument | Unreadable {
  let known = documents.get(query);
  if (!known) {
    known = { read: parseDocument(query) };
    documents.set(query, known);
  }
  return known.read;
}

/** The operation that is asked for; `undefined` where it is not clear which. */
export function findOperation(read: ReadDocument, name: string | null | undefined): ReadOperation | undefined {
  const operation = getOperationAST(read.document, name);
  return operation ? { ...read, operation } : undefined;
}

/** The operation's variables, with their defaults where the client gives none. */
export function variablesOf({ operation }: ReadOperation, given: Variables): Variables {
  const { variableDefinitions = [] } = operation;
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  );
  return defaults.length > 0 ? { ...Object.fromEntries(defaults), ...given } : given;
}

function parseDocument(query: string): ReadDocument | Unreadable {
  let document: DocumentNode;
  try {
    // Places are for messages: Yoga, which writes those, reads again what is let pass.
    document = parse(query, { maxTokens: MOST_TOKENS, noLocation: true });
  } catch (error) {
    return String(error).includes(`more that ${MOST_TOKENS} tokens`) ? 'too many tokens' : 'no GraphQL';
  }
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION && !fragments.has(definition.name.value)) {
      fragments.set(definition.name.value, definition);
    }
  }
  return { document, fragments };
}
