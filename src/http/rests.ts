/**
 * Rests for clients that ask again at once after they were refused. They would be refused again, and every refusal takes from those
 * who are served: enough of them and nothing else is done. So their connections are not read for a while, which costs nothing; what
 * they send waits in the network's buffers.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

// Who comes back later than this has waited, if not for as long as he was told.
const AT_ONCE_MS = 100;
const FIRST_REST_MS = 100;
const LONGEST_REST_MS = 1_000;

/** What is known of a connection that was refused. */
interface Refused {
  /** When it was last heard. */
  heardAt: number;
  /** The next rest. */
  restMs: number;
}

/**
 * Makes what is told of each refusal, before the answer is written.
 *
 * @param isProxy whether a connection comes from a trusted proxy: others wait for it, so it is never paused.
 * @param onUnknownProxy told once, when a connection is paused whose requests look as if a proxy had passed them on.
 */
export function openRests(
  isProxy: (incoming: IncomingMessage) => boolean,
  onUnknownProxy: () => void = () => {},
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const refused = new WeakMap<Socket, Refused>();
  let hasTold = false;

  const rest = (socket: Socket, known: Refused) => {
    socket.pause();
    setTimeout(() => {
      known.heardAt = performance.now();
      socket.resume();
    }, known.restMs).unref();
    known.restMs = Math.min(2 * known.restMs, LONGEST_REST_MS);
  };

  return (incoming, outgoing) => {
    if (isProxy(incoming)) return;
    const { socket } = incoming;
    const now = performance.now();
    const known = refused.get(socket);
    const isAtOnce = known !== undefined && now - known.heardAt < AT_ONCE_MS;
    if (!isAtOnce) {
      refused.set(socket, { heardAt: now, restMs: FIRST_REST_MS });
      return;
    }
    known.heardAt = now;
    if (!hasTold && looksPassedOn(incoming)) {
      hasTold = true;
      onUnknownProxy();
    }
    // Node reads on when a request has been read whole, which this one has not been yet.
    outgoing.once('finish', () => rest(socket, known));
  };
}

/** Whether a request says that a proxy has passed it on (RFC 9110 §7.6.3, RFC 7239 §4). Any client can say so. */
const looksPassedOn = ({ headers }: IncomingMessage) =>
  (headers['x-forwarded-for'] ?? headers.forwarded ?? headers.via) !== undefined;
