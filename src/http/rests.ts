/**
 * Pauses reading from connections whose clients retry immediately after a refusal. Each refusal costs time that served requests need,
 * and enough of them would use up all of it. Pausing costs nothing: the client's data waits in the network's buffers.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

// A client that returns after this delay counts as having waited, even if `Retry-After` asked for longer.
const AT_ONCE_MS = 100;
const FIRST_REST_MS = 100;
const LONGEST_REST_MS = 1_000;
// Pauses are longer by up to this share, so that connections do not return together.
const JITTER = 0.5;

/** A connection whose request was refused. */
interface Refused {
  /** When it last sent a request or resumed. */
  heardAt: number;
  /** The length of its next pause. */
  restMs: number;
}

/** Pauses the connection of a refused request, if its client has retried immediately. */
export type Rest = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Makes the function to call for each refusal, before the answer is written. Many clients share a trusted proxy, so it is never paused.
 * @param onUnknownProxy called once, when a paused connection seems to come from a proxy that is not trusted.
 */
export function openRests(
  isProxy: (incoming: IncomingMessage) => boolean,
  onUnknownProxy: () => void = () => {},
): Rest {
  const refused = new WeakMap<Socket, Refused>();
  let hasTold = false;

  const rest = (socket: Socket, known: Refused) => {
    socket.pause();
    setTimeout(
      () => {
        known.heardAt = performance.now();
        socket.resume();
      },
      known.restMs * (1 + Math.random() * JITTER),
    ).unref();
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
    // Node resumes the socket when a request has been read completely, so pause after that.
    outgoing.once('finish', () => rest(socket, known));
  };
}

/** Whether a request claims that a proxy forwarded it (RFC 9110 §7.6.3, RFC 7239 §4). Any client can claim that. */
const looksPassedOn = ({ headers }: IncomingMessage) =>
  (headers['x-forwarded-for'] ?? headers.forwarded ?? headers.via) !== undefined;
