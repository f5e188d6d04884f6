// Fetches a feed from an http or https URL. The stream ends with an error when the shop's server stalls or takes too long. Network
// addresses are checked when a connection is made, again for every redirect.
import { get as getOverHttp, type IncomingMessage } from 'node:http';
import { get as getOverHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { followSignal } from '../../follow-signal.ts';
import { isPrivateHost, NotPublic, publicLookup } from '../../network/public-lookup.ts';
import { excerpt } from '../../values/printable.ts';
import { BrokenFeed } from '../reject.ts';
import { gunzipIfNeeded } from './gunzip.ts';

/** A stream of bytes, with its length if known. */
export interface ByteStream {
  bytes: AsyncIterable<Uint8Array>;
  totalBytes?: number | undefined;
}

/** What a server states to tell one version of a feed from the next (RFC 9110 §8.8), as it wrote it. */
export interface Validators {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

/** A feed that was fetched: its bytes, or none if it is still the version that the request named. */
export type WebFeed = (ByteStream & Validators & { isUnchanged: false }) | { isUnchanged: true };

/** Limits on fetching. */
export interface WebSourceOptions {
  /** The longest wait for the response, and then for each chunk. */
  timeoutMs: number;
  /** The longest time from the first connection to the last byte. */
  totalMs: number;
  /** The most bytes that a response with a content coding may unpack to. */
  maxBytes: number;
  /** Whether the host of `address` may be on any network and port; hosts that it redirects to may not. */
  isPrivateAllowed: boolean;
  /** Resolves names; the system's resolver by default. */
  lookup?: LookupFunction;
  /** Additional header fields, such as credentials. They are sent to the address's own origin only. */
  headers?: Readonly<Record<string, string>>;
  /** The version that is known already. */
  known?: Validators | undefined;
  /** Ends the fetch. */
  signal?: AbortSignal | undefined;
}

// No request asks for a part (RFC 9110 §15.3.7), so a 206 is a truncated download that a cache has kept.
const PARTIAL_CONTENT = 206;

/** The Fetch standard allows 20 for browsers; shops need one or two. */
const MOST_REDIRECTS = 5;

/**
 * Starts to fetch `address` and follows at most five redirects. A user and password in the address are sent as basic authentication,
 * but only to its own origin, as are `headers`. Messages contain neither them nor the query.
 *
 * @throws BrokenFeed for a status other than 2xx, for 206, for a host outside the public internet, a port of a system service, a connection
 *   that fails or stalls, and a feed that takes too long
 */
export async function openWebSource(address: string, options: WebSourceOptions): Promise<WebFeed> {
  const { timeoutMs, totalMs, maxBytes, isPrivateAllowed, known } = options;
  const named = new URL(address);
  const abort = new AbortController();
  let overrun: Error | undefined;
  const deadline = Date.now() + totalMs;
  let url = named;
  const authorization = authorizationOf(named);
  let own = { ...options.headers, ...(authorization !== undefined && { authorization }) };

  for (let redirects = 0; ; redirects += 1) {
    const shown = `${url.origin}${url.pathname}`;
    const isTrusted = isPrivateAllowed && url.hostname === named.hostname && url.port === named.port;
    if (!isTrusted) requireFeedPort(shown, url.port);
    const lookup = isTrusted ? undefined : publicLookup(options.lookup);
    // Node skips the lookup for IP addresses.
    if (lookup !== undefined && isPrivateHost(url)) throw notPublic(shown);

    const response = await inTime(shown, () => request(url, own, lookup ?? options.lookup));
    const { statusCode = 0, statusMessage = '', headers } = response;
    if (headers.location !== undefined && REDIRECTS.has(statusCode)) {
      response.destroy();
      const tooMany = `redirects more than ${MOST_REDIRECTS} times; use the address that it finally leads to`;
      if (redirects === MOST_REDIRECTS) throw new BrokenFeed(`${named.origin}${named.pathname} ${tooMany}`);
      const next = targetOf(headers.location, url, shown);
      if (next.origin !== url.origin) own = {};
      url = next;
      continue;
    }
    if (statusCode === 304 && isConditional(known)) {
      response.destroy();
      return { isUnchanged: true };
    }
    if (statusCode < 200 || statusCode > 299 || statusCode === PARTIAL_CONTENT) {
      response.destroy();
      if (statusCode === PARTIAL_CONTENT)
        throw new BrokenFeed(
          `${shown} answered with a part of the feed (206): ask the shop for an address of all of it`,
        );
      throw new BrokenFeed(`${shown} answered ${statusCode} ${excerpt(statusMessage)}`.trimEnd());
    }
    return { isUnchanged: false, ...streamOf(response, shown), ...validatorsOf(response) };
  }

  function request(target: URL, credentials: Record<string, string>, lookup: LookupFunction | undefined) {
    const unfollow = followSignal(options.signal, () => abort.abort());
    const asked = {
      // A reused connection might have been made under another rule.
      agent: false,
      signal: abort.signal,
      lookup,
      headers: {
        // Without a content coding, the length shows whether the whole feed arrived. Gzip files still come as gzip.
        'accept-encoding': 'identity',
        'user-agent': 'product-data-api',
        ...(known?.etag !== undefined && { 'if-none-match': known.etag }),
        ...(known?.lastModified !== undefined && { 'if-modified-since': known.lastModified }),
        ...credentials,
      },
    };
    return new Promise<IncomingMessage>((resolve, reject) => {
      const get = target.protocol === 'https:' ? getOverHttps : getOverHttp;
      const sent = get(target, asked, resolve).on('close', unfollow);
      sent.on('error', (error) => {
        // The parser's error after the response: the server sent more than it had announced.
        if ((error as NodeJS.ErrnoException).code?.startsWith('HPE_')) overrun = error;
        reject(error);
      });
    });
  }

  function streamOf(response: IncomingMessage, shown: string): ByteStream {
    const length = Number(response.headers['content-length'] ?? Number.NaN);
    const coding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    const bytes = readBody(response, shown);
    if (coding === 'identity' || coding === '') {
      return { bytes, totalBytes: Number.isSafeInteger(length) ? length : undefined };
    }
    if (coding === 'gzip' || coding === 'x-gzip') return { bytes: gunzipIfNeeded(bytes, { maxBytes }) };
    response.destroy();
    const fault = `the content coding ${excerpt(coding)}, which is not supported; download the feed and import the file`;
    throw new BrokenFeed(`${shown} answered with ${fault}`);
  }

  async function* readBody(response: IncomingMessage, shown: string): AsyncGenerator<Uint8Array> {
    const pieces = response[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    try {
      for (;;) {
        const step = await inTime(shown, () => pieces.next());
        if (step.done === true) break;
        yield step.value;
      }
      if (overrun) {
        const fault = 'sent more than its Content-Length, so the feed may be cut off; tell the shop';
        throw new BrokenFeed(`${shown} ${fault}`, { cause: overrun });
      }
    } finally {
      response.destroy();
    }
  }

  /** Waits for one step of the server, within the limits of a single step and of all together. */
  async function inTime<Result>(shown: string, wait: () => Promise<Result>): Promise<Result> {
    const left = deadline - Date.now();
    const tooLate = (cause?: unknown) => {
      const inAll = `took longer than ${totalMs / 1000} seconds in all; download the feed and import the file`;
      const fault = left > timeoutMs ? `sent nothing for ${timeoutMs / 1000} seconds; try again later` : inAll;
      return new BrokenFeed(`${shown} ${fault}`, { cause });
    };
    let isLate = left <= 0;
    if (isLate) throw tooLate();
    const giveUp = () => {
      isLate = true;
      abort.abort();
    };
    const timer = setTimeout(giveUp, Math.min(timeoutMs, left));
    try {
      return await wait();
    } catch (cause) {
      if (isLate) throw tooLate(cause);
      options.signal?.throwIfAborted();
      if (cause instanceof NotPublic) throw notPublic(shown, cause);
      const detail = `${shown} cannot be fetched (${reasonOf(cause)}); check the address and try again`;
      throw new BrokenFeed(detail, { cause });
    } finally {
      clearTimeout(timer);
    }
  }
}

const isConditional = ({ etag, lastModified }: Validators = {}) => etag !== undefined || lastModified !== undefined;

// Longer values are not worth storing and repeating.
const LONGEST_VALIDATOR = 1_000;

function validatorsOf({ headers }: IncomingMessage): Validators {
  const short = (value: string | undefined) => ((value?.length ?? 0) <= LONGEST_VALIDATOR ? value : undefined);
  return { etag: short(headers.etag), lastModified: short(headers['last-modified']) };
}

// RFC 9110 §15.4: the redirects to a single address.
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Basic authentication (RFC 7617) from the user and password of a URL, if any; removes them from the URL. */
function authorizationOf(url: URL): string | undefined {
  if (url.username === '' && url.password === '') return undefined;
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
  url.username = '';
  url.password = '';
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** Decodes percent-encoding; text with a stray percent sign is used as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The target of a redirect, without credentials, since those would be chosen by the redirecting server. */
function targetOf(location: string, from: URL, shown: string): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (target === undefined || !/^https?:$/.test(target.protocol)) {
    throw new BrokenFeed(`${shown} redirects to an address that is not http(s); use the feed's own address`);
  }
  target.username = '';
  target.password = '';
  return target;
}

function notPublic(shown: string, cause?: unknown): BrokenFeed {
  return new BrokenFeed(
    `${shown} is not on the public internet, so it was not fetched; if the feed is on your own network, import its own address with --allow-private`,
    { cause },
  );
}

// Ports below 1024 belong to system services (RFC 6335 §6), which a request could trigger. An empty port is the scheme's default.
function requireFeedPort(shown: string, port: string): void {
  if (['', '80', '443'].includes(port) || Number(port) >= 1024) return;
  throw new BrokenFeed(
    `${shown} uses port ${port}, which is reserved for system services, so it was not fetched; use port 80, 443 or one from 1024 on, ` +
      'or, if the feed is on your own network, import its own address with --allow-private',
  );
}

/** The network error's message, or its code: Node combines several attempts in one error without a message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  return String((error as NodeJS.ErrnoException).code ?? error.name);
}
