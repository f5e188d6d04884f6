/** A client on a bare connection, which does what libraries do not: pipelines, sends slowly, or reads nothing. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: string;
}

export interface RawClient {
  socket: Socket;
  send(text: string): void;
  /** The next complete response; `undefined` if the connection has ended before it. */
  answer(): Promise<RawAnswer | undefined>;
  /** Resolves when the connection has ended, for any reason. */
  ended: Promise<unknown>;
}

/** The text of a request. */
export const requestText = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

/** Opens a connection to a server. */
export async function openRawClient(address: string): Promise<RawClient> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let received = Buffer.alloc(0);
  let hasEnded = false;
  let wake = () => {};
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {}); // Reported by `close`.
  socket.on('end', () => socket.end());
  for (const event of ['end', 'close'])
    socket.on(event, () => {
      hasEnded = true;
      wake();
    });
  await Promise.race([once(socket, 'connect'), ended]);

  return {
    socket,
    send: (text) => void socket.write(text),
    async answer() {
      for (;;) {
        const read = readAnswer(received);
        if (read) {
          received = received.subarray(read.bytes);
          return read.answer;
        }
        if (hasEnded) return undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    ended,
  };
}

function readAnswer(bytes: Buffer): { answer: RawAnswer; bytes: number } | undefined {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, head).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const end = head + 4 + Number(headers['content-length'] ?? 0);
  if (bytes.length < end) return undefined;
  const body = bytes.subarray(head + 4, end).toString('utf8');
  return { answer: { status: Number(first.split(' ')[1]), headers, body }, bytes: end };
}
