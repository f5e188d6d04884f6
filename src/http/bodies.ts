/**
 * Reads request bodies before requests are admitted, so that a slow sender takes no place among the requests in progress. A body
 * that arrives together with its headers is not counted. Bodies still arriving are limited, per address and in total; Node ends
 * them after 20 seconds.
 */
import { Problem } from '../problem.ts';
import type { Exchange } from './exchange.ts';

/** The most bodies that one address may be sending at once. */
export const MOST_BODIES_OF_ADDRESS = 64;
/** The most bodies that may be arriving at once. Half of them are reserved for requests whose keys are known to be valid. */
export const MOST_BODIES = 512;

/** Opens the body reader of one server. */
export function openBodies() {
  const byName = new Map<string, number>();
  let onTheirWay = 0;

  /** Counts a body under a name: the client's address, or its valid key, so that other clients at the address cannot use up its share. */
  const count = (name: string, most: number): (() => void) => {
    const counted = byName.get(name) ?? 0;
    if (counted >= MOST_BODIES_OF_ADDRESS) {
      const detail = `${MOST_BODIES_OF_ADDRESS} request bodies from your address or key are still arriving: send each body together with its headers, and try again in 20 seconds.`;
      throw new Problem('rate_limited', detail, { headers: { ...CLOSE, 'Retry-After': '20' } });
    }
    if (onTheirWay >= most) {
      const detail =
        'Too many request bodies are still arriving: send the body together with the headers, and try again in a few seconds.';
      throw new Problem('unavailable', detail, { headers: { ...CLOSE, 'Retry-After': '5' } });
    }
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
    /**
     * Reads a whole body as UTF-8.
     * @throws {Problem} `body_too_large` as soon as that is known;
     * `rate_limited` or `unavailable` when too many bodies are arriving; `request_timeout` when the client stops in the middle.
     */
    read: ({ incoming, addressOf, access }: Exchange, mostBytes: number): Promise<string> =>
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
        // A body that came with the headers has been read by then.
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

// Do not wait for the rest of a refused body.
const CLOSE = { Connection: 'close' };

function tooLarge(mostBytes: number): Problem {
  const detail = `The body is larger than ${mostBytes / 1_024} KiB: send a smaller one.`;
  return new Problem('body_too_large', detail, { headers: CLOSE });
}

function cutOff(cause?: unknown): Problem {
  return new Problem('request_timeout', 'The request ended before its body was complete: send it again.', { cause });
}
