/** Documents of our own, compiled once at start and run in process on the resolvers that GraphQL has. */
import { GraphQLError, parse } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { schema } from './schema.ts';

/**
 * Compiles a document. It is run with a root value, a context and variables.
 *
 * @throws {GraphQLError} when it does not fit the schema.
 */
export function compileDocument(document: string): CompiledQuery['query'] {
  const compiled = compileQuery(schema(), parse(document));
  if (!isCompiledQuery(compiled)) {
    throw new GraphQLError(`This does not compile: ${compiled.errors?.[0]?.message}\n${document}`);
  }
  return compiled.query;
}
