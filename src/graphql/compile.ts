/** Compiles documents with graphql-jit: those of the service at startup, and those that clients repeat (`executor.ts`). */
import { type DocumentNode, GraphQLError, parse } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { schema } from './schema.ts';

/** A function of root value, context and variables. */
export type Compiled = CompiledQuery['query'];

/** Compiles one of the service's own documents, which run in process. @throws {GraphQLError} if it does not match the schema. */
export function compileDocument(document: string): Compiled {
  const compiled = compileQuery(schema(), parse(document));
  if (!isCompiledQuery(compiled)) {
    throw new GraphQLError(`The document does not compile: ${compiled.errors?.[0]?.message}\n${document}`);
  }
  return compiled.query;
}

/**
 * Compiles an operation of a client's document; `undefined` if graphql-jit cannot. The text becomes part of JavaScript code, so call
 * this only for operations that {@link sizeToCompile} allows.
 */
export function compileOperation(document: DocumentNode, name: string | undefined): Compiled | undefined {
  const compiled = compileQuery(schema(), document, name, { disablingCapturingStackErrors: true });
  return isCompiledQuery(compiled) ? compiled.query : undefined;
}
