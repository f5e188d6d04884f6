/** Problems as GraphQL writes them down: in `extensions`, with the HTTP status when the whole request is refused. */
import { GraphQLError } from 'graphql';
import { asProblem, originalOf } from '../operations/faults.ts';
import { Problem } from '../problem.ts';
import { withoutSuggestion } from './use-no-suggestions.ts';

/** The error of a request that is refused whole: its HTTP status is the problem's. */
export function refusal(error: unknown): GraphQLError {
  const problem = asProblem(error);
  return new GraphQLError(problem.message, {
    originalError: problem,
    extensions: { ...extensionsOf(problem), http: { status: problem.status, headers: problem.headers } },
  });
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
  const problem = asProblem(error);
  if (error instanceof GraphQLError && originalOf(error) === error) {
    // Syntax and validation: GraphQL's own words.
    return hasSuggestions ? error : withoutSuggestion(error);
  }
  if (problem.status >= 500 || problem.status === 429) return withPlace(error, refusal(problem));
  return withPlace(
    error,
    new GraphQLError(problem.message, { originalError: problem, extensions: extensionsOf(problem) }),
  );
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
