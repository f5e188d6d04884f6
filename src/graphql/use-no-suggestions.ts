/** Removes suggested names from validation errors, because they would reveal the schema name by name. */
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';

// Bounded, so that matching stays linear in the length of the message.
const SUGGESTION = / ?Did you mean [^?]{0,500}\?/g;

/** A copy of the error without suggested names. */
export function withoutSuggestion(error: GraphQLError): GraphQLError {
  const { message, nodes, source, positions, path, extensions } = error;
  return new GraphQLError(message.replace(SUGGESTION, ''), {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    extensions,
  });
}

export function useNoSuggestions(): Plugin {
  return {
    onValidate:
      () =>
      ({ result, setResult }) => {
        if (result.length > 0)
          setResult(result.map((error: Error) => (error instanceof GraphQLError ? withoutSuggestion(error) : error)));
      },
  };
}
