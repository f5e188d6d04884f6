/** Streamed answers, such as streams of events and exports. Each ends when its client leaves, and all end when the server stops. */
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Exchange } from './exchange.ts';

export interface StreamLimits {
  /** How long the client of a stream that must be whole may leave sent data unread. */
  stallMs: number;
  /** How long such streams may continue when the server stops. */
  graceMs: number;
}

const LIMITS: StreamLimits = { stallMs: 60_000, graceMs: 1_000 };

interface Open {
  stream: Readable;
  isWhole: boolean;
}

export function openStreams({ stallMs, graceMs } = LIMITS) {
  const open = new Map<ServerResponse, Open>();
  let hasEnded = false;

  const endAnswer = (outgoing: ServerResponse, { stream, isWhole }: Open) => {
    stream.destroy();
    // Break the connection, so that the client does not take a truncated answer for a complete one.
    if (isWhole) outgoing.destroy();
    else outgoing.end();
  };

  return {
    /**
     * Sends a stream as the body of an answer whose head is written.
     * @param isWhole whether the answer is only of use as a whole.
     */
    send({ method, outgoing }: Exchange, stream: Readable, isWhole = false) {
      // As above.
      stream.on('error', () => outgoing.destroy());
      if (method === 'HEAD') return endAnswer(outgoing, { stream, isWhole: false });
      if (hasEnded || outgoing.closed) return endAnswer(outgoing, { stream, isWhole });
      open.set(outgoing, { stream, isWhole });
      outgoing.on('close', () => {
        open.delete(outgoing);
        stream.destroy(); // In case the client left before the end.
      });
      if (isWhole) cutWhenStalled(outgoing, stallMs);
      stream.pipe(outgoing);
    },
    /** Ends all open streams, and from now on each new one: without an error, or by a cut if they are only of use as a whole. */
    end(): void {
      hasEnded = true;
      for (const [outgoing, each] of open) {
        if (each.isWhole) setTimeout(() => open.has(outgoing) && endAnswer(outgoing, each), graceMs);
        else endAnswer(outgoing, each);
      }
    },
  };
}

const LOOKS = 6;

/** Cuts a connection whose client has read nothing for a time. */
function cutWhenStalled(outgoing: ServerResponse, stallMs: number): void {
  // The limit of all connections is shorter. Node sets it again with the next request.
  outgoing.socket?.setTimeout(0);
  let looks = 0;
  outgoing.on('drain', () => {
    looks = 0;
  });
  const timer = setInterval(() => {
    looks = outgoing.writableNeedDrain ? looks + 1 : 0;
    if (looks >= LOOKS) outgoing.destroy();
  }, stallMs / LOOKS);
  timer.unref();
  outgoing.once('close', () => clearInterval(timer));
}
