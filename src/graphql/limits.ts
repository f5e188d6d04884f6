/**
 * Refuses operations that are too large or complex before they are validated and run (OWASP GraphQL Cheat Sheet, "Query Limiting").
 * The limits leave room for every client that we know of, and keep the work of an operation in proportion to its price.
 */
import { type GraphQLSchema, OperationTypeNode, visit } from 'graphql';
import { Problem } from '../problem.ts';
import { estimatorOf } from './complexity.ts';
import { costOf, crowdedFieldOf } from './cost.ts';
import { introspectionSize, longestIntrospection } from './introspection-size.ts';
import {
  findOperation,
  MOST_TOKENS,
  type ReadDocument,
  readDocument,
  SCHEMA_FIELDS,
  type Variables,
  variablesOf,
} from './operation.ts';
import { excessOf } from './variable-limits.ts';

/** The most characters in a document. Each error of a document counts its lines up to the error. */
export const LONGEST_DOCUMENT = 65_536;
/** The most levels of fields. Clients' introspection queries have 15. */
export const MOST_LEVELS = 20;
/** The most aliases in a document. */
export const MOST_ALIASES = 250;
/** The most characters in an alias, which the response repeats for each item of a list. */
export const LONGEST_ALIAS = 100;
/** The most fields in the text of a free document. Clients' introspection queries have 80. */
export const MOST_FREE_FIELDS = 120;
/** The most directives in a document. */
export const MOST_DIRECTIVES = 100;
/** The most aliases in a free document. */
export const MOST_FREE_ALIASES = 20;
/** The most characters of a document that is read without a valid key. Clients' introspection queries have 2,000. */
export const MOST_FREE_CHARACTERS = 8_192;
/** The most values, estimated, in the response to an operation that costs one request. */
export const MOST_VALUES = 100_000;
/** The additional values for each further request that the operation costs. */
export const VALUES_OF_A_REQUEST = 2_000;
/** The most values, estimated, in an event of a subscription. Events are free. */
export const MOST_EVENT_VALUES = 1_000;
/** The most combinations of time span and merchant for which one operation may request price histories. */
export const MOST_HISTORY_WINDOWS = 10;

/** Counts over the text of a document, used or not. The longest alias is in characters. */
const NOTHING = { fields: 0, aliases: 0, longestAlias: 0, directives: 0, asksForSchema: false };

const counted = new WeakMap<ReadDocument, typeof NOTHING>();

/** Returns the reason for refusing an operation, if there is one. @param price the operation's cost, as {@link costOf} computes it. */
export type Limits = (
  query: string,
  operationName: string | null | undefined,
  variables: Variables,
  price?: number,
) => Problem | undefined;

/** Opens the limits. @param hasIntrospection whether clients may query the schema itself. */
export function openLimits(schema: GraphQLSchema, hasIntrospection: boolean): Limits {
  const mostIntrospection = longestIntrospection(schema);
  return (query, operationName, variables, price = costOf(query, operationName, variables)) => {
    const excess = excessOf(variables);
    if (excess !== undefined) {
      return new Problem('operation_too_complex', `The variables have ${excess}.`, { parameter: 'variables' });
    }
    const read = readDocument(query);
    if (read === 'too many tokens') {
      return tooComplex(`The document has more than ${MOST_TOKENS} tokens`, 'send a shorter one, or split it');
    }
    if (query.length > LONGEST_DOCUMENT)
      return over(`The document has ${query.length} characters`, LONGEST_DOCUMENT, 'send a shorter one, or split it');
    if (typeof read === 'string') return undefined; // GraphQL reports the syntax error itself.
    const { fields, aliases, longestAlias, directives, asksForSchema } = countWritten(read);
    if (asksForSchema && !hasIntrospection) {
      const detail = 'Introspection is disabled: ask the operator for the schema.';
      return new Problem('introspection_disabled', detail, { parameter: 'query' });
    }
    const mostAliases = price === 0 ? MOST_FREE_ALIASES : MOST_ALIASES;
    if (aliases > mostAliases) return over(`The document has ${aliases} aliases`, mostAliases, 'use fewer');
    if (longestAlias > LONGEST_ALIAS)
      return over(`An alias has ${longestAlias} characters`, LONGEST_ALIAS, 'use shorter names');
    if (price === 0 && fields > MOST_FREE_FIELDS) {
      const what = `The document has ${fields} fields, but the limit for a free document is ${MOST_FREE_FIELDS}`;
      return tooComplex(what, 'select fewer');
    }
    if (directives > MOST_DIRECTIVES)
      return over(`The document has ${directives} directives`, MOST_DIRECTIVES, 'use fewer');
    const operation = findOperation(read, operationName);
    if (!operation) return undefined;
    const crowded = crowdedFieldOf(operation);
    if (crowded) {
      const detail = `\`${crowded}\` must be the only field of its mutation: send the other fields in another request.`;
      return new Problem('invalid_parameter', detail, { parameter: 'query' });
    }
    const given = variablesOf(operation, variables);
    const { cost, depth, windows } = estimatorOf(operation)(given);
    if (depth > MOST_LEVELS)
      return over(`The operation has ${depth} levels of fields`, MOST_LEVELS, 'use fewer levels');
    if (windows > MOST_HISTORY_WINDOWS) {
      const what = `The operation requests histories or statistics for ${windows} different time spans or filters`;
      return over(what, MOST_HISTORY_WINDOWS, 'request fewer, or use several operations');
    }
    const isEvent = operation.operation.operation === OperationTypeNode.SUBSCRIPTION;
    const most = isEvent ? MOST_EVENT_VALUES : MOST_VALUES + VALUES_OF_A_REQUEST * Math.max(0, price - 1);
    if (cost > most) {
      const values = cost > 1e9 ? 'more than a billion' : Math.ceil(cost);
      const what = `${isEvent ? 'Each event' : 'The response'} could have ${values} values`;
      return over(what, most, 'request shorter lists (`first`, `days`), or select fewer fields in them');
    }
    if (asksForSchema && introspectionSize(schema, operation, given, mostIntrospection) > mostIntrospection) {
      const what = `The response to the introspection would have more than ${mostIntrospection} characters`;
      return tooComplex(what, 'select fewer fields or types');
    }
    return undefined;
  };
}

function countWritten(read: ReadDocument): typeof NOTHING {
  const known = counted.get(read);
  if (known) return known;
  const written = { ...NOTHING };
  visit(read.document, {
    Directive() {
      written.directives += 1;
    },
    Field({ name, alias }) {
      written.fields += 1;
      if (alias) written.aliases += 1;
      written.longestAlias = Math.max(written.longestAlias, alias?.value.length ?? 0);
      written.asksForSchema ||= SCHEMA_FIELDS.has(name.value);
    },
  });
  counted.set(read, written);
  return written;
}

function over(what: string, most: number, advice: string): Problem {
  return tooComplex(`${what}, but the limit is ${most}`, advice);
}

function tooComplex(what: string, advice: string): Problem {
  return new Problem('operation_too_complex', `${what}: ${advice}.`, { parameter: 'query' });
}
