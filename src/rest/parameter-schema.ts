/** Descriptions of parameters, derived from the types that check them. */
import { z } from 'zod';
import type { JsonSchema } from './openapi-schema.ts';

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
