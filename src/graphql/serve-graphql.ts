/** Serves GraphQL with Yoga as an ordinary handler, so that GraphQL and REST share the same access checks. */
import { Readable } from 'node:stream';
import { execute, type GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Context } from '../catalogue/builder.ts';
import { type Answer, type BodyRule, type Exchange, type Handler, headerOf } from '../http/exchange.ts';
import { asProblem } from '../operations/faults.ts';
import type { Log } from '../operations/log.ts';
import type { Tracing } from '../operations/tracing.ts';
import { Problem } from '../problem.ts';
import { maskError, refusal } from './errors.ts';
import { openLimits } from './limits.ts';
import { keepByText } from './operation.ts';
import { schema } from './schema.ts';
import type { ServerContext } from './server-context.ts';
import { useBoundedValidation } from './use-bounded-validation.ts';
import { useErrorLog } from './use-error-log.ts';
import { useEventStreams } from './use-event-streams.ts';
import { useGraphqlAccess } from './use-graphql-access.ts';
import { useOperationNames } from './use-operation-names.ts';
import { useTraces } from './use-traces.ts';
import { type TrustedDocuments, useTrustedDocuments } from './use-trusted-documents.ts';

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
}

/** Allows no body if the key is malformed, and a shorter one without a key. */
export const graphqlBodyRule: BodyRule = (exchange) => {
  if (exchange.access.isMalformed()) return 0;
  return headerOf(exchange, 'x-api-key') ? MOST_BYTES : MOST_BYTES_WITHOUT_KEY;
};

/** Executes with graphql-js itself, which returns members in the order of the query, as the GraphQL specification requires. */
const IN_ORDER: Plugin = { onExecute: ({ setExecuteFn }) => setExecuteFn(execute) };

/** Makes the handler of `/graphql`, which prices each operation by its root fields. */
export function serveGraphql(
  shared: Omit<Context, 'access'>,
  log: Log,
  { trusted, hasIntrospection, tracing }: GraphqlOptions,
): Handler {
  const yoga = createYoga<ServerContext, Context>({
    schema: schema(),
    graphqlEndpoint: GRAPHQL_PATH,
    landingPage: false,
    logging: false,
    // GraphiQL has its own route (`web/graphiql.tsx`).
    graphiql: false,
    // Without introspection, errors must not suggest names either.
    maskedErrors: { maskError: (error) => maskError(error, hasIntrospection) },
    // Yoga's default caches limit the number of documents, not their size.
    parserAndValidationCache: { documentCache: keepByText(), errorCache: keepByText() },
    // Disables Yoga's health check, which would answer every path with this ending: no path ends with `#`.
    healthCheckEndpoint: '#',
    cors: false,
    // The schema has no uploads, and a form without a boundary would cause an internal error.
    multipart: false,
    // Yoga's own stream starts only when it is read: if the client has disconnected by then, its subscription would stay open.
    fetchAPI: { ReadableStream },
    context: ({ exchange }) => ({ ...shared, access: exchange.access }),
    extraParamNames: ['documentId'],
    plugins: [
      useTrustedDocuments(trusted),
      useOperationNames(),
      useGraphqlAccess(openLimits(schema(), hasIntrospection)),
      useBoundedValidation(hasIntrospection),
      useEventStreams(),
      IN_ORDER,
      ...(tracing ? [useTraces(tracing)] : []),
      useErrorLog(log),
    ],
  });

  return async (exchange) => {
    const { method, pathname, search, headers } = exchange;
    const refused = await refuseKey(exchange);
    if (refused) {
      // Yoga renders the refusal in the media type that the client accepts, without reading the request itself.
      const unread = new yoga.fetchAPI.Request(`http://localhost${pathname}?query=%7B`, {
        headers: { accept: headerOf(exchange, 'accept') ?? '*/*' },
      });
      return answerOf(await yoga.fetch(unread, { exchange, refused }));
    }
    const body = method === 'POST' ? readOperation(exchange) : null;
    // Yoga gets no signal when the client disconnects: stopping there would abandon charges and reads halfway.
    const request = new yoga.fetchAPI.Request(`http://localhost${pathname}${search}`, {
      // Yoga supports only GET and POST, so HEAD runs as GET. Node omits the body of the response.
      method: method === 'HEAD' ? 'GET' : method,
      headers: headers as Record<string, string>,
      body,
    });
    return answerOf(await yoga.fetch(request, { exchange }));
  };
}

/**
 * Checks the key before the operation is read. Returns a refusal if the key is malformed, if the client is guessing keys,
 * or if the request has no valid key and a body longer than a free document needs.
 * @throws any other error.
 */
async function refuseKey(exchange: Exchange): Promise<GraphQLError | undefined> {
  const { access } = exchange;
  try {
    const key = await access.recognise();
    if (!key) await access.admitFree();
    if (!key && (access.isMalformed() || isLong(exchange))) await access.refuse();
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

// Responses to GET depend on the key, so shared caches must not store them.
const CACHE_HEADERS = { 'Cache-Control': 'private, no-store', Vary: 'x-api-key, Accept' };

async function answerOf(response: Response): Promise<Answer> {
  const headers: Record<string, string> = {};
  // Node frames the response itself (RFC 9112 §6.1): a Content-Length beside chunks would make it invalid.
  for (const [name, value] of response.headers) {
    if (!/^(connection|keep-alive|transfer-encoding)$/i.test(name)) headers[NAMES[name] ?? name] = value;
  }
  if (response.body && headers['Content-Type']?.startsWith('text/event-stream')) {
    // Yoga sets a Content-Encoding that does not apply.
    for (const name of Object.keys(headers)) if (/^(content-encoding|cache-control)$/i.test(name)) delete headers[name];
    // Streams are async iterable in every supported version of Node.
    const events = response.body as unknown as AsyncIterable<Uint8Array>;
    return { status: response.status, headers: { ...headers, ...STREAM_HEADERS }, body: Readable.from(events) };
  }
  const body = await response.text();
  headers['Content-Length'] = String(Buffer.byteLength(body));
  return { status: response.status, headers: { ...headers, ...CACHE_HEADERS }, body };
}

// Proxies must neither store nor buffer events; `X-Accel-Buffering` is for nginx.
const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'private, no-store, no-transform',
  Vary: 'x-api-key, Accept',
  'X-Accel-Buffering': 'no',
};

// The spellings of the other handlers, so that no header appears twice in two spellings.
const NAMES: Readonly<Record<string, string>> = {
  allow: 'Allow',
  'content-length': 'Content-Length',
  'content-type': 'Content-Type',
  'retry-after': 'Retry-After',
  vary: 'Vary',
  'www-authenticate': 'WWW-Authenticate',
};
