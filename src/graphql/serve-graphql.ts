/** Serves GraphQL with Yoga as an ordinary handler, so that GraphQL and REST share the same access checks. */
import { type DocumentNode, type ExecutionArgs, type ExecutionResult, execute, type GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Context } from '../catalogue/builder.ts';
import { type BodyRule, type Exchange, type Handler, headerOf } from '../http/exchange.ts';
import type { FreeWork } from '../http/free-work.ts';
import { asProblem } from '../operations/faults.ts';
import type { Log } from '../operations/log.ts';
import type { Tracing } from '../operations/tracing.ts';
import { Problem } from '../problem.ts';
import { answerOf, refusedAnswer } from './answer.ts';
import { maskError, refusal } from './errors.ts';
import { openFreeOperations } from './free-operations.ts';
import { openLimits } from './limits.ts';
import { acceptOf } from './media-type.ts';
import { keepByText } from './operation.ts';
import { openOperationAccess } from './operation-access.ts';
import { openRepeated } from './repeated.ts';
import { schema } from './schema.ts';
import type { ServerContext } from './server-context.ts';
import { useBoundedValidation } from './use-bounded-validation.ts';
import { useErrorLog } from './use-error-log.ts';
import { useEventStreams } from './use-event-streams.ts';
import { useGraphqlAccess } from './use-graphql-access.ts';
import { openOperationNames, useOperationNames } from './use-operation-names.ts';
import { useTraces } from './use-traces.ts';
import { type TrustedDocuments, useTrustedDocuments } from './use-trusted-documents.ts';
import { MOST_VARIABLE_ERRORS } from './variable-limits.ts';

export const GRAPHQL_PATH = '/graphql';
export const GRAPHQL_METHODS = ['GET', 'HEAD', 'POST'];

const MOST_BYTES = 262_144;
/** The limit without a key: enough for a free document (`limits.ts`), its escapes and the operation's name. */
const MOST_BYTES_WITHOUT_KEY = 16_384;

export interface GraphqlOptions {
  trusted: TrustedDocuments;
  /** Whether clients may query the schema itself. */
  hasIntrospection: boolean;
  /** Absent if tracing is off. */
  tracing?: Tracing | undefined;
  /** Gives free operations their turn. */
  freeWork: FreeWork;
}

/** Allows no body if the key is malformed, and a shorter one without a key. */
export const graphqlBodyRule: BodyRule = (exchange) => {
  if (exchange.access.isMalformed()) return 0;
  return headerOf(exchange, 'x-api-key') ? MOST_BYTES : MOST_BYTES_WITHOUT_KEY;
};

/** Executes with graphql-js itself, which returns members in the order of the query, as the GraphQL specification requires. */
const IN_ORDER: Plugin = {
  onExecute: ({ setExecuteFn }) =>
    setExecuteFn((args: ExecutionArgs) => execute({ ...args, options: { maxCoercionErrors: MOST_VARIABLE_ERRORS } })),
};

