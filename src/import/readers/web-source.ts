// Fetches a feed from an http or https address, as a stream that ends in an error when the shop's server stalls or takes
// longer than a feed may. Which addresses it connects to is decided where the connection is made, at every redirect anew.

import { lookup as lookUpByDns } from 'node:dns';
import { get as getOverHttp, type IncomingMessage } from 'node:http';
import { get as getOverHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { excerpt } from '../../values/printable.ts';
import { BrokenFeed } from '../reject.ts';
import { gunzipIfNeeded } from './gunzip.ts';
import { isPublicAddress } from './public-address.ts';

/** A stream of bytes, with its length where the server tells it. */
export interface ByteStream {
  bytes: AsyncIterable<Uint8Array>;
  totalBytes?: number;
}

/** Bounds on fetching. */
export interface WebSourceOptions {
  /** The longest wait for the first answer, and then for each piece. */
  timeoutMs: number;
  /** The longest time from the first connection to the last byte. */
  totalMs: number;
  /** The most bytes that an answer's content coding may unpack to. */
  maxBytes: number;
  /** The host of `address` may be on any network and port; those that it redirects to may not. */
  isPrivateAllowed: boolean;
  /** How names become addresses; the system's resolver by default. */
  lookup?: LookupFunction;
}

/** The Fetch standard's 20 are for browsers; shops need one or two. */
const MOST_REDIRECTS = 5;

/**
 * Begins to fetch `address`; at most five redirects are followed. A user and password in the address are sent as basic
 * authentication, to its own origin alone. Neither they nor the query are repeated in messages.
 *
 * @throws BrokenFeed for an answer other than 2xx, a host that is not on the public internet, a port of a system service, a
 *   connection that fails or stalls, and a feed that takes too long
 */
export async function openWebSource(address: string, options: WebSourceOptions): Promise<ByteStream> {
  const { timeoutMs, totalMs, maxBytes, isPrivateAllowed } = options;
  const named = new URL(address);
  const abort = new AbortController();
  const deadline = Date.now() + totalMs;
  let url = named;
  let authorization = authorizationOf(named);

  for (let redirects = 0; ; redirects += 1) {
    const shown = `${url.origin}${url.pathname}`;
    const isNamedHost = url.hostname === named.hostname && url.port === named.port;
    if (!(isPrivateAllowed && isNamedHost) && !isFeedPort(url.port)) throw notAFeedPort(shown, url.port);
    const lookup = isPrivateAllowed && isNamedHost ? undefined : publicLookup(options.lookup);
    // Node asks no lookup for an address that needs none; a URL has brought it to its usual spelling already.
    if (lookup !== undefined && isIP(hostOf(url)) !== 0 && !isPublicAddress(url.hostname)) throw notPublic(shown);

    const response = await inTime(shown, () => request(url, authorization, lookup ?? options.lookup));
    const { statusCode = 0, statusMessage = '', headers } = response;
    if (headers.location !== undefined && REDIRECTS.has(statusCode)) {
      response.destroy();
      if (redirects === MOST_REDIRECTS) {
        throw new BrokenFeed(
          `${named.origin}${named.pathname} redirects more than ${MOST_REDIRECTS} times; give the address that it leads to`,
        );
      }
      const next = targetOf(headers.location, url, shown);
      if (next.origin !== url.origin) authorization = undefined;
      url = next;
      continue;
    }
    if (statusCode < 200 || statusCode > 299) {
      response.destroy();
      throw new BrokenFeed(`${shown} answered ${statusCode} ${excerpt(statusMessage)}`.trimEnd());
    }
    return streamOf(response, shown);
  }

  function request(target: URL, credentials: string | undefined, lookup: LookupFunction | undefined) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const get = target.protocol === 'https:' ? getOverHttps : getOverHttp;
      get(
        target,
        {
          // A kept connection could be one that was made under another rule.
          agent: false,
          signal: abort.signal,
          ...(lookup !== undefined && { lookup }),
          headers: {
            // Uncompressed on the way, the length tells whether all of it came; archives are still archives.
            'accept-encoding': 'identity',
            'user-agent': 'product-data-api',
            ...(credentials !== undefined && { authorization: credentials }),
          },
        },
        resolve,
      ).on('error', reject);
    });
  }

  function streamOf(response: IncomingMessage, shown: string): ByteStream {
    const length = Number(response.headers['content-length'] ?? Number.NaN);
    const coding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    const bytes = readBody(response, shown);
    if (coding === 'identity' || coding === '') {
      return Number.isSafeInteger(length) ? { bytes, totalBytes: length } : { bytes };
    }
    if (coding === 'gzip' || coding === 'x-gzip') return { bytes: gunzipIfNeeded(bytes, { maxBytes }) };
    response.destroy();
    throw new BrokenFeed(
      `${shown} answered in the coding ${excerpt(coding)}, which was not asked for; fetch the feed yourself`,
    );
  }

  async function* readBody(response: IncomingMessage, shown: string): AsyncGenerator<Uint8Array> {
    const pieces = response[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    try {
      for (;;) {
        const step = await inTime(shown, () => pieces.next());
        if (step.done === true) return;
        yield step.value;
      }
    } finally {
      response.destroy();
    }
  }

  /** Waits for a step of the server's, for as long as one may take and all of them together. */
  async function inTime<Result>(shown: string, wait: () => Promise<Result>): Promise<Result> {
    const left = deadline - Date.now();
    let isLate = left <= 0;
    if (isLate) throw tooLate(shown, totalMs, timeoutMs, left);
    const timer = setTimeout(
      () => {
        isLate = true;
        abort.abort();
      },
      Math.min(timeoutMs, left),
    );
    try {
      return await wait();
    } catch (cause) {
      if (isLate) throw tooLate(shown, totalMs, timeoutMs, left, cause);
      if (isRefusal(cause)) throw notPublic(shown, cause);
      throw new BrokenFeed(`${shown} cannot be fetched (${reasonOf(cause)}); check the address and try again`, {
        cause,
      });
    } finally {
      clearTimeout(timer);
    }
  }
}

