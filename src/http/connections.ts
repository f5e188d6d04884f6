/**
 * Tracks the open requests of each connection, and closes connections cleanly when the server stops: `Connection: close` (RFC 9112 §9.6)
 * tells clients to use another one next, so that no request is lost.
 */
import { readFileSync } from 'node:fs';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export type Connections = ReturnType<typeof serveConnections>;

/** The open requests of a connection. */
interface Line {
  /** Unsent answers, in the order of their requests. An array, for the reason given in `deadline.ts`. */
  open: ServerResponse[];
  /** Requests that are not started yet. */
  waiting: (() => void)[];
}

// How long a stopping server waits for the first request of a connection. It may be on its way, or never come, since browsers open
// connections in advance.
const UNASKED_MS = 500;

// A client may pipeline requests (RFC 9112 §9.3.2), hundreds in one packet, and leave their answers unread. No more answers than this
// are held in memory for one connection.
const MOST_AT_ONCE = 8;

// How long a connection whose client does not read may be idle; noticed at the second check.
const STILL_MS = 20_000;

// File descriptors reserved for everything else, such as connections to the database.
const RESERVED_FILES = 128;

/** The most simultaneous connections, derived from the limit of open files if the system reports it (Linux, proc(5)). */
function mostConnections(): number {
  try {
    const limit = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
    return limit > 0 ? Math.max(limit - RESERVED_FILES, RESERVED_FILES) : Infinity;
  } catch {
    return Infinity; // Another system, which refuses excess connections by itself.
  }
}

/** Makes a server that does not listen yet answer with `listener`, and tracks its connections. */
export function serveConnections(server: Server, listener: RequestListener) {
  const lines = new Map<Socket, Line>();
  let isLeaving = false;
  let isClosed = false;
  /** Requests held back until the listener is closed; `undefined` while requests are answered as they arrive. */
  let held: (() => void)[] | undefined;
  const most = mostConnections();

  const newestOf = ({ open }: Line) => open.at(-1);

  server.on('connection', (socket) => {
    // With `server.maxConnections`, the primary process of workers would offer the connection to them again and again.
    if (lines.size >= most) return void socket.destroy();
    const line: Line = { open: [], waiting: [] };
    lines.set(socket, line);
    socket.once('close', () => {
      lines.delete(socket);
      // Node emits `close` only on the answer that is being sent.
      for (const outgoing of [...line.open]) if (!outgoing.socket) outgoing.emit('close');
    });
  });

  server.on('request', (incoming, outgoing) => {
    const { socket } = incoming;
    const line = lines.get(socket);
    if (!line) return; // Its client left while it was read.
    const mayStay = outgoing.shouldKeepAlive;
    if (isLeaving) {
      // Only the last of several answers closes the connection.
      const before = newestOf(line);
      if (before && !before.headersSent) before.shouldKeepAlive = true;
      outgoing.shouldKeepAlive = false;
    }
    line.open.push(outgoing);
    outgoing.once('close', () => {
      line.open.splice(line.open.indexOf(outgoing), 1);
      if (socket.destroyed) return;
      line.waiting.shift()?.();
      // An answer whose head was sent before `takeLeave` has not announced the end.
      if (isClosed && mayStay && line.open.length === 0) socket.destroySoon();
    });
    const mustWait = line.open.length > MOST_AT_ONCE ? line.waiting : held;
    if (mustWait) mustWait.push(() => listener(incoming, outgoing));
    else listener(incoming, outgoing);
  });

  server.setTimeout(STILL_MS, (socket) => {
    // Requests in progress are waited for, however long an import delays them.
    const isWorkedOn = (lines.get(socket)?.open.length ?? 0) > 0 && socket.writableLength === 0;
    if (!isWorkedOn) socket.destroy();
  });

  return {
    /** From now on, the last answer on each connection announces its end. */
    takeLeave(): void {
      isLeaving = true;
      for (const line of lines.values()) {
        const newest = newestOf(line);
        if (newest && !newest.headersSent) newest.shouldKeepAlive = false;
      }
    },
    /**
     * Accepts no more connections and closes idle ones; settles when the last one is closed.
     * @param othersClosed settles when the other processes that share the port accept no more either; waited for no longer than half a
     * second.
     */
    async close(othersClosed?: () => Promise<void>): Promise<void> {
      // A client that connects for each request reconnects as soon as it is answered; holding answers back prevents that.
      held = [];
      await acceptQueueEmpty(server);
      isClosed = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      if (othersClosed) await Promise.race([othersClosed(), wait(LONGEST_MS)]);
      const answers = held;
      held = undefined;
      for (const answer of answers) answer();
      const waiting = setTimeout(() => {
        for (const socket of lines.keys()) if (socket.bytesRead === 0) socket.destroy();
      }, UNASKED_MS);
      await closed;
      clearTimeout(waiting);
    },
    /** Whether an answer on a connection has started and continues, so that nothing else may be written to it. */
    isAnswering(socket: Socket): boolean {
      const [first, ...others] = lines.get(socket)?.open ?? [];
      return first !== undefined && (first.headersSent || others.length > 0);
    },
  };
}

// A nearby client that reconnects after each answer does so within this time.
const QUIET_MS = 25;
const LOOK_EVERY_MS = 5;
/** How long to wait at most, if connections keep arriving. */
const LONGEST_MS = 500;

/**
 * Settles when no connection has arrived for a while, in the same turn of the event loop in which the accept queue was emptied. The
 * system completes connections before this process accepts them, and closing the listener resets those still in the queue. A caller
 * that closes it immediately resets only connections that complete within microseconds.
 */
async function acceptQueueEmpty(server: Server): Promise<void> {
  const startedAt = performance.now();
  let newestAt = startedAt;
  const note = () => {
    newestAt = performance.now();
  };
  server.on('connection', note);
  for (;;) {
    await wait(LOOK_EVERY_MS);
    await new Promise(setImmediate); // Runs right after connections were accepted from the queue.
    const now = performance.now();
    if (now - newestAt >= QUIET_MS || now - startedAt >= LONGEST_MS) break;
  }
  server.off('connection', note);
}
