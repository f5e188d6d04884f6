/** A shop's web server that serves feeds: a real HTTP server that records requests, and answers as a test wants. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FeedRowFields, feedRow } from './gateway.ts';

export type Answering = (response: ServerResponse, request: IncomingMessage) => void;

export type ShopServer = Awaited<ReturnType<typeof startShopServer>>;

/** The text of a feed. */
export const feedOf = (rows: readonly FeedRowFields[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Rows with ids `from`, `from + 1` and so on. */
export const someRows = (count: number, fields: FeedRowFields = {}, from = 0): FeedRowFields[] =>
  Array.from({ length: count }, (_, index) => feedRow({ id: `r${from + index}`, brand: 'Acme', ...fields }));

/** Answers with a feed; with an entity tag, also conditional requests. */
export const answerFeed =
  (rows: readonly FeedRowFields[], etag?: string): Answering =>
  (response, request) => {
    if (etag !== undefined && request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, etag === undefined ? {} : { etag }).end(feedOf(rows));
  };

/** Starts a server whose paths are answered by `serve`; others with 404. */
export async function startShopServer() {
  const answers = new Map<string, Answering>();
  const requests: IncomingMessage[] = [];
  let waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const answer = answers.get(new URL(request.url ?? '/', 'http://shop').pathname);
    if (answer) answer(response, request);
    else response.writeHead(404).end();
    for (const wake of waiting) wake();
    waiting = [];
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const of = (path: string) => requests.filter(({ url }) => url?.split('?')[0] === path);

  return {
    port,
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    /** Answers requests of a path from now on. */
    serve(path: string, answer: Answering) {
      answers.set(path, answer);
    },
    /** The requests of a path so far. */
    requests: of,
    /** Waits until a path was requested so many times. */
    async requested(path: string, count: number): Promise<void> {
      while (of(path).length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
