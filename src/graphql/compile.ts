/** Compiles the service's own documents at startup. They run in process on the GraphQL resolvers. */
import { GraphQLError, parse } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { schema } from './schema.ts';

/** Compiles a document to a function of root value, context and variables. @throws {GraphQLError} if it does not match the schema. */
export function compileDocument(document: string): CompiledQuery['query'] {
  const compiled = compileQuery(schema(), parse(document));
  if (!isCompiledQuery(compiled)) {
    throw new GraphQLError(`The document does not compile: ${compiled.errors?.[0]?.message}\n${document}`);
  }
  return compiled.query;
}
