/** Renders problems as GraphQL errors: in `extensions`, with the HTTP status if the whole request is refused. */
import { GraphQLError } from 'graphql';
import { maskSecrets } from '../access/secret.ts';
import { asProblem, originalOf } from '../operations/faults.ts';
import { Problem } from '../problem.ts';

/** The error for a request that is refused as a whole, with the problem's HTTP status. */
export function refusal(error: unknown): GraphQLError {
  const problem = asProblem(error);
  return asError(problem, { status: problem.status, headers: problem.headers });
}

/**
 * Whether GraphQL itself rejects the document, the values of its variables or an argument. That is the client's mistake and keeps
 * GraphQL's own message. An invalid value from a resolver is an internal error; it has a path, and names no place in the document.
 */
export function isMistake(error: unknown): error is GraphQLError {
  if (!(error instanceof GraphQLError)) return false;
  const original = originalOf(error);
  return (
    original === error ||
    (original instanceof GraphQLError && (error.path === undefined || original.nodes !== undefined))
  );
}

/**
 * The error of a field as the client sees it. A client's mistake does not change the HTTP status, because other fields may have succeeded.
 * An internal error, or a subscription over the limit, sets the status and is not charged. Names are suggested if `hasSuggestions`.
 */
export function maskError(error: unknown, hasSuggestions: boolean): GraphQLError {
  if (error instanceof GraphQLError && error.originalError instanceof Problem && error.extensions.http) return error; // A refusal.
  if (isMistake(error)) return inItsWords(hasSuggestions ? error : withoutSuggestion(error));
  const problem = asProblem(error);
  if (problem.status >= 500 || problem.status === 429) return withPlace(error, refusal(problem));
  return withPlace(error, asError(problem, { status: 200 }));
}

function asError(problem: Problem, http: { status: number; headers?: Record<string, string> }): GraphQLError {
  const { code, status, parameter, allowed } = problem;
  const details = { ...(parameter !== undefined && { parameter }), ...(allowed !== undefined && { allowed }) };
  return new GraphQLError(maskSecrets(problem.message), {
    originalError: problem,
    extensions: { code, status, ...details, http },
  });
}

/** GraphQL's own error, with a code. */
function inItsWords(error: GraphQLError): GraphQLError {
  // Yoga sets a code for errors in documents, so the remaining errors concern the values of variables.
  if (error.extensions.code !== undefined) {
    // Yoga puts the error of `JSON.parse` here, which quotes the body. It reads the member again to choose the status, so it is only hidden.
    if (error.extensions.originalError) Object.defineProperty(error.extensions, 'originalError', { enumerable: false });
    return withoutSecrets(error);
  }
  return withPlace(
    error,
    new GraphQLError(shown(error.message), { extensions: { code: 'invalid_parameter', status: 400 } }),
  );
}

/** The error as clients see it: keys masked, since responses are stored and shared, and long quotations shortened. */
export function withoutSecrets(error: GraphQLError): GraphQLError {
  return withMessage(error, shown(error.message));
}

/** The most characters at each end of a message that are shown: graphql-js quotes what is wrong in full, in each of its errors. */
const MOST_SHOWN = 500;

/** A message with keys masked, and without the middle of a long quotation. */
function shown(message: string): string {
  const masked = maskSecrets(message);
  if (masked.length <= 2 * MOST_SHOWN) return masked;
  return `${masked.slice(0, MOST_SHOWN)} … ${masked.slice(-MOST_SHOWN)}`;
}

// Bounded, so that matching stays linear in the length of the message.
const SUGGESTION = / ?Did you mean [^?]{0,500}\?/g;

/** The error without suggested names, which would reveal the schema name by name. */
export function withoutSuggestion(error: GraphQLError): GraphQLError {
  return withMessage(error, error.message.replace(SUGGESTION, ''));
}

function withMessage(error: GraphQLError, message: string): GraphQLError {
  const { extensions } = error;
  return message === error.message ? error : withPlace(error, new GraphQLError(message, { extensions }));
}

function withPlace(error: unknown, masked: GraphQLError): GraphQLError {
  if (!(error instanceof GraphQLError)) return masked;
  const { nodes, source, positions, path } = error;
  return new GraphQLError(masked.message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    originalError: masked.originalError ?? null,
    extensions: masked.extensions,
  });
}
