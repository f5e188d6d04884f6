/** The HTTP server: Node's own, with the gate as its listener. */
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { openAdmission } from './http/admission.ts';
import { type Connections, serveConnections } from './http/connections.ts';
import { openGate } from './http/gate.ts';
import { MOST_HEADERS } from './http/refuse-oversized.ts';
import { openRouteTable } from './http/route-table.ts';
import { answerClientError, answerUnreadable } from './http/unreadable.ts';
import { keepAnswers } from './rest/kept-answers.ts';
import { serverRoutes } from './server-routes.ts';
import type { Services } from './services.ts';

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
  const { config, market, metrics } = services;
  const answers = keepAnswers(config.answerCacheMegabytes);
  metrics.watchKeptAnswers(answers.figures);
  const admission = openAdmission({ targetMs: config.targetLatencyMs, most: config.maxConcurrentRequests });
  metrics.showAdmission(admission);
  const routes = openRouteTable(serverRoutes(services, answers, isDraining));
  const gate = openGate(services, routes, { admission, corsOrigins: config.corsOrigins });
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
