/**
 * Reads request bodies before requests are admitted, so that a client that sends slowly holds no place among the requests that are
 * worked on. A body that arrives with its headers counts for nothing. Bodies that are still on their way are bounded, for each
 * address and in total; Node ends them after 20 seconds.
 */
import { Problem } from '../problem.ts';
import type { Exchange } from './exchange.ts';

/** The most bodies that one address may have on their way at once. */
export const MOST_BODIES_OF_ADDRESS = 64;
/** The most bodies that may be on their way at once. Half of them are reserved for requests whose keys are known to be valid. */
export const MOST_BODIES = 512;

export interface Bodies {
  /**
   * Reads a whole body as UTF-8.
   *
   * @param mostBytes the longest body that is taken.
   * @throws {Problem} `body_too_large` as soon as that is known; `rate_limited` or `unavailable` when too many bodies are on their
   *   way; `request_timeout` when the client stops in the middle.
   */
  read(exchange: Pick<Exchange, 'incoming' | 'addressOf' | 'access'>, mostBytes: number): Promise<string>;
}

/** Opens the reader of bodies of one server. */
export function openBodies(): Bodies {
  const byName = new Map<string, number>();
  let onTheirWay = 0;

  /**
   * Counts a body by a name: its client's address, or its key where that is known to be valid, so that nobody else at the address can
   * use up its share.
   *
   * @returns takes it out of the count.
   */
  const count = (name: string, most: number): (() => void) => {
    const counted = byName.get(name) ?? 0;
    if (counted >= MOST_BODIES_OF_ADDRESS) throw tooManyOfOne();
    if (onTheirWay >= most) throw tooMany();
    byName.set(name, counted + 1);
    onTheirWay += 1;
    return () => {
      onTheirWay -= 1;
      const left = (byName.get(name) ?? 1) - 1;
      if (left > 0) byName.set(name, left);
      else byName.delete(name);
    };
  };

  return {
    read: ({ incoming, addressOf, access }, mostBytes) =>
      new Promise((resolve, reject) => {
        if (Number(incoming.headers['content-length']) > mostBytes) throw tooLarge(mostBytes);
        const chunks: Buffer[] = [];
        let bytes = 0;
        let isOver = false;
        let leave = () => {};

        const end = (settle: () => void) => {
          if (isOver) return;
          isOver = true;
          clearImmediate(counting);
          leave();
          incoming.off('data', take);
          settle();
        };
        const take = (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > mostBytes) end(() => reject(tooLarge(mostBytes)));
          else chunks.push(chunk);
        };
        // What came with the headers has been read by then.
        const counting = setImmediate(() => {
          try {
            const key = access.knownKey();
            leave = key === undefined ? count(addressOf(), MOST_BODIES / 2) : count(key, MOST_BODIES);
          } catch (refusal) {
            end(() => reject(refusal));
          }
        });

        incoming.on('data', take);
        incoming.once('end', () => end(() => resolve(Buffer.concat(chunks).toString('utf8'))));
        incoming.once('error', (cause) => end(() => reject(cutOff(cause))));
        incoming.once('close', () => end(() => reject(cutOff())));
      }),
  };
}

// The rest of a body that is refused is not waited for.
const CLOSE = { Connection: 'close' };

function tooLarge(mostBytes: number): Problem {
  const detail = `The body is larger than ${mostBytes / 1_024} KiB: send less at once.`;
  return new Problem('body_too_large', detail, { headers: CLOSE });
}

function tooManyOfOne(): Problem {
  const detail = `Your address or key is sending ${MOST_BODIES_OF_ADDRESS} request bodies that have not arrived yet: send each at once, and try again in 20 seconds.`;
  return new Problem('rate_limited', detail, { headers: { ...CLOSE, 'Retry-After': '20' } });
}

function tooMany(): Problem {
  const detail =
    'Too many request bodies are on their way: send the body together with the headers, and try again in a few seconds.';
  return new Problem('unavailable', detail, { headers: { ...CLOSE, 'Retry-After': '5' } });
}

function cutOff(cause?: unknown): Problem {
  return new Problem('request_timeout', 'The request did not arrive whole: send it again.', { cause });
}
