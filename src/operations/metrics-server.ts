/** Serves the metrics on their own port, which only the operator's network should reach. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';

/** Starts the server; every path answers with the metrics. @param metrics gives their current text. */
export async function serveMetrics(
  { contentType, metrics }: Pick<Registry, 'contentType' | 'metrics'>,
  port: number,
  host: string,
): Promise<Server> {
  const server = createServer((_request, response) => {
    metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
