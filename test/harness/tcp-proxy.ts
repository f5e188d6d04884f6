/** A proxy to a server that can cut connections and lose responses. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** From now on, the existing connections lose everything that the server sends. */
  loseAnswers(): void;
  /** Ends the client's side of all connections. The server's side stays open if `isHeard` is false, so that the server continues its work. */
  cut(isHeard?: boolean): void;
  close(): Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket;
  isDeaf: boolean;
}

/** Opens a proxy to a port of this machine. */
export async function openTcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  const abandoned = new Set<Socket>();
  const listener = createServer((client) => {
    const pair: Pair = { client, server: connect(target, '127.0.0.1'), isDeaf: false };
    pairs.add(pair);
    const { server } = pair;
    client.on('data', (chunk) => server.write(chunk));
    server.on('data', (chunk) => {
      if (!pair.isDeaf) client.write(chunk);
    });
    for (const socket of [client, server]) socket.on('error', () => {}); // The other end sees it closed.
    client.on('close', () => {
      if (pairs.delete(pair)) server.destroy();
    });
    server.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();

  return {
    port: typeof address === 'object' && address ? address.port : 0,
    loseAnswers() {
      for (const pair of pairs) pair.isDeaf = true;
    },
    cut(isHeard = true) {
      for (const pair of [...pairs]) {
        if (!isHeard) {
          pairs.delete(pair);
          abandoned.add(pair.server);
        }
        pair.client.destroy();
      }
    },
    async close() {
      for (const { client, server } of pairs) for (const socket of [client, server]) socket.destroy();
      for (const socket of abandoned) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
