/**
 * What an operation may be at most. Whatever is beyond is refused before it is validated and run, for what one mistake costs
 * (OWASP GraphQL Cheat Sheet, "Query Limiting"). The limits are wide enough for every client that we know of, and
 * keep what an operation may do in proportion to what it costs its key.
 */
import { type GraphQLSchema, Kind, type SelectionSetNode } from 'graphql';
import { Problem } from '../problem.ts';
import { complexityOf } from './complexity.ts';
import {
  findOperation,
  MOST_TOKENS,
  type ReadDocument,
  readDocument,
  type Variables,
  variablesOf,
} from './operation.ts';

/** The most levels of fields: introspection as clients write it has 15. */
export const MOST_LEVELS = 20;
/** The most aliases in a document. */
export const MOST_ALIASES = 250;
/** The most directives in a document. */
export const MOST_DIRECTIVES = 100;
/** The most values that an answer may have, estimated. */
export const MOST_VALUES = 100_000;

/** The most levels of lists and objects in a variable's value: no input of the schema has more than three. */
export const MOST_VARIABLE_LEVELS = 20;

/** What is written in a document, wherever it is used. */
interface Written {
  aliases: number;
  directives: number;
  asksForSchema: boolean;
}

const counted = new WeakMap<ReadDocument, Written>();

/** Makes what refuses an operation that is too much. @param hasIntrospection whether the schema may be asked for itself. */
export function openLimits(
  schema: GraphQLSchema,
  hasIntrospection: boolean,
): (query: string, operationName: string | null | undefined, variables: Variables) => Problem | undefined {
  return (query, operationName, variables) => {
    if (isDeeper(variables, MOST_VARIABLE_LEVELS)) {
      const detail = `The variables have more than ${MOST_VARIABLE_LEVELS} levels of lists and objects: nest less.`;
      return new Problem('operation_too_complex', detail, { parameter: 'variables' });
    }
    const read = readDocument(query);
    if (read === 'too many tokens') {
      return tooComplex(`The document has more than ${MOST_TOKENS} tokens`, 'send a shorter one, or several');
    }
    if (typeof read === 'string') return undefined; // GraphQL says itself what is wrong with it.
    const { aliases, directives, asksForSchema } = countWritten(read);
    if (asksForSchema && !hasIntrospection) return introspectionIsOff();
    if (aliases > MOST_ALIASES) {
      return tooComplex(`The document has ${aliases} aliases and may have ${MOST_ALIASES}`, 'use fewer');
    }
    if (directives > MOST_DIRECTIVES) {
      return tooComplex(`The document has ${directives} directives and may have ${MOST_DIRECTIVES}`, 'use fewer');
    }
    const operation = findOperation(read, operationName);
    if (!operation) return undefined;
    const { cost, depth } = complexityOf(schema, operation, variablesOf(operation, variables));
    if (depth > MOST_LEVELS) {
      return tooComplex(`The operation has ${depth} levels of fields and may have ${MOST_LEVELS}`, 'nest less');
    }
    if (cost > MOST_VALUES) {
      const asked = cost > 1e9 ? 'more than a billion' : Math.ceil(cost);
      return tooComplex(
        `The operation may give ${asked} values and may ask for ${MOST_VALUES}`,
        'ask for shorter lists (`first`, `days`) or for fewer fields in them',
      );
    }
    return undefined;
  };
}

function countWritten(read: ReadDocument): Written {
  let written = counted.get(read);
  if (!written) {
    written = { aliases: 0, directives: 0, asksForSchema: false };
    for (const definition of read.document.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
      written.directives += definition.directives?.length ?? 0;
      for (const variable of definition.variableDefinitions ?? [])
        written.directives += variable.directives?.length ?? 0;
      addSelections(written, definition.selectionSet);
    }
    counted.set(read, written);
  }
  return written;
}

function addSelections(written: Written, { selections }: SelectionSetNode): void {
  for (const selection of selections) {
    written.directives += selection.directives?.length ?? 0;
    if (selection.kind === Kind.FIELD) {
      if (selection.alias) written.aliases += 1;
      if (selection.name.value === '__schema' || selection.name.value === '__type') written.asksForSchema = true;
    }
    if (selection.kind !== Kind.FRAGMENT_SPREAD && selection.selectionSet)
      addSelections(written, selection.selectionSet);
  }
}

/** Whether a value has more levels of lists and objects than that. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels < 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

function tooComplex(what: string, advice: string): Problem {
  return new Problem('operation_too_complex', `${what}: ${advice}.`, { parameter: 'query' });
}

function introspectionIsOff(): Problem {
  const detail = 'This service does not tell its schema over GraphQL: ask the operator for it.';
  return new Problem('introspection_disabled', detail, { parameter: 'query' });
}
