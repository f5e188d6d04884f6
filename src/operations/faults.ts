/** From whatever was thrown to what the client may see of it. What is no `Problem` is a fault of ours and goes to the log. */
import { GraphQLError } from 'graphql';
import { isUnavailable } from '../database/database.ts';
import { Problem } from '../problem.ts';

const RETRY_AFTER_SECONDS = 5;

/** The problem that an error is for the client; an unknown error becomes `internal_error` with nothing of its insides. */
export function asProblem(error: unknown): Problem {
  const original = error instanceof GraphQLError && error.originalError ? error.originalError : error;
  if (original instanceof Problem) return original;
  if (isUnavailable(original)) {
    return new Problem('unavailable', 'The database cannot be reached now: try again in a few seconds.', {
      headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      cause: original,
    });
  }
  return new Problem(
    'internal_error',
    'Something went wrong here: try again, and name the X-Request-Id if it goes on.',
    {
      cause: original,
    },
  );
}
