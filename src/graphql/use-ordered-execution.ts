/** Runs operations with graphql-js itself, whose answers have their members in the order of the query, as GraphQL asks. */
import { execute } from 'graphql';
import type { Plugin } from 'graphql-yoga';

export function useOrderedExecution(): Plugin {
  return {
    onExecute: ({ setExecuteFn }) => setExecuteFn(execute),
  };
}
