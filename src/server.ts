/** The house's front door: the HTTP server, with one gate before the handlers that a request meets in order. */
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { keepRows } from './catalogue/keep.ts';
import { serveRedirects } from './clicks/redirect.ts';
import { GRAPHQL_METHODS, GRAPHQL_PATH, graphqlBodyRule, serveGraphql } from './graphql/serve-graphql.ts';
import { openAdmission } from './http/admission.ts';
import { answeredAs } from './http/answered-as.ts';
import { type Connections, serveConnections } from './http/connections.ts';
import { openGate } from './http/gate.ts';
import { MOST_HEADERS } from './http/refuse-oversized.ts';
import { answerClientError, answerUnreadable } from './http/unreadable.ts';
import { MCP_METHODS, MCP_PATH, mcpBodyRule, serveMcp } from './mcp/serve-mcp.ts';
import { serveDocs } from './rest/docs.ts';
import { isHealthPath, serveHealth } from './rest/health.ts';
import { keepAnswers } from './rest/kept-answers.ts';
import { limitFree } from './rest/limit-free.ts';
import { READ_METHODS } from './rest/method-not-allowed.ts';
import { openRoutes, serveRest } from './rest/rest.ts';
import type { Services } from './services.ts';
import { serveAssets } from './web/assets.ts';
import { serveDocPages } from './web/doc-page.tsx';
import { serveFrontPage } from './web/front-page.tsx';
import { serveGraphiql } from './web/graphiql.tsx';
import { serveNoGraphiql } from './web/no-graphiql.tsx';
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

// Who takes longer than this to send a request is cut off with 408, so that slow senders cannot hold connections for ever. An idle
// connection is kept for longer than balancers keep theirs (60 seconds in nginx and at AWS): were it the server that closes it
// first, a request could be on its way.
const PATIENCE = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 75_000,
};

export interface GatewayServer {
  /** Not yet listening. */
  server: Server;
  connections: Connections;
  /** Ends the answers that go on by themselves, as streams of events do, also those that begin from now on. */
  endStreams(): void;
  /** Settles when all requests are done with, also those whose clients have gone. */
  settled(): Promise<void>;
}

/** The gateway's HTTP server. @param isDraining true once the process has been told to stop. */
export function createGateway(services: Services, isDraining: () => boolean = () => false): GatewayServer {
  const {
    config,
    log,
    metrics,
    tracing,
    database,
    catalogue,
    prisma,
    loaders,
    livePrices,
    market,
    access,
    clicks,
    version,
    clientAddress,
    isProxy,
  } = services;
  const shared = { prisma, database: keepRows(catalogue, version, MOST_KEPT), loaders, livePrices, market };
  const keeping = { answers: keepAnswers(config.answerCacheMegabytes), version };
  metrics.watchKeptAnswers(keeping.answers.figures);
  const routes = openRoutes(shared, keeping);
  const admission = openAdmission({ targetMs: config.targetLatencyMs, most: config.maxConcurrentRequests });
  metrics.showAdmission(admission);
  // What GraphiQL sends is never trusted, and it begins by asking for the schema.
  const hasGraphiql = config.hasIntrospection && !config.trustedDocuments.isOnly;
  const site = { hasGraphiql };
  const agents = { access, market, log, corsOrigins: config.corsOrigins };
  const gate = openGate(
    { access, market, log, metrics, tracing, clientAddress, isProxy, corsOrigins: config.corsOrigins, admission },
    [
      answeredAs('page', GRAPHQL_PATH, hasGraphiql ? serveGraphiql() : serveNoGraphiql()),
      answeredAs(
        'graphql',
        GRAPHQL_PATH,
        serveGraphql(shared, log, {
          trusted: config.trustedDocuments,
          hasIntrospection: config.hasIntrospection,
          tracing,
        }),
      ),
      answeredAs('mcp', MCP_PATH, serveMcp(agents, routes)),
      answeredAs('other', '/healthz, /readyz', serveHealth(database, isDraining)),
      answeredAs('page', '/assets/{file}', serveAssets()),
      limitFree,
      answeredAs('page', '/', serveFrontPage(market, site)),
      answeredAs('page', '/products/{slug}', serveProducts(shared, keeping, site)),
      answeredAs('page', '/docs', serveReference(site)),
      answeredAs('page', '/docs/{page}', serveDocPages(site)),
      answeredAs('other', '/docs/{page}', serveDocs()),
      answeredAs('other', '/go/{offer}', serveRedirects(loaders, clicks)),
      serveRest(routes, methodsOf),
    ],
    methodsOf,
    isHealthPath,
    new Map([
      [GRAPHQL_PATH, graphqlBodyRule],
      [MCP_PATH, mcpBodyRule(agents)],
    ]),
  );
  const server = createServer({
    ...PATIENCE,
    maxHeaderSize: 32_768,
    requireHostHeader: false,
    // A lenient parser sees requests end where others do not (RFC 9112 §11.2). This is the default, whatever Node is started with.
    insecureHTTPParser: false,
  });
  server.maxHeadersCount = MOST_HEADERS + 1;
  const connections = serveConnections(server, gate.listener);
  server.on('checkExpectation', (_, response) => answerUnreadable(market, response, 'expectation'));
  server.on('clientError', (error, socket) => {
    if (connections.isAnswering(socket as Socket)) socket.destroy();
    else answerClientError(market, error, socket);
  });
  return { server, connections, endStreams: gate.endStreams, settled: gate.settled };
}
