/** GraphQL documents with the types of what they give and take, which `npm run codegen` writes into `documents.ts`. */
import type { Documents } from './documents.ts';

/** The text of a document; the types are for the compiler alone. */
export type Document<Result, Variables> = string & { readonly __types?: (variables: Variables) => Result };

/**
 * Gives a document its types. One that is not known yet does not compile: `npm run codegen` makes it known.
 *
 * @example graphql(`query Plans { plans { id } }`)
 */
export function graphql<Text extends keyof Documents>(
  text: Text,
): Document<Documents[Text]['result'], Documents[Text]['variables']> {
  return text;
}
