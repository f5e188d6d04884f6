/** Parses a route's parameters from the URL, and describes them. Both derive from the types in the route table. */
import * as z from 'zod';
import { Problem } from '../problem.ts';
import type { JsonSchema } from './body-schema.ts';
import type { ParameterValues } from './route.ts';

/** Parses path and query parameters by a route's shape; ignores other names. @throws {Problem} `invalid_parameter` for the first bad one. */
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

export interface DescribedParameter {
  name: string;
  isRequired: boolean;
  description: string | undefined;
  /** The schema of the parsed value: a number in the URL is a number here. */
  schema: JsonSchema;
  example: unknown;
}

/** The parameters of a route, in its order. */
export function describeParameters(parameters: z.ZodObject): DescribedParameter[] {
  return Object.entries(parameters.shape).map(([name, type]) => {
    const { $schema: _, description, example, ...schema } = z.toJSONSchema(type as z.ZodType, { io: 'output' });
    return { name, isRequired: !(type as z.ZodType).safeParse(undefined).success, description, schema, example };
  });
}
