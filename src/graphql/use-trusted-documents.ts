/**
 * Documents that the operator trusts, named by their hashes: as Apollo's clients do it in `extensions.persistedQuery`, and as
 * `documentId` (GraphQL over HTTP, appendix "Persisted Documents"). Stands before access, which prices what is named.
 */
import { defaultExtractPersistedOperationId, usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import type { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { Problem } from '../problem.ts';
import { refusal } from './errors.ts';
import { exchangeOf } from './exchange-of.ts';

export interface TrustedDocuments {
  /** The documents by their SHA-256 hashes. */
  documents: ReadonlyMap<string, string>;
  /** Whether all others are refused. */
  isOnly: boolean;
}

export function useTrustedDocuments({ documents, isOnly }: TrustedDocuments): Plugin {
  return usePersistedOperations({
    allowArbitraryOperations: !isOnly,
    extractPersistedOperationId: (params, request, context) =>
      documentIdOf(params, exchangeOf(request).search) ?? defaultExtractPersistedOperationId(params, request, context),
    // With or without the algorithm before it, as the specification and Apollo have it.
    getPersistedOperation: (hash) => documents.get(hash.replace(/^sha256:/, '')) ?? null,
    customErrors: {
      notFound: () => unknownDocument(documents.size > 0, isOnly),
      keyNotFound: () => (isOnly ? untrustedDocument() : nothingAsked()),
      persistedQueryOnly: untrustedDocument,
    },
  });
}

/** The hash in `documentId`, in the body or in the address. */
function documentIdOf(params: GraphQLParams & { documentId?: unknown }, search: string): string | undefined {
  const documentId = params.documentId ?? new URLSearchParams(search).get('documentId');
  return typeof documentId === 'string' && documentId !== '' ? documentId : undefined;
}

function unknownDocument(areThereAny: boolean, isOnly: boolean): GraphQLError {
  const why = areThereAny ? 'No trusted document has this hash' : 'This service has no trusted documents';
  const what = isOnly ? 'ask the operator to add the document' : 'send the operation itself as `query`';
  return refusal(new Problem('unknown_document', `${why}: ${what}.`, { parameter: 'documentId' }));
}

function untrustedDocument(): GraphQLError {
  const detail =
    'This service runs trusted documents alone: send the hash of one as `documentId`, or ask the operator to add yours.';
  return refusal(new Problem('untrusted_document', detail, { parameter: 'query' }));
}

function nothingAsked(): GraphQLError {
  const detail =
    'Send an operation as `query`, such as {"query": "{ plans { id } }"}, or the hash of one as `documentId`.';
  return refusal(new Problem('invalid_parameter', detail, { parameter: 'query' }));
}
