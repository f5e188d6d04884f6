/** Runs operations with graphql-js itself, which returns members in the order of the query, as the GraphQL specification requires. */
import { execute } from 'graphql';
import type { Plugin } from 'graphql-yoga';

export function useOrderedExecution(): Plugin {
  return {
    onExecute: ({ setExecuteFn }) => setExecuteFn(execute),
  };
}
