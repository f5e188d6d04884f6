/** The GraphQL face: Yoga, asked for an answer like any other handler, so that one gate stands before both faces. */
import { Readable } from 'node:stream';
import type { GraphQLError } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { Context } from '../catalogue/builder.ts';
import { type Answer, type BodyRule, type Exchange, type Handler, headerOf } from '../http/exchange.ts';
import { asProblem } from '../operations/faults.ts';
import type { Log } from '../operations/log.ts';
import type { Tracing } from '../operations/tracing.ts';
import { Problem } from '../problem.ts';
import { openErrorMask, refusal } from './errors.ts';
import type { ServerContext } from './exchange-of.ts';
import { openLimits } from './limits.ts';
import { keepByText } from './operation.ts';
import { schema } from './schema.ts';
import { useBoundedValidation } from './use-bounded-validation.ts';
import { useErrorLog } from './use-error-log.ts';
import { useEventStreams } from './use-event-streams.ts';
import { useGraphqlAccess } from './use-graphql-access.ts';
import { useNoSuggestions } from './use-no-suggestions.ts';
import { useOperationNames } from './use-operation-names.ts';
import { useOrderedExecution } from './use-ordered-execution.ts';
import { useTraces } from './use-traces.ts';
import { type TrustedDocuments, useTrustedDocuments } from './use-trusted-documents.ts';

export const GRAPHQL_PATH = '/graphql';
export const GRAPHQL_METHODS = ['GET', 'HEAD', 'POST'];

const MOST_BYTES = 262_144;
/** Without a key: what a free document needs (`limits.ts`), with room for escapes and the name of the operation. */
const MOST_BYTES_WITHOUT_KEY = 16_384;

export interface GraphqlOptions {
  trusted: TrustedDocuments;
  /** Whether clients may ask for the schema itself. */
  hasIntrospection: boolean;
  /** Absent where nobody wants traces. */
  tracing?: Tracing | undefined;
}

/** Has the body read of a request whose key, if it has one, has the right form. */
export const graphqlBodyRule: BodyRule = (exchange) => {
  if (exchange.access.isMalformed()) return 0;
  return headerOf(exchange, 'x-api-key') ? MOST_BYTES : MOST_BYTES_WITHOUT_KEY;
};

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
    // The page has a row of its own (`web/graphiql.tsx`).
    graphiql: false,
    // What is not told in whole is not hinted at either.
    maskedErrors: { maskError: openErrorMask(hasIntrospection) },
    // Yoga's own count documents, not their size.
    parserAndValidationCache: { documentCache: keepByText(), errorCache: keepByText() },
    // Yoga's own health check would answer every address that ends like this: none does.
    healthCheckEndpoint: '#',
    cors: false,
    // There is nothing to upload, and a form without a boundary would be a fault of ours.
    multipart: false,
    // Yoga's own begins only when it is read: what has been opened for a client who has gone by then would stay open.
    fetchAPI: { ReadableStream },
    context: ({ exchange }) => ({ ...shared, access: exchange.access }),
    extraParamNames: ['documentId'],
    plugins: [
      useTrustedDocuments(trusted),
      useOperationNames(),
      useGraphqlAccess(openLimits(schema(), hasIntrospection)),
      ...(hasIntrospection ? [] : [useNoSuggestions()]),
      useBoundedValidation(),
      useEventStreams(),
      useOrderedExecution(),
      ...(tracing ? [useTraces(tracing)] : []),
      useErrorLog(log),
    ],
  });

  return async (exchange) => {
    const { method, pathname, search, headers } = exchange;
    const refused = await refuseKey(exchange);
    if (refused) {
      // Yoga writes the refusal down in the form that the client accepts; it is given nothing of the request to read.
      const unread = new yoga.fetchAPI.Request(`http://localhost${pathname}?query=%7B`, {
        headers: { accept: headerOf(exchange, 'accept') ?? '*/*' },
      });
      return answerOf(await yoga.fetch(unread, { exchange, refused }));
    }
    const body = method === 'POST' ? readOperation(exchange) : null;
    // Yoga is not told when the client goes away: it would leave charges and reads behind that nobody waits for.
    const request = new yoga.fetchAPI.Request(`http://localhost${pathname}${search}`, {
      // Yoga knows GET and POST alone: a HEAD is run as a GET. Node leaves the body of its answer out.
      method: method === 'HEAD' ? 'GET' : method,
      headers: headers as Record<string, string>,
      body,
    });
    return answerOf(await yoga.fetch(request, { exchange }));
  };
}

/**
 * Why a request is refused for its key before it is read, if it is: the key has the wrong form or is being guessed, or there is no valid
 * one and the body is longer than a free document needs.
 *
 * @throws whatever is no such refusal.
 */
async function refuseKey(exchange: Exchange): Promise<GraphQLError | undefined> {
  const { access } = exchange;
  try {
    const key = await access.recognise();
    if (!key) access.admitFree();
    if (!key && (access.isMalformed() || isLong(exchange))) access.refuse();
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

/** The body of a POST. What is compressed is refused: a few bytes could stand for very many. */
function readOperation(exchange: Exchange): string {
  const encoding = headerOf(exchange, 'content-encoding');
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Problem('unsupported_media_type', 'Send the operation as it is, without a `Content-Encoding`.', {
      headers: { 'Accept-Encoding': 'identity', Connection: 'close' },
    });
  }
  return exchange.body();
}

// An answer depends on the key, which no cache on the way knows, and operations that read may be asked for by GET.
const CACHE_HEADERS = { 'Cache-Control': 'private, no-store', Vary: 'x-api-key, Accept' };

async function answerOf(response: Response): Promise<Answer> {
  const headers: Record<string, string> = {};
  // How the answer is framed is Node's to say (RFC 9112 §6.1): a length beside chunks is no HTTP that clients can read.
  for (const [name, value] of response.headers) {
    if (!/^(connection|keep-alive|transfer-encoding)$/i.test(name)) headers[NAMES[name] ?? name] = value;
  }
  if (response.body && headers['Content-Type']?.startsWith('text/event-stream')) {
    // Yoga names an encoding that there is none of, and a connection that is Node's to say.
    for (const name of Object.keys(headers))
      if (/^(connection|content-encoding|cache-control)$/i.test(name)) delete headers[name];
    // A stream can be iterated over, on every Node that this runs on.
    const events = response.body as unknown as AsyncIterable<Uint8Array>;
    return { status: response.status, headers: { ...headers, ...STREAM_HEADERS }, body: Readable.from(events) };
  }
  const body = await response.text();
  headers['Content-Length'] = String(Buffer.byteLength(body));
  return { status: response.status, headers: { ...headers, ...CACHE_HEADERS }, body };
}

// Nothing on the way may keep events, or hold them back until there are more: the last is what nginx listens to.
const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'private, no-store, no-transform',
  Vary: 'x-api-key, Accept',
  'X-Accel-Buffering': 'no',
};

// As the gate and the other handlers write them: a header must not stand twice in two spellings.
const NAMES: Readonly<Record<string, string>> = {
  allow: 'Allow',
  'content-length': 'Content-Length',
  'content-type': 'Content-Type',
  'retry-after': 'Retry-After',
  vary: 'Vary',
  'www-authenticate': 'WWW-Authenticate',
};
