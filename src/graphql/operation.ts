/** Parses every document once, before it is priced, validated or run, so that both parsing time and the cache are bounded. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { ArgumentOf } from '../catalogue/field-cost.ts';

/** The most tokens in a document: names, numbers, strings and punctuators (GraphQL §2.1.6). */
export const MOST_TOKENS = 4_000;

/** A document, with its fragments by name. */
export interface ReadDocument {
  document: DocumentNode;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** One operation of a parsed document, always the same object while the document is cached. */
export interface ReadOperation extends ReadDocument {
  operation: OperationDefinitionNode;
  /** The defaults of its variables; `undefined` if there are none. */
  defaults: Variables | undefined;
}

export type Variables = Readonly<Record<string, unknown>>;

/** A parsed document, or why it cannot be parsed: it is not valid GraphQL, or has more than {@link MOST_TOKENS} tokens. */
type Reading = ReadDocument | 'no GraphQL' | 'too many tokens';

/** The root fields of introspection, which no type declares. */
export const SCHEMA_FIELDS: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
);

// A syntax tree takes about a hundred times as much memory as its text.
const MOST_KEPT_CHARACTERS = 400_000;

/** A cache keyed by text, which evicts the least recently used entries when its keys exceed {@link MOST_KEPT_CHARACTERS}. */
export function keepByText<Value extends object>(): LRUCache<string, Value> {
  return new LRUCache({
    maxSize: MOST_KEPT_CHARACTERS,
    sizeCalculation: (_value, text) => text.length + 1,
  });
}

const documents = keepByText<{ read: Reading }>();

/** Parses a document, or takes it from the cache. */
export function readDocument(query: string): Reading {
  let known = documents.get(query);
  if (!known) {
    known = { read: parseDocument(query) };
    documents.set(query, known);
  }
  return known.read;
}

const operations = new WeakMap<OperationDefinitionNode, ReadOperation>();

/** The requested operation; `undefined` if there is no document, it does not exist, or the name is ambiguous. */
export function findOperation(read: Reading, name: string | null | undefined): ReadOperation | undefined {
  if (typeof read === 'string') return undefined;
  const operation = getOperationAST(read.document, name);
  if (!operation) return undefined;
  let known = operations.get(operation);
  if (!known) {
    known = { ...read, operation, defaults: defaultsOf(operation) };
    operations.set(operation, known);
  }
  return known;
}

/** Makes a function that works once for each operation, and afterwards returns the same result while its document is cached. */
export function oncePerOperation<Result>(work: (operation: ReadOperation) => Result): (of: ReadOperation) => Result {
  const results = new WeakMap<ReadOperation, { result: Result }>();
  return (operation) => {
    let known = results.get(operation);
    if (!known) {
      known = { result: work(operation) };
      results.set(operation, known);
    }
    return known.result;
  };
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Variables | undefined {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  );
  return defaults.length > 0 ? Object.fromEntries(defaults) : undefined;
}

/** The operation's variables, with defaults for those that the client does not send. */
export const variablesOf = ({ defaults }: ReadOperation, given: Variables): Variables =>
  defaults ? { ...defaults, ...given } : given;

/** Whether an argument of a field contains a variable. */
export const hasVariables = ({ arguments: given = [] }: FieldNode): boolean =>
  given.some(({ value }) => isVariable(value));

function isVariable(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.some(isVariable);
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => isVariable(field.value));
  return value.kind === Kind.VARIABLE;
}

/** Reads the arguments of a field. */
export function argumentsOf({ arguments: given }: FieldNode, variables: Variables): ArgumentOf {
  return (wanted) => {
    const argument = given?.find(({ name }) => name.value === wanted);
    return argument && valueFromASTUntyped(argument.value, variables);
  };
}

// The parser's message, whose spelling differs between versions.
const TOO_MANY_TOKENS = /^Syntax Error: Document contains more tha[nt] \d+ tokens\b/;

function parseDocument(query: string): Reading {
  let document: DocumentNode;
  try {
    // Locations are needed only for messages. Yoga writes those, and parses admitted documents again.
    document = parse(query, { maxTokens: MOST_TOKENS, noLocation: true });
  } catch (error) {
    return error instanceof GraphQLError && TOO_MANY_TOKENS.test(error.message) ? 'too many tokens' : 'no GraphQL';
  }
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION && !fragments.has(definition.name.value)) {
      fragments.set(definition.name.value, definition);
    }
  }
  return { document, fragments };
}
