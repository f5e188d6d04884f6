/** Runs the service's own documents in process, for pages. */
import type { Context } from '../catalogue/builder.ts';
import { compileDocument } from './compile.ts';
import type { Document } from './document.ts';

/**
 * Compiles a document.
 * @returns the function that runs it, and throws the first error of its fields.
 * @example const read = openQuery(graphql(`query Plans { plans { id } }`)); const { plans } = await read(context, {});
 */
export function openQuery<Result, Variables extends object>(
  document: Document<Result, Variables>,
): (context: Context, variables: Variables) => Promise<Result> {
  const query = compileDocument(document);
  return async (context, variables) => {
    const { data, errors } = await query({}, context, variables);
    if (errors?.[0]) throw errors[0];
    return data as Result;
  };
}
