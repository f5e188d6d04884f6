/** Tells what is wrong with a document without the names that were meant: they would give the schema away name by name. */
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';

// Bounded, so that a message which repeats these words costs no more than its length.
const SUGGESTION = / ?Did you mean [^?]{0,500}\?/g;

/** An error without the names that it suggests. */
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
