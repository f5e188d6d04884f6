/**
 * Runs documents that the operator trusts, which clients send by hash: in `extensions.persistedQuery`, as Apollo's clients do, or as
 * `documentId` (GraphQL over HTTP, appendix "Persisted Documents"). Runs before the access check, which needs the document's price.
 */
import { defaultExtractPersistedOperationId, usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import type { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { Problem } from '../problem.ts';
import { refusal } from './errors.ts';

export interface TrustedDocuments {
  /** The documents by their SHA-256 hashes. */
  documents: ReadonlyMap<string, string>;
  /** Whether all other documents are refused. */
  isOnly: boolean;
}

export function useTrustedDocuments({ documents, isOnly }: TrustedDocuments): Plugin {
  return usePersistedOperations({
    allowArbitraryOperations: !isOnly,
    extractPersistedOperationId: (params, { url }) => hashOf(params, () => new URL(url).searchParams.get('documentId')),
    getPersistedOperation: (hash) => documentOf(documents, hash) ?? null,
    customErrors: {
      notFound: () => unknownDocument(documents.size > 0, isOnly),
      keyNotFound: () => (isOnly ? untrustedDocument() : nothingAsked()),
      persistedQueryOnly: untrustedDocument,
    },
  });
}

/** The text of the document that a POST without parameters in its URL asks for; `undefined` if it must be refused. */
export function textOf(params: WithDocumentId, { documents, isOnly }: TrustedDocuments): string | undefined {
  if (params.query) return isOnly ? undefined : params.query;
  const hash = hashOf(params, () => null);
  return hash === null ? undefined : documentOf(documents, hash);
}

type WithDocumentId = GraphQLParams & { documentId?: unknown };

const hashOfApollo = defaultExtractPersistedOperationId as (params: GraphQLParams) => string | null;

/** The hash in `documentId`, from the body or the URL, or in Apollo's extension. */
function hashOf(params: WithDocumentId, inUrl: () => string | null): string | null {
  const documentId = params.documentId ?? inUrl();
  return typeof documentId === 'string' && documentId !== '' ? documentId : hashOfApollo(params);
}

/** With the algorithm as a prefix (the specification) or without (Apollo). */
const documentOf = (documents: TrustedDocuments['documents'], hash: string) =>
  documents.get(hash.replace(/^sha256:/, ''));

function unknownDocument(hasDocuments: boolean, isOnly: boolean): GraphQLError {
  const why = hasDocuments ? 'No trusted document has this hash' : 'This service has no trusted documents';
  const what = isOnly ? 'ask the operator to add the document' : 'send the operation itself as `query`';
  return refusal(new Problem('unknown_document', `${why}: ${what}.`, { parameter: 'documentId' }));
}

function untrustedDocument(): GraphQLError {
  const detail =
    'This service runs trusted documents only: send the hash of one as `documentId`, or ask the operator to add yours.';
  return refusal(new Problem('untrusted_document', detail, { parameter: 'query' }));
}

function nothingAsked(): GraphQLError {
  const detail =
    'The request has no operation: send one as `query`, such as {"query": "{ plans { id } }"}, or the hash of a trusted document as `documentId`.';
  return refusal(new Problem('invalid_parameter', detail, { parameter: 'query' }));
}
