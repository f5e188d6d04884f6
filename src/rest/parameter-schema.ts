/** What is said of parameters, derived from the types by which they are checked. */
import { z } from 'zod';
import type { JsonSchema } from './openapi-schema.ts';

export interface DescribedParameter {
  name: string;
  isRequired: boolean;
  description: string | undefined;
  /** Of the value that the text of an address stands for: a number is a number here. */
  schema: JsonSchema;
  example: unknown;
}

/** The parameters of a row, in its order. */
export function describeParameters(parameters: z.ZodObject): DescribedParameter[] {
  return Object.entries(parameters.shape).map(([name, type]) => {
    const { $schema: _, description, example, ...schema } = z.toJSONSchema(type as z.ZodType, { io: 'output' });
    return { name, isRequired: !(type as z.ZodType).safeParse(undefined).success, description, schema, example };
  });
}
