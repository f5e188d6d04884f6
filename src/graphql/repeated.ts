/**
 * Runs queries whose documents Yoga has already parsed, validated and run, without a Fetch `Request` and `Response` and without
 * Yoga's hooks, which together cost more than the query itself. Everything unusual is left to Yoga: the first use of a document,
 * GET, subscriptions, event streams, unknown media types and members, and the rendering of errors.
 */
import { type DocumentNode, type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { Context } from '../catalogue/builder.ts';
import { type Answer, type Exchange, headerOf } from '../http/exchange.ts';
import type { Tracing } from '../operations/tracing.ts';
import { dataAnswer } from './answer.ts';
import { openExecutor, type Query } from './executor.ts';
import { acceptOf } from './media-type.ts';
import { findOperation, readDocument } from './operation.ts';
import type { OperationAccess } from './operation-access.ts';
import type { ServerPlugin } from './server-context.ts';
import type { NameOperation } from './use-operation-names.ts';
import { inSpan } from './use-traces.ts';
import { type TrustedDocuments, textOf } from './use-trusted-documents.ts';

/** A query that can be run without Yoga. */
interface RepeatedQuery extends Query {
  query: string;
  operationName: string | null | undefined;
  /** The `Content-Type` that Yoga chooses for the client. */
  mediaType: string;
}

interface RepeatedServices {
  /** What all requests share. */
  shared: Omit<Context, 'access'>;
  access: OperationAccess;
  name: NameOperation;
  trusted: TrustedDocuments;
  /** The error as the client sees it. */
  mask(error: unknown): GraphQLError;
  tracing: Tracing | undefined;
}

// The values of `Accept` whose media type is remembered.
const MOST_ACCEPTED = 100;

const MEMBERS: ReadonlySet<string> = new Set(['query', 'operationName', 'variables', 'extensions', 'documentId']);

/** @param documents the documents that Yoga has parsed, by their texts. */
export function openRepeated(
  documents: { get(text: string): DocumentNode | undefined },
  { shared, access, name, trusted, mask, tracing }: RepeatedServices,
) {
  const executor = openExecutor();
  /** The documents that were valid. */
  const ran = new WeakSet<DocumentNode>();
  const requests = new WeakSet<Exchange>();
  const mediaTypes = new LRUCache<string, string>({ max: MOST_ACCEPTED });

  const plugin: ServerPlugin = {
    onExecute({ args: { document, contextValue } }) {
      ran.add(document);
      requests.add(contextValue.exchange);
    },
  };

  return {
    /** Notes which documents Yoga executes. */
    plugin,
    /** Notes which media type Yoga chooses. */
    learn(exchange: Exchange, answer: Answer): Answer {
      const type = answer.headers['Content-Type'];
      const accepted = acceptOf(exchange);
      const isData = answer.status === 200 && /^application\/(graphql-response\+)?json;/.test(type ?? '');
      if (isData && type !== undefined && requests.has(exchange)) {
        mediaTypes.set(accepted, type);
      }
      return answer;
    },
    /** Reads the query of a POST. Returns `undefined` if Yoga must answer it. */
    read(exchange: Exchange, body: string): RepeatedQuery | undefined {
      const type = headerOf(exchange, 'content-type');
      if (type !== 'application/json' && !type?.startsWith('application/json;')) return undefined;
      const mediaType = mediaTypes.get(acceptOf(exchange));
      if (mediaType === undefined || exchange.search !== '') return undefined;
      const params = parseParams(body);
      const query = params && textOf(params, trusted);
      const document = query === undefined ? undefined : documents.get(query);
      if (!params || query === undefined || !document || !ran.has(document)) return undefined;
      const { operationName, variables } = params;
      const operation = findOperation(readDocument(query), operationName);
      if (operation?.operation.operation !== OperationTypeNode.QUERY) return undefined;
      return { query, operationName, variables, document, operation, mediaType };
    },
    /** Runs the query. Returns the answer, or a result with errors for Yoga to render. */
    async run(exchange: Exchange, asked: RepeatedQuery): Promise<Answer | ExecutionResult> {
      name(exchange, asked);
      const refused = await access.admit(exchange, asked);
      if (refused) return refused;
      const work = () => executor.run(asked, { ...shared, access: exchange.access });
      const result = await (tracing ? inSpan(tracing, exchange, 'query', work) : work()).catch(failed);
      if (result.errors) return { ...result, errors: result.errors.map(mask) };
      return (await access.settled(exchange)) ?? dataAnswer(result.data, asked.mediaType);
    },
  };
}

const failed = (error: Error): ExecutionResult => ({
  errors: [new GraphQLError(error.message, { originalError: error })],
});

/** The members of a body; `undefined` if it is not JSON, or a member is unknown or of another type than expected. */
function parseParams(body: string): (GraphQLParams & { documentId?: unknown }) | undefined {
  let params: Record<string, unknown>;
  try {
    params = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (!isObject(params)) return undefined;
  for (const member in params) if (!MEMBERS.has(member)) return undefined;
  const { query, operationName, variables, extensions } = params;
  const isExpected =
    (query == null || typeof query === 'string') &&
    (operationName == null || typeof operationName === 'string') &&
    (variables == null || isObject(variables)) &&
    (extensions == null || isObject(extensions));
  return isExpected ? params : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