// RFC 9110 §15.4: the redirects that name one address to ask with GET.
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const hostOf = (url: URL) => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** Basic authentication (RFC 7617) with the user and password of an address, where it has them. */
function authorizationOf(url: URL): string | undefined {
  if (url.username === '' && url.password === '') return undefined;
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
  url.username = '';
  url.password = '';
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** A password with a percent sign that begins nothing is meant as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Where a redirect leads; credentials in it are the redirecting server's idea and are not sent. */
function targetOf(location: string, from: URL, shown: string): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (target === undefined || !/^https?:$/.test(target.protocol)) {
    throw new BrokenFeed(`${shown} redirects to what is not an http(s) address; give the feed's own address`);
  }
  target.username = '';
  target.password = '';
  return target;
}

const REFUSED = 'EADDRNOTPUBLIC';

function isRefusal(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === REFUSED;
}

/**
 * A lookup that gives the public addresses of a name alone. The connection is made to what it gives, so that nothing can
 * change between the check and the use, as it could if the name were looked up twice (DNS rebinding).
 */
function publicLookup(lookup: LookupFunction = lookUpByDns): LookupFunction {
  return (hostname, options, done) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, []);
      const addresses = Array.isArray(found) ? found.filter(({ address }) => isPublicAddress(address)) : [];
      const [first] = addresses;
      if (!first) return done(Object.assign(new Error('no public address'), { code: REFUSED }), []);
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family);
    });
}

function notPublic(shown: string, cause?: unknown): BrokenFeed {
  return new BrokenFeed(
    `${shown} is not on the public internet, so it was not asked; name it yourself and add --allow-private if the feed lies there`,
    { cause },
  );
}

// Ports below 1024 are for system services (RFC 6335 §6), which a request could make act. An empty port is the scheme's own.
function isFeedPort(port: string): boolean {
  return port === '' || port === '80' || port === '443' || Number(port) >= 1024;
}

function notAFeedPort(shown: string, port: string): BrokenFeed {
  return new BrokenFeed(
    `${shown} is on port ${port}, where system services are, so it was not asked; use port 80, 443 or one from 1024 on, ` +
      'or name it yourself and add --allow-private if the feed lies there',
  );
}

function tooLate(shown: string, totalMs: number, timeoutMs: number, left: number, cause?: unknown): BrokenFeed {
  return new BrokenFeed(
    left > timeoutMs
      ? `${shown} sent nothing for ${timeoutMs / 1000} seconds; try again later`
      : `${shown} took longer than ${totalMs / 1000} seconds in all; fetch the feed yourself and import the file`,
    { cause },
  );
}

/** The network's own words; Node hides those of several attempts in one error without a message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  return String((error as NodeJS.ErrnoException).code ?? error.name);
}
