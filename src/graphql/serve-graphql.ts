/** The GraphQL face: Yoga, asked for an answer like any other handler, so that one gate stands before both faces. */
import { Readable } from 'node:stream';
import { createYoga } from 'graphql-yoga';
import type { Context } from '../catalogue/builder.ts';
import type { Answer, Handler } from '../http/exchange.ts';
import type { Log } from '../operations/log.ts';
import { maskError } from './errors.ts';
import type { ServerContext } from './exchange-of.ts';
import { schema } from './schema.ts';
import { useErrorLog } from './use-error-log.ts';
import { useEventStreams } from './use-event-streams.ts';
import { useGraphqlAccess } from './use-graphql-access.ts';
import { useOrderedExecution } from './use-ordered-execution.ts';
import { type TrustedDocuments, useTrustedDocuments } from './use-trusted-documents.ts';

export const GRAPHQL_PATH = '/graphql';
export const GRAPHQL_METHODS = 'GET, HEAD, POST, OPTIONS';

/** Makes the handler of `/graphql`; other paths, and methods that it does not take, are left to the next. */
export function serveGraphql(shared: Omit<Context, 'access'>, log: Log, trusted: TrustedDocuments): Handler {
  const yoga = createYoga<ServerContext, Context>({
    schema: schema(),
    graphqlEndpoint: GRAPHQL_PATH,
    landingPage: false,
    logging: false,
    // The page stands before this handler (`web/graphiql.tsx`).
    graphiql: false,
    maskedErrors: { maskError },
    // Yoga's own health check would answer every address that ends like this: none does.
    healthCheckEndpoint: '#',
    cors: false,
    // Yoga's own begins only when it is read: what has been opened for a client who has gone by then would stay open.
    fetchAPI: { ReadableStream },
    context: ({ exchange }) => ({ ...shared, access: exchange.access }),
    extraParamNames: ['documentId'],
    plugins: [
      useTrustedDocuments(trusted),
      useGraphqlAccess(),
      useEventStreams(),
      useOrderedExecution(),
      useErrorLog(log),
    ],
  });
  const methods = GRAPHQL_METHODS.split(', ');

  return (exchange) => {
    if (exchange.pathname !== GRAPHQL_PATH || !methods.includes(exchange.method)) return undefined;
    const { incoming, outgoing } = exchange;
    // Yoga knows GET and POST alone: a HEAD is run as a GET. Node has seen the HEAD and leaves the body of the answer out.
    if (exchange.method === 'HEAD') incoming.method = 'GET';
    return Promise.resolve(yoga.handleNodeRequestAndResponse(incoming, outgoing, { exchange })).then(answerOf);
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers) headers[NAMES[name] ?? name] = value;
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
