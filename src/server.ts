/** The HTTP server: Node's own, with the gate as its listener. */
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { openAdmission } from './http/admission.ts';
import { MOST_HEADERS } from './http/answering.ts';
import { serveConnections } from './http/connections.ts';
import { openFreeWork } from './http/free-work.ts';
import { openGate } from './http/gate.ts';
import { openRouteTable } from './http/route-table.ts';
import { openTraffic } from './http/traffic.ts';
import { answerClientError, answerUnreadable } from './http/unreadable.ts';
import { keepAnswers } from './rest/kept-answers.ts';
import { openLongPolls } from './rest/long-polls.ts';
import { serverRoutes, siteOf } from './server-routes.ts';
import type { Services } from './services.ts';
import { openProblemPages } from './web/problem-page.tsx';

// A client that takes longer than this to send a request gets 408, so that slow senders cannot hold connections forever. Idle
// connections are kept for longer than load balancers keep theirs (60 seconds in nginx and at AWS): if the server closed one first, a
// request could already be on its way.
const PATIENCE = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 75_000,
};

/** The gateway's HTTP server. @param isDraining true once the process has been told to stop. */
export function createGateway(services: Services, isDraining: () => boolean = () => false) {
  const { config, market, metrics } = services;
  const answers = keepAnswers(config.answerCacheMegabytes, services.version.changes);
  metrics.watchKeptAnswers(answers.figures);
  const admission = openAdmission({ targetMs: config.targetLatencyMs, most: config.maxConcurrentRequests });
  metrics.showAdmission(admission);
  const freeWork = openFreeWork(admission);
  metrics.showFreeWork(freeWork);
  const polls = openLongPolls(services.streamHead, (count) => metrics.longPolls.set(count));
  const traffic = openTraffic();
  const routes = openRouteTable(serverRoutes(services, { answers, polls, traffic, freeWork, isDraining }));
  const { corsOrigins } = config;
  const showProblem = openProblemPages(siteOf(config));
  const gate = openGate(services, routes, { admission, traffic, corsOrigins, showProblem });
  const server = createServer({
    ...PATIENCE,
    maxHeaderSize: 32_768,
    requireHostHeader: false,
    // A lenient parser can disagree with others on where a request ends (RFC 9112 §11.2). Set here so that no option of Node changes it.
    insecureHTTPParser: false,
  });
  server.maxHeadersCount = MOST_HEADERS + 1;
  const connections = serveConnections(server, gate.listener);
  server.on('checkExpectation', (_, response) => answerUnreadable(market, response, 'expectation'));
  server.on('clientError', (error, socket) => {
    if (connections.isAnswering(socket as Socket)) socket.destroy();
    else answerClientError(market, error, socket);
  });
  const endStreams = () => {
    gate.endStreams();
    polls.end();
  };
  return { server, connections, endStreams, settled: gate.settled };
}
