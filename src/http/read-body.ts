/** Reads the body of a request as text, up to a limit. */
import type { IncomingMessage } from 'node:http';
import { Problem } from '../problem.ts';

/**
 * The whole body, as UTF-8.
 *
 * @param mostBytes what it may take.
 * @throws {Problem} `body_too_large`, as soon as that is known; `request_timeout` when the client stops in the middle.
 */
export async function readBody(incoming: IncomingMessage, mostBytes: number): Promise<string> {
  if (Number(incoming.headers['content-length']) > mostBytes) throw tooLarge(mostBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // The connection stays, for the refusal to be sent over.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Buffer).length;
      if (bytes > mostBytes) break;
      chunks.push(chunk as Buffer);
    }
  } catch (cause) {
    throw new Problem('request_timeout', 'The request did not arrive whole: send it again.', { cause });
  }
  if (bytes > mostBytes) throw tooLarge(mostBytes);
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(mostBytes: number): Problem {
  return new Problem('body_too_large', `The body is larger than ${mostBytes / 1_024} KiB: send less at once.`, {
    // The rest of the body is not waited for.
    headers: { Connection: 'close' },
  });
}
