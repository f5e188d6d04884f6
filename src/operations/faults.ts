/** From whatever was thrown to what the client may see of it. What is no `Problem` is a fault of ours and goes to the log. */
import { isUnavailable } from '../database/database.ts';
import { Problem } from '../problem.ts';

const RETRY_AFTER_SECONDS = 5;

/** The problem that an error is for the client; an unknown error becomes `internal_error` with nothing of its insides. */
export function asProblem(error: unknown): Problem {
  const original = originalOf(error);
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

/** What a resolver has thrown, out of the error that an executor has put around it: each executor has its own class. */
export function originalOf(error: unknown): unknown {
  const isWrapped = error instanceof Error && 'originalError' in error && error.originalError instanceof Error;
  return isWrapped ? originalOf(error.originalError) : error;
}
