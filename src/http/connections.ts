/**
 * The connections of the server: what they were told while the server stops, and what is under way on each. HTTP/1.1 has one word
 * by which a server takes leave, `Connection: close` (RFC 9112 §9.6): whoever reads it asks elsewhere next, so that no request
 * is on its way to a connection that is then closed.
 */
import { readFileSync } from 'node:fs';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { acceptQueueEmpty } from './accept-queue.ts';

export interface Connections {
  /** From now on the last answer on each connection says that it is the last one. */
  takeLeave(): void;
  /** Takes no more connections, and closes those that wait for nothing; settles when the last one has gone. */
  close(): Promise<void>;
  /** Whether an answer has begun on a connection and goes on, so that nothing else may be written to it. */
  isAnswering(socket: Socket): boolean;
}

/** What is under way on a connection. */
interface Line {
  /** Answers that are not sent, in the order of their requests. */
  open: Set<ServerResponse>;
  /** Requests that are not begun yet. */
  waiting: (() => void)[];
}

// Who has been let in and has not asked yet: a request may be on its way, or never come, as browsers open connections in advance.
const UNASKED_MS = 500;

// Requests may be sent without waiting for answers (RFC 9112 §9.3.2), hundreds in one packet, and their answers left unread:
// no more of them than this are held in memory for one connection.
const MOST_AT_ONCE = 8;

// For how long nothing may move on a connection whose client does not read: it is seen at the second look.
const STILL_MS = 20_000;

// File descriptors that connections leave for everything else: where a database cannot open its files, it ends.
const RESERVED_FILES = 128;

/** How many connections there may be at a time, by the limit of open files where the system tells it (Linux, proc(5)). */
function mostConnections(): number {
  try {
    const limit = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
    return limit > 0 ? Math.max(limit - RESERVED_FILES, RESERVED_FILES) : Infinity;
  } catch {
    return Infinity; // Another system: it refuses by itself what is too much.
  }
}

/** Has a server that does not listen yet answer by `listener`, and watches its connections. */
export function serveConnections(server: Server, listener: RequestListener): Connections {
  const lines = new Map<Socket, Line>();
  let isLeaving = false;
  let isClosed = false;
  /** Requests that are answered once the listener is closed; absent while requests are answered as they come. */
  let held: (() => void)[] | undefined;
  // Beyond it a connection is closed as soon as it is there.
  server.maxConnections = mostConnections();

  const newestOf = ({ open }: Line) => [...open].at(-1);

  server.on('connection', (socket) => {
    const line: Line = { open: new Set(), waiting: [] };
    lines.set(socket, line);
    socket.once('close', () => {
      lines.delete(socket);
      // Node tells only the answer whose turn it is that its client has gone.
      for (const outgoing of line.open) if (!outgoing.socket) outgoing.emit('close');
    });
  });

  server.on('request', (incoming, outgoing) => {
    const { socket } = incoming;
    const line = lines.get(socket);
    if (!line) return; // Its client has gone while it was read.
    const mayStay = outgoing.shouldKeepAlive;
    if (isLeaving) {
      // The last of several answers closes the connection, not one before.
      const before = newestOf(line);
      if (before && !before.headersSent) before.shouldKeepAlive = true;
      outgoing.shouldKeepAlive = false;
    }
    line.open.add(outgoing);
    outgoing.once('close', () => {
      line.open.delete(outgoing);
      if (socket.destroyed) return;
      line.waiting.shift()?.();
      // An answer whose head was sent before the leave was taken has not told its client.
      if (isClosed && mayStay && line.open.size === 0) socket.destroySoon();
    });
    const answer = () => listener(incoming, outgoing);
    if (line.open.size > MOST_AT_ONCE) line.waiting.push(answer);
    else if (held) held.push(answer);
    else answer();
  });

  server.setTimeout(STILL_MS, (socket) => {
    // What is still being worked on is waited for, however long an import holds it up.
    const isWorkedOn = (lines.get(socket)?.open.size ?? 0) > 0 && socket.writableLength === 0;
    if (!isWorkedOn) socket.destroy();
  });

  return {
    takeLeave() {
      isLeaving = true;
      for (const line of lines.values()) {
        const newest = newestOf(line);
        if (newest && !newest.headersSent) newest.shouldKeepAlive = false;
      }
    },
    async close() {
      // A client that connects for each request connects again as soon as it is answered: while answers are held back, it does not.
      held = [];
      await acceptQueueEmpty(server);
      isClosed = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const answers = held;
      held = undefined;
      for (const answer of answers) answer();
      const waiting = setTimeout(() => {
        for (const socket of lines.keys()) if (socket.bytesRead === 0) socket.destroy();
      }, UNASKED_MS);
      await closed;
      clearTimeout(waiting);
    },
    isAnswering(socket) {
      const [first, ...others] = lines.get(socket)?.open ?? [];
      return first !== undefined && (first.headersSent || others.length > 0);
    },
  };
}
