/** Sends an answer with the headers that all answers have, then writes its log line. */
import { Readable } from 'node:stream';
import type { Log } from '../operations/log.ts';
import type { Metrics } from '../operations/metrics.ts';
import type { Passing } from './arrival.ts';
import type { Answer } from './exchange.ts';
import { openRequestLog } from './request-log.ts';
import type { SecurityLines } from './security-headers.ts';
import { openStreams } from './streams.ts';

export interface Sending {
  /** @param left the headers that report the key's remaining limits. */
  send(passing: Passing, answer: Answer, left: Record<string, string>): void;
  /** Writes the log line of an answer whose client has gone. */
  note(passing: Passing, answer: Answer): void;
  /** Ends all open streams without an error, and from now on each new one. */
  endStreams(): void;
}

export function openSending({ log, metrics }: { log: Log; metrics: Metrics }, security: SecurityLines): Sending {
  const streams = openStreams();
  const writeLog = openRequestLog(log, metrics);
  const note: Sending['note'] = ({ exchange, startedAt }, answer) => writeLog(exchange, answer, startedAt);

  return {
    send(passing, answer, left) {
      const { exchange } = passing;
      const { id, outgoing } = exchange;
      const { status, headers, body } = answer;
      // Alternating names and values; merging them into one object would cost more than everything else here.
      const lines = (headers['Content-Security-Policy'] === undefined ? security.data : security.page).slice();
      for (const name in headers) lines.push(name, headers[name] as string);
      for (const name in left) lines.push(name, left[name] as string);
      lines.push('X-Request-Id', id);
      outgoing.writeHead(status, lines);
      if (body instanceof Readable) streams.send(exchange, body);
      else outgoing.end(body);
      note(passing, answer);
    },
    note,
    endStreams: streams.end,
  };
}
