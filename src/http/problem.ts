/** Problems in the format of RFC 9457. */
import { maskSecrets } from '../access/secret.ts';
import type { Problem } from '../problem.ts';
import type { Answer } from './exchange.ts';

/** The body of a problem. @param publicUrl the base URL of its `type`. */
export function problemBody(problem: Problem, publicUrl: string): Record<string, unknown> {
  return {
    type: `${publicUrl}/docs/errors#${problem.code}`,
    title: problem.title,
    status: problem.status,
    // Details may repeat a key from the request, which must not end up where answers are stored.
    detail: maskSecrets(problem.message),
    code: problem.code,
    ...(problem.parameter !== undefined && { parameter: problem.parameter }),
    ...(problem.allowed !== undefined && { allowed: problem.allowed }),
  };
}

/** The answer for a problem, which caches must not store. */
export function problemAnswer(problem: Problem, publicUrl: string): Answer & { body: string } {
  const body = JSON.stringify(problemBody(problem, publicUrl));
  return {
    status: problem.status,
    headers: {
      ...problem.headers,
      'Content-Type': 'application/problem+json',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
    },
    body,
  };
}
