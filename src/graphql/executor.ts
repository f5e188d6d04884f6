/**
 * Runs queries of clients: with graphql-js, or compiled if the same query is repeated. Compiled code returns the same result;
 * wherever graphql-jit words or counts errors differently, graphql-js has the last word.
 */
import { type DocumentNode, type ExecutionResult, execute, GraphQLError, getVariableValues } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Context } from '../catalogue/builder.ts';
import { asProblem } from '../operations/faults.ts';
import { sizeToCompile } from './compilable.ts';
import { type Compiled, compileOperation } from './compile.ts';
import type { ReadOperation, Variables } from './operation.ts';
import { schema } from './schema.ts';
import { MOST_VARIABLE_ERRORS } from './variable-limits.ts';

/** The most fields in an operation that is compiled. */
const MOST_FIELDS = 150;
/** The most fields in all compiled operations together. Each takes about 4 kB. */
const MOST_KEPT_FIELDS = 5_000;
// A compiled operation keeps its whole document, so this much of the document's text counts as a field.
const CHARACTERS_A_FIELD = 80;
// So that clients with ever new documents gain no time of the processor.
const FIELDS_A_SECOND = 200;
/** The runs of a query by graphql-js before it is compiled. */
const RUNS_BEFORE = 2;
/** The runs by graphql-js after compiled code has failed to return a correct result. */
const RUNS_AFTER = 50;

/** A query of a client, valid for the schema. */
export interface Query {
  document: DocumentNode;
  operation: ReadOperation;
  variables: Variables | null | undefined;
}

interface State {
  compiled?: Compiled | undefined;
  /** The runs by graphql-js that are left. */
  wait: number;
}

/** Opens the executor of one server. @param fieldsASecond the most fields compiled per second on average. */
export function openExecutor(fieldsASecond = FIELDS_A_SECOND) {
  /** They live as long as their operations, which the cache of read documents limits. */
  const states = new WeakMap<ReadOperation, State>();
  const kept = new LRUCache<ReadOperation, State>({
    maxSize: MOST_KEPT_FIELDS,
    dispose(state) {
      state.compiled = undefined;
    },
  });
  let compileFrom = 0;

  /** The compiled query, if it is time to use it. */
  const compiledOf = ({ document, operation }: Query): State | undefined => {
    const size = sizeToCompile(operation);
    if (size > MOST_FIELDS) return undefined;
    let state = states.get(operation);
    if (!state) {
      state = { wait: RUNS_BEFORE };
      states.set(operation, state);
    }
    if (state.wait > 0) {
      state.wait -= 1;
      return undefined;
    }
    if (!state.compiled) {
      const now = performance.now();
      if (now < compileFrom) return undefined;
      compileFrom = now + (size / fieldsASecond) * 1_000;
      state.compiled = compileOperation(document, operation.operation.name?.value);
      if (state.compiled) kept.set(operation, state, { size: Math.max(size, lengthOf(document)) });
      else state.wait = Number.POSITIVE_INFINITY;
    } else kept.get(operation); // The least recently used are discarded.
    return state;
  };

  return {
    /** Runs a query. The result has the members and the order of graphql-js. */
    async run(query: Query, context: Context): Promise<ExecutionResult> {
      const { document, operation, variables } = query;
      const state = compiledOf(query);
      if (state?.compiled && areValid(operation, variables)) {
        const result = await runCompiled(state.compiled, query, context);
        if (result) return result;
        state.wait = RUNS_AFTER;
      }
      return execute({
        schema: schema(),
        document,
        contextValue: context,
        variableValues: variables ?? null,
        operationName: operation.operation.name?.value ?? null,
        options: { maxCoercionErrors: MOST_VARIABLE_ERRORS },
      });
    },
    /** Whether the next run uses compiled code. */
    isCompiled(operation: ReadOperation): boolean {
      const state = states.get(operation);
      return state?.compiled !== undefined && state.wait === 0;
    },
  };
}

/** The length of a document's text, in fields. */
const lengthOf = ({ loc }: DocumentNode): number => Math.ceil((loc?.end ?? 0) / CHARACTERS_A_FIELD);

/** The result of compiled code; `undefined` if graphql-js must decide. */
async function runCompiled(
  compiled: Compiled,
  { document, variables }: Query,
  context: Context,
): Promise<ExecutionResult | undefined> {
  try {
    const { data = null, errors } = await compiled({}, context, variables ?? {});
    if (!errors) return { data };
    // Of several errors, graphql-js reports those that come before a null reaches the root. A fault of the service has no data anyway, and
    // running its statements again could take too long.
    const isEqual = (errors.length === 1 && errors.every(isOfResolver)) || errors.some(isFault);
    return isEqual ? { errors: errors.map((error) => locate(error, document)), data } : undefined;
  } catch {
    return undefined;
  }
}

function areValid({ operation }: ReadOperation, variables: Variables | null | undefined): boolean {
  // The first error suffices: graphql-js then runs the query and reports the errors.
  const { errors } = getVariableValues(schema(), operation.variableDefinitions ?? [], variables ?? {}, {
    maxErrors: 0,
  });
  return errors === undefined;
}

const isOfResolver = ({ originalError }: GraphQLError) => originalError instanceof Error;

const isFault = (error: GraphQLError) => isOfResolver(error) && asProblem(error).status >= 500;

const LINE_ENDS = /\r\n|[\n\r]/g;

/** An error of compiled code, which knows only line and column, as graphql-js would make it. */
function locate({ message, locations = [], path, originalError }: GraphQLError, { loc }: DocumentNode): GraphQLError {
  const { source } = loc ?? {};
  const lines = [0, ...Array.from(source?.body.matchAll(LINE_ENDS) ?? [], ({ index, 0: end }) => index + end.length)];
  return new GraphQLError(message, {
    source: source ?? null,
    positions: locations.map(({ line, column }) => (lines[line - 1] ?? 0) + column - 1),
    path: path ?? null,
    originalError: originalError ?? null,
  });
}
