/** Problems as GraphQL writes them down: in `extensions`, with the HTTP status when the whole request is refused. */
import { GraphQLError } from 'graphql';
import { maskSecrets } from '../access/secret.ts';
import { asProblem, originalOf } from '../operations/faults.ts';
import { Problem } from '../problem.ts';
import { withoutSuggestion } from './use-no-suggestions.ts';

/** The error of a request that is refused whole: its HTTP status is the problem's. */
export function refusal(error: unknown): GraphQLError {
  const problem = asProblem(error);
  return asError(problem, { status: problem.status, headers: problem.headers });
}

/**
 * Whether GraphQL itself finds fault with what was asked, the document or the values of its variables: a mistake of the client's,
 * told in GraphQL's own words. What it finds wrong with what a field has given is a failure of ours, and has a path.
 */
export function isMistake(error: unknown): error is GraphQLError {
  if (!(error instanceof GraphQLError)) return false;
  const original = originalOf(error);
  return original === error || (original instanceof GraphQLError && error.path === undefined);
}

/** Makes what shows errors to clients. @param hasSuggestions whether they may be told the names that they may have meant. */
export function openErrorMask(hasSuggestions: boolean): (error: unknown) => Error {
  return (error) => maskError(error, hasSuggestions);
}

/**
 * The error of a field as the client may see it. A client's mistake leaves the HTTP status alone, since other fields may
 * have answered; a failure of ours, and a subscription too many, show in it and are not charged.
 */
function maskError(error: unknown, hasSuggestions: boolean): Error {
  if (error instanceof GraphQLError && error.originalError instanceof Problem && error.extensions.http) return error; // A refusal.
  if (isMistake(error)) return inItsWords(hasSuggestions ? error : withoutSuggestion(error));
  const problem = asProblem(error);
  if (problem.status >= 500 || problem.status === 429) return withPlace(error, refusal(problem));
  return withPlace(error, asError(problem, { status: 200 }));
}

function asError(problem: Problem, http: { status: number; headers?: Record<string, string> }): GraphQLError {
  return new GraphQLError(maskSecrets(problem.message), {
    originalError: problem,
    extensions: { ...extensionsOf(problem), http },
  });
}

/** The error with a code. */
function inItsWords(error: GraphQLError): GraphQLError {
  // Yoga names what is wrong with documents; what is left are the values of variables.
  if (error.extensions.code !== undefined) return withoutSecrets(error);
  return withPlace(
    error,
    new GraphQLError(maskSecrets(error.message), { extensions: { code: 'invalid_parameter', status: 400 } }),
  );
}

/** The error without a key that a client has sent in a wrong place: answers are kept and shown to others. */
export function withoutSecrets(error: GraphQLError): GraphQLError {
  const message = maskSecrets(error.message);
  return message === error.message
    ? error
    : withPlace(error, new GraphQLError(message, { extensions: error.extensions }));
}

function extensionsOf({ code, status, parameter, allowed }: Problem): Record<string, unknown> {
  return { code, status, ...(parameter !== undefined && { parameter }), ...(allowed !== undefined && { allowed }) };
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