/** Makes the handler of `/graphql`, which prices each operation by its root fields. */
export function serveGraphql(
  shared: Omit<Context, 'access'>,
  log: Log,
  { trusted, hasIntrospection, tracing, freeWork }: GraphqlOptions,
): Handler {
  const free = openFreeOperations(freeWork);
  const access = openOperationAccess(openLimits(schema(), hasIntrospection), free.enter);
  const name = openOperationNames();
  // Without introspection, errors must not suggest names either.
  const mask = (error: unknown) => maskError(error, hasIntrospection);
  const documents = keepByText<DocumentNode>();
  const repeated = openRepeated(documents, { shared, access, name, trusted, mask, tracing });
  const yoga = createYoga<ServerContext, Context>({
    schema: schema(),
    graphqlEndpoint: GRAPHQL_PATH,
    landingPage: false,
    logging: false,
    // GraphiQL has its own route (`web/graphiql.tsx`).
    graphiql: false,
    maskedErrors: { maskError: mask },
    // Yoga's default caches limit the number of documents, not their size.
    parserAndValidationCache: { documentCache: documents, errorCache: keepByText() },
    // Disables Yoga's health check, which would answer every path with this ending: no path ends with `#`.
    healthCheckEndpoint: '#',
    cors: false,
    // The schema has no uploads, and a form without a boundary would cause an internal error.
    multipart: false,
    // Yoga's own stream starts only when it is read: if the client has disconnected by then, its subscription would stay open.
    fetchAPI: { ReadableStream },
    context: ({ exchange, events }) => ({ ...shared, access: exchange.access, ...(events && { events }) }),
    extraParamNames: ['documentId'],
    plugins: [
      useTrustedDocuments(trusted),
      useOperationNames(name),
      useGraphqlAccess(access),
      useBoundedValidation(hasIntrospection),
      useEventStreams(),
      IN_ORDER,
      repeated.plugin,
      ...(tracing ? [useTraces(tracing)] : []),
      useErrorLog(log),
    ],
  });

  /** Renders a known result in the media type that the client accepts, without reading the request itself. */
  const render = async (exchange: Exchange, result: ExecutionResult, isFinal: boolean) => {
    const unread = new yoga.fetchAPI.Request(`http://localhost${exchange.pathname}?query=%7B`, {
      headers: { accept: acceptOf(exchange) },
    });
    return answerOf(await yoga.fetch(unread, { exchange, result, isFinal }));
  };

  const refuse = (exchange: Exchange, error: GraphQLError) => {
    name(exchange, {});
    return refusedAnswer(error, acceptOf(exchange)) ?? render(exchange, { errors: [error] }, true);
  };

  const answer = async (exchange: Exchange, body: string | null) => {
    const { method, pathname, search, headers } = exchange;
    const query = body === null ? undefined : repeated.read(exchange, body);
    if (query) {
      const ran = await repeated.run(exchange, query);
      return 'status' in ran ? ran : render(exchange, ran, false);
    }
    // Yoga gets no signal when the client disconnects: stopping there would abandon charges and reads halfway.
    const request = new yoga.fetchAPI.Request(`http://localhost${pathname}${search}`, {
      // Yoga supports only GET and POST, so HEAD runs as GET. Node omits the body of the response.
      method: method === 'HEAD' ? 'GET' : method,
      headers: { ...headers, accept: acceptOf(exchange) } as Record<string, string>,
      body,
    });
    const events = { lastEventId: headerOf(exchange, 'last-event-id') };
    return repeated.learn(exchange, await answerOf(await yoga.fetch(request, { exchange, events })));
  };

  return async (exchange) => {
    const refused = await refuseKey(exchange);
    if (refused) return refuse(exchange, refused);
    const body = exchange.method === 'POST' ? readOperation(exchange) : null;
    const known = free.find(exchange);
    if (known) {
      const excess = await refuseExcess(exchange);
      return excess ? refuse(exchange, excess) : known;
    }
    return free.run(exchange, () => answer(exchange, body));
  };
}

/**
 * Checks the key before the operation is read. Returns a refusal if the key is malformed, if the client is guessing keys,
 * or if the request has no valid key and a body longer than a free document needs.
 * @throws any other error.
 */
const refuseKey = (exchange: Exchange) =>
  refusalOf(async () => {
    const { access } = exchange;
    const key = await access.recognise();
    if (!key) await access.admitFree();
    if (!key && (access.isMalformed() || isLong(exchange))) await access.refuse();
  });

/** Counts a request whose response is in memory. One without a valid key was counted before it was read. */
const refuseExcess = ({ access }: Exchange) =>
  refusalOf(async () => {
    if (access.recognised()) await access.admitFree();
  });

async function refusalOf(check: () => Promise<void>): Promise<GraphQLError | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    const problem = asProblem(error);
    if (problem.status !== 401 && problem.status !== 429) throw error;
    return refusal(problem);
  }
}

function isLong(exchange: Exchange): boolean {
  try {
    return exchange.body().length > MOST_BYTES_WITHOUT_KEY;
  } catch (problem) {
    return problem instanceof Problem && problem.code === 'body_too_large';
  }
}

/** The body of a POST. A compressed body is refused, because a few bytes could expand to very many. */
function readOperation(exchange: Exchange): string {
  const encoding = headerOf(exchange, 'content-encoding');
  if (encoding === undefined || encoding === 'identity') return exchange.body();
  const detail = 'Compressed requests are not supported: send the operation without `Content-Encoding`.';
  throw new Problem('unsupported_media_type', detail, {
    headers: { 'Accept-Encoding': 'identity', Connection: 'close' },
  });
}
