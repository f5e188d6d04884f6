/** The house's front door: the HTTP server, with one gate before the handlers that a request meets in order. */
import { createServer, type Server } from 'node:http';
import { keepRows } from './catalogue/keep.ts';
import { GRAPHQL_METHODS, GRAPHQL_PATH, serveGraphql } from './graphql/serve-graphql.ts';
import { openGate } from './http/gate.ts';
import { answerClientError } from './http/unreadable.ts';
import { MCP_METHODS, MCP_PATH, serveMcp } from './mcp/serve-mcp.ts';
import { serveDocs } from './rest/docs.ts';
import { serveHealth } from './rest/health.ts';
import { keepAnswers } from './rest/kept-answers.ts';
import { READ_METHODS } from './rest/method-not-allowed.ts';
import { serveRedirects } from './rest/redirect.ts';
import { openRoutes, serveRest } from './rest/rest.ts';
import type { Services } from './services.ts';
import { serveAssets } from './web/assets.ts';
import { serveDocPages } from './web/doc-page.tsx';
import { serveFrontPage } from './web/front-page.tsx';
import { serveGraphiql } from './web/graphiql.tsx';
import { serveProducts } from './web/product/serve-products.ts';
import { serveReference } from './web/reference.tsx';

// Totals and facets: a few rows each.
const MOST_KEPT = 2_000;

/** The methods of the addresses that are not only read. */
const OTHER_METHODS: ReadonlyMap<string, string> = new Map([
  [GRAPHQL_PATH, GRAPHQL_METHODS],
  [MCP_PATH, MCP_METHODS],
]);

/** The methods that an address takes, as `Allow` lists them. */
const methodsOf = (pathname: string) => OTHER_METHODS.get(pathname) ?? READ_METHODS;

export interface GatewayServer {
  /** Not yet listening. */
  server: Server;
  /** Ends the answers that go on by themselves, as streams of events do, also those that begin from now on. */
  endStreams(): void;
  /** Settles when all requests are done with, also those whose clients have gone. */
  settled(): Promise<void>;
}

/** The gateway's HTTP server. @param isDraining true once the process has been told to stop. */
export function createGateway(services: Services, isDraining: () => boolean = () => false): GatewayServer {
  const { config, log, metrics, database, prisma, loaders, livePrices, market, access, clicks, version } = services;
  const shared = { prisma, database: keepRows(database, version, MOST_KEPT), loaders, livePrices, market };
  const keeping = { answers: keepAnswers(config.answerCacheMegabytes), version };
  const routes = openRoutes(shared, keeping);
  const gate = openGate(
    { access, market, log, metrics, corsOrigins: config.corsOrigins },
    [
      // What GraphiQL sends is never trusted.
      ...(config.trustedDocuments.isOnly ? [] : [serveGraphiql()]),
      serveGraphql(shared, log, config.trustedDocuments),
      serveMcp({ access, market, log, corsOrigins: config.corsOrigins }, routes),
      serveHealth(database, isDraining),
      serveAssets(),
      serveFrontPage(market),
      serveProducts(shared, keeping),
      serveReference(),
      serveDocPages(),
      serveDocs(),
      serveRedirects(loaders, clicks),
      serveRest(routes, methodsOf),
    ],
    methodsOf,
  );
  const server = createServer(
    { maxHeaderSize: 32_768, requestTimeout: 30_000, headersTimeout: 15_000, requireHostHeader: false },
    gate.listener,
  );
  server.on('clientError', (error, socket) => answerClientError(market, error, socket));
  return { server, endStreams: gate.endStreams, settled: gate.settled };
}
