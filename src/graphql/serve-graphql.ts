/** The GraphQL face: Yoga, asked for an answer like any other handler, so that one gate stands before both faces. */
import { Readable } from 'node:stream';
import { createYoga } from 'graphql-yoga';
import type { Context } from '../catalogue/builder.ts';
import { type Answer, type Exchange, type Handler, headerOf } from '../http/exchange.ts';
import { readBody } from '../http/read-body.ts';
import type { Log } from '../operations/log.ts';
import type { Tracing } from '../operations/tracing.ts';
import { Problem } from '../problem.ts';
import { openErrorMask } from './errors.ts';
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
export const GRAPHQL_METHODS = 'GET, HEAD, POST, OPTIONS';

const MOST_BYTES = 262_144;

export interface GraphqlOptions {
  trusted: TrustedDocuments;
  /** Whether clients may ask for the schema itself. */
  hasIntrospection: boolean;
  /** Absent where nobody wants traces. */
  tracing?: Tracing | undefined;
}

/** Makes the handler of `/graphql`; other paths, and methods that it does not take, are left to the next. */
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
    // The page stands before this handler (`web/graphiql.tsx`).
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
  const methods = GRAPHQL_METHODS.split(', ');

  return (exchange) => {
    if (exchange.pathname !== GRAPHQL_PATH || !methods.includes(exchange.method)) return undefined;
    return respond(exchange);
  };

  async function respond(exchange: Exchange): Promise<Answer> {
    const { method, pathname, search, headers, outgoing } = exchange;
    const body = method === 'POST' ? await readOperation(exchange) : null;
    // The work for a client who has gone is given up.
    const leaving = new AbortController();
    outgoing.once('close', () => outgoing.writableFinished || leaving.abort());
    const request = new yoga.fetchAPI.Request(`http://localhost${pathname}${search}`, {
      // Yoga knows GET and POST alone: a HEAD is run as a GET. Node leaves the body of its answer out.
      method: method === 'HEAD' ? 'GET' : method,
      headers: headers as Record<string, string>,
      body,
      signal: leaving.signal,
    });
    return answerOf(await yoga.fetch(request, { exchange }));
  }
}

/** The body of a POST. What is compressed is refused: a few bytes could stand for very many. */
async function readOperation(exchange: Exchange): Promise<string> {
  try {
    const encoding = headerOf(exchange, 'content-encoding');
    if (encoding !== undefined && encoding !== 'identity') {
      throw new Problem('unsupported_media_type', 'Send the operation as it is, without a `Content-Encoding`.', {
        headers: { 'Accept-Encoding': 'identity', Connection: 'close' },
      });
    }
    return await readBody(exchange.incoming, MOST_BYTES);
  } catch (error) {
    await exchange.access.recognise(); // The headers tell a known client what is left, here too.
    throw error;
  }
}

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
  return { status: response.status, headers, body };
}

// Nothing on the way may keep events, or hold them back until there are more: the last is what nginx listens to.
const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
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
