/** Streamed answers, such as streams of events. Each ends when its client leaves, and all end when the server stops. */
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Exchange } from './exchange.ts';

export function openStreams() {
  const open = new Map<ServerResponse, Readable>();
  let hasEnded = false;

  const endAnswer = (outgoing: ServerResponse, stream: Readable) => {
    stream.destroy();
    outgoing.end();
  };

  return {
    /** Sends a stream as the body of an answer whose head is written. */
    send({ method, outgoing }: Exchange, stream: Readable) {
      // Break the connection, so that the client does not take a truncated answer for a complete one.
      stream.on('error', () => outgoing.destroy());
      if (hasEnded || outgoing.closed || method === 'HEAD') return endAnswer(outgoing, stream);
      open.set(outgoing, stream);
      outgoing.on('close', () => {
        open.delete(outgoing);
        stream.destroy(); // In case the client left before the end.
      });
      stream.pipe(outgoing);
    },
    /** Ends all open streams without an error, and from now on each new one. */
    end(): void {
      hasEnded = true;
      for (const [outgoing, stream] of open) endAnswer(outgoing, stream);
    },
  };
}
