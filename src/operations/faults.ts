/** Turns thrown errors into problems for the client. An error that is not a `Problem` is a server error, whose details only go to the log. */
import { isUnavailable } from '../database/database.ts';
import { Problem } from '../problem.ts';

/** The problem to show to the client; an unknown error becomes `internal_error` without its details. */
export function asProblem(error: unknown): Problem {
  const original = originalOf(error);
  if (original instanceof Problem) return original;
  if (isUnavailable(original)) {
    const headers = { 'Retry-After': '5' };
    const detail = 'The database is unavailable: try again in a few seconds.';
    return new Problem('unavailable', detail, { headers, cause: original });
  }
  const detail = 'The server failed unexpectedly: try again, and report the X-Request-Id if it keeps failing.';
  return new Problem('internal_error', detail, { cause: original });
}

/** The error that a resolver threw, unwrapped from the executor's error; each executor has its own class. */
export function originalOf(error: unknown): unknown {
  const isWrapped = error instanceof Error && 'originalError' in error && error.originalError instanceof Error;
  return isWrapped ? originalOf(error.originalError) : error;
}
