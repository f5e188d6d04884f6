// Fetches a feed from an http or https address, as a stream that ends in an error when the shop's server stalls.

import { BrokenFeed } from '../reject.ts';

/** A stream of bytes, with its length where the server tells it. */
export interface ByteStream {
  bytes: AsyncIterable<Uint8Array>;
  totalBytes?: number;
}

/**
 * Begins to fetch `address`; redirects are followed. A user and password in the address are sent as basic
 * authentication. Neither they nor the query are repeated in messages.
 *
 * @param timeoutMs the longest wait for the first answer, and then for each piece
 * @throws BrokenFeed for an answer other than 2xx, a connection that fails or stalls
 */
export async function openWebSource(address: string, timeoutMs: number): Promise<ByteStream> {
  const url = new URL(address);
  // Uncompressed on the way, the length tells whether all of it came; archives are still archives.
  const headers = new Headers({ 'accept-encoding': 'identity', 'user-agent': 'product-data-api' });
  if (url.username !== '') {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
    url.username = '';
    url.password = '';
  }
  const shown = `${url.origin}${url.pathname}`;
  const abort = new AbortController();

  const response = await withTimeout(() => fetch(url, { headers, signal: abort.signal }));
  if (!response.ok) {
    await response.body?.cancel();
    throw new BrokenFeed(`${shown} answered ${response.status} ${response.statusText}`.trimEnd());
  }
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const isPacked = response.headers.has('content-encoding');
  const bytes = readBody(response);
  return Number.isSafeInteger(length) && !isPacked ? { bytes, totalBytes: length } : { bytes };

  async function* readBody({ body }: Response): AsyncGenerator<Uint8Array> {
    if (body === null) return;
    const reader = body.getReader();
    try {
      for (;;) {
        const step = await withTimeout(() => reader.read());
        if (step.done) return;
        yield step.value;
      }
    } finally {
      abort.abort();
    }
  }

  async function withTimeout<Result>(wait: () => Promise<Result>): Promise<Result> {
    let hasStalled = false;
    const timer = setTimeout(() => {
      hasStalled = true;
      abort.abort();
    }, timeoutMs);
    try {
      return await wait();
    } catch (cause) {
      throw new BrokenFeed(
        hasStalled
          ? `${shown} sent nothing for ${timeoutMs / 1000} seconds; try again later`
          : `${shown} cannot be fetched (${reasonOf(cause)}); check the address and try again`,
        { cause },
      );
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The network's own words, which `fetch` hides behind "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
