/** The house's front door: the HTTP server and the plugins that each request meets, in order. */
import { createServer, type Server } from 'node:http';
import { createYoga } from 'graphql-yoga';
import { accessOf, useAccess } from './access/plugin.ts';
import { maskError } from './graphql/errors.ts';
import { schema } from './graphql/schema.ts';
import { useGraphqlAccess } from './graphql/use-graphql-access.ts';
import { useOrderedExecution } from './graphql/use-ordered-execution.ts';
import { asProblem } from './operations/faults.ts';
import { useHealth } from './operations/use-health.ts';
import { useRequestLog } from './operations/use-request-log.ts';
import { Problem } from './problem.ts';
import { problemBody } from './rest/problem.ts';
import { useCompression } from './rest/use-compression.ts';
import { useCors } from './rest/use-cors.ts';
import { useDocs } from './rest/use-docs.ts';
import { useRedirect } from './rest/use-redirect.ts';
import { useRest } from './rest/use-rest.ts';
import { withProblems } from './rest/with-problems.ts';
import type { Services } from './services.ts';

const GRAPHQL = '/graphql';

/** The gateway's HTTP server, not yet listening. @param isDraining true once the process has been told to stop. */
export function createGateway(services: Services, isDraining: () => boolean = () => false): Server {
  const { config, log, metrics, database, prisma, loaders, market, access, clicks } = services;
  const shared = { prisma, loaders, market };
  const yoga = createYoga({
    schema: schema(),
    graphqlEndpoint: GRAPHQL,
    landingPage: false,
    logging: false,
    // Megabytes of GraphiQL that most processes never show.
    renderGraphiQL: async (options) => (await import('@graphql-yoga/render-graphiql')).renderGraphiQL(options),
    graphiql: { title: 'Product Data API', shouldPersistHeaders: true },
    maskedErrors: {
      maskError: (error) => {
        const masked = maskError(error);
        if (asProblem(error).status >= 500 && masked !== error) log.error({ err: asProblem(error).cause ?? error });
        return masked;
      },
    },
    cors: false,
    context: ({ request }) => ({ ...shared, access: accessOf(request) }),
    plugins: [
      // The first to see a response: what is compressed is what the others have made headers for.
      useCompression(),
      useRequestLog(log, metrics),
      useCors(config.corsOrigins),
      useAccess(access),
      ...withProblems(
        [
          useHealth(database, isDraining),
          useDocs(),
          useRedirect(loaders, clicks),
          useRest(shared, new Map([[GRAPHQL, 'GET, POST, OPTIONS']])),
        ],
        market,
        log,
      ),
      useGraphqlAccess(),
      useOrderedExecution(),
    ],
  });

  const server = createServer({ maxHeaderSize: 32_768, requestTimeout: 30_000, headersTimeout: 15_000 }, yoga);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) return void socket.destroy();
    const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const problem = isTooLarge
      ? new Problem('headers_too_large', 'The headers are larger than 32 KiB: send less.')
      : new Problem('invalid_parameter', 'This is not an HTTP request that can be read: check what the client sends.');
    const body = JSON.stringify(problemBody(problem, market.publicUrl));
    socket.end(
      `HTTP/1.1 ${problem.status} ${problem.title}\r\nContent-Type: application/problem+json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
  return server;
}
