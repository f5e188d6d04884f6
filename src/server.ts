/** The house's front door: the HTTP server and the plugins that each request meets, in order. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createYoga } from 'graphql-yoga';
import { accessOf, useAccess } from './access/plugin.ts';
import { maskError } from './graphql/errors.ts';
import { schema } from './graphql/schema.ts';
import { useErrorLog } from './graphql/use-error-log.ts';
import { useGraphqlAccess } from './graphql/use-graphql-access.ts';
import { useOrderedExecution } from './graphql/use-ordered-execution.ts';
import { useHealth } from './operations/use-health.ts';
import { useRequestLog } from './operations/use-request-log.ts';
import { answerClientError, refuseUnreadable } from './rest/unreadable.ts';
import { useCompression } from './rest/use-compression.ts';
import { useCors } from './rest/use-cors.ts';
import { useDocs } from './rest/use-docs.ts';
import { useRedirect } from './rest/use-redirect.ts';
import { useRest } from './rest/use-rest.ts';
import { withProblems } from './rest/with-problems.ts';
import type { Services } from './services.ts';

const GRAPHQL = '/graphql';

/** The methods that an address takes, as `Allow` lists them. */
const methodsOf = (path: string) => (path === GRAPHQL ? 'GET, HEAD, POST, OPTIONS' : 'GET, HEAD, OPTIONS');

/** The gateway's HTTP server, not yet listening. @param isDraining true once the process has been told to stop. */
export function createGateway(services: Services, isDraining: () => boolean = () => false): Server {
  const { config, log, metrics, database, prisma, loaders, market, access, clicks } = services;
  const shared = { prisma, database, loaders, market };
  const yoga = createYoga({
    schema: schema(),
    graphqlEndpoint: GRAPHQL,
    landingPage: false,
    logging: false,
    // Megabytes of GraphiQL that most processes never show.
    renderGraphiQL: async (options) => (await import('@graphql-yoga/render-graphiql')).renderGraphiQL(options),
    graphiql: { title: 'Product Data API', shouldPersistHeaders: true },
    maskedErrors: { maskError },
    // Yoga's own health check would answer every address that ends like this: none does.
    healthCheckEndpoint: '#',
    cors: false,
    context: ({ request }) => ({ ...shared, access: accessOf(request) }),
    plugins: [
      // The first to see a response: what is compressed is what the others have made headers for.
      useCompression(),
      useRequestLog(log, metrics),
      useCors(config.corsOrigins, methodsOf),
      useAccess(access),
      ...withProblems(
        [
          useHealth(database, isDraining),
          useDocs(),
          useRedirect(loaders, clicks),
          useRest(shared, new Map([[GRAPHQL, methodsOf(GRAPHQL)]])),
        ],
        market,
        log,
      ),
      useGraphqlAccess(),
      useOrderedExecution(),
      useErrorLog(log),
    ],
  });

  const server = createServer(
    { maxHeaderSize: 32_768, requestTimeout: 30_000, headersTimeout: 15_000, requireHostHeader: false },
    refuseUnreadable(market, asGet(yoga)),
  );
  server.on('clientError', (error, socket) => answerClientError(market, error, socket));
  return server;
}

/**
 * Yoga knows GET and POST alone at its address: a HEAD there is run as a GET. Node has seen the HEAD already and leaves the
 * body of the answer out.
 */
function asGet(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (request.method === 'HEAD' && request.url?.split('?', 1)[0] === GRAPHQL) request.method = 'GET';
    return listener(request, response);
  };
}
