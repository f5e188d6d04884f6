/** Answers that go on by themselves, as streams of events do: each ends with its client, and all of them with the server. */
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Exchange } from './exchange.ts';

export interface Streams {
  /** Sends a stream as the body of an answer whose head is written. */
  send(exchange: Pick<Exchange, 'method' | 'outgoing'>, stream: Readable): void;
  /** Ends all answers without an error, and from now on each that begins. */
  end(): void;
}

export function openStreams(): Streams {
  const open = new Map<ServerResponse, Readable>();
  let hasEnded = false;

  const endAnswer = (outgoing: ServerResponse, stream: Readable) => {
    stream.destroy();
    outgoing.end();
  };

  return {
    send({ method, outgoing }, stream) {
      // Its client, who waits for the rest, must not take what is cut off for the whole.
      stream.on('error', () => outgoing.destroy());
      if (hasEnded || outgoing.closed || method === 'HEAD') return endAnswer(outgoing, stream);
      open.set(outgoing, stream);
      outgoing.on('close', () => {
        open.delete(outgoing);
        stream.destroy(); // Who goes away before the end has no more need of it.
      });
      stream.pipe(outgoing);
    },
    end() {
      hasEnded = true;
      for (const [outgoing, stream] of open) endAnswer(outgoing, stream);
    },
  };
}
