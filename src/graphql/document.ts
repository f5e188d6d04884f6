/** GraphQL documents with the types of their results and variables, which `npm run codegen` writes to `documents.ts`. */
import type { Documents } from './documents.ts';

/** The text of a document. The types exist only for the compiler. */
export type Document<Result, Variables> = string & { readonly __types?: (variables: Variables) => Result };

/** The result of a document. @example type Deals = ResultOf<typeof DOCUMENT>['deals'] */
export type ResultOf<Of> = Of extends Document<infer Result, infer _Variables> ? Result : never;

/** Gives a document its types, which `npm run codegen` generates. @example graphql(`query Plans { plans { id } }`) */
export function graphql<Text extends keyof Documents>(
  text: Text,
): Document<Documents[Text]['result'], Documents[Text]['variables']> {
  return text;
}
