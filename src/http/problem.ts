/** A problem as RFC 9457 writes it down. */
import { maskSecrets } from '../access/secret.ts';
import type { Problem } from '../problem.ts';
import type { Answer } from './exchange.ts';

/** The body of a problem; `publicUrl` is what the address of its `type` begins with. */
export function problemBody(problem: Problem, publicUrl: string): Record<string, unknown> {
  return {
    type: `${publicUrl}/docs/errors#${problem.code}`,
    title: problem.title,
    status: problem.status,
    // Details repeat what was asked; a key among it may be kept by whoever keeps answers.
    detail: maskSecrets(problem.message),
    code: problem.code,
    ...(problem.parameter !== undefined && { parameter: problem.parameter }),
    ...(problem.allowed !== undefined && { allowed: problem.allowed }),
  };
}

/** The answer that tells of a problem, never to be kept by a cache. */
export function problemAnswer(problem: Problem, publicUrl: string): Answer {
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
