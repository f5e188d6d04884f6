/** Parses a request's parameters from its URL. */
import type { z } from 'zod';
import { Problem } from '../problem.ts';
import type { ParameterValues } from './route.ts';

/**
 * Parses path and query parameters by a route's shape. Other names are ignored (decisions §5).
 *
 * @throws {Problem} `invalid_parameter` for the first one that is repeated, malformed or out of range.
 */
export function parseParameters(
  shape: z.ZodObject,
  path: Readonly<Record<string, string>>,
  query: URLSearchParams,
): ParameterValues {
  const given: Record<string, string> = {};
  for (const name of Object.keys(shape.shape)) {
    const values = path[name] === undefined ? query.getAll(name) : [path[name]];
    if (values.length > 1) {
      throw new Problem('invalid_parameter', `\`${name}\` was sent ${values.length} times: send it once.`, {
        parameter: name,
      });
    }
    if (values[0] !== undefined) given[name] = values[0];
  }
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const parameter = String(issue?.path[0] ?? '');
  if (given[parameter] === undefined) {
    throw new Problem('invalid_parameter', `\`${parameter}\` is missing: send it.`, { parameter });
  }
  throw new Problem('invalid_parameter', `\`${parameter}\`: ${issue?.message ?? 'not valid'}.`, {
    parameter,
    ...(issue?.code === 'invalid_value' && { allowed: issue.values.map(String) }),
  });
}
