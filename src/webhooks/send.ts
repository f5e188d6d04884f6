/** Sends one message to a receiver over HTTP, within a limited time, to the very address that was checked. */
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestOverHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestOverHttps } from 'node:https';
import { SecretUnreadable } from '../database/vault.ts';
import { followSignal } from '../follow-signal.ts';
import { isPrivateHost, NotPublic } from '../network/public-lookup.ts';
import { isAllowed, type ReceiverRules, receiverLookup } from './check-url.ts';
import { readRetryAfter } from './schedule.ts';
import { signedHeaders } from './sign.ts';

/** The longest that a receiver may take, from the connection to the end of its response. */
export const RESPONSE_MS = 15_000;
/** The most of a response that is read. Its content matters only if it confirms an address, but a connection can be used again only after it. */
const MOST_RESPONSE_BYTES = 65_536;

/** The result of an attempt. */
export interface Sent {
  isDelivered: boolean;
  /** The status of the response, if there was one. */
  status: number | null;
  /** Why it failed: a sentence for the owner, without the URL and without addresses. */
  error: string | null;
  retryAfterMs?: number | undefined;
  /** What was read of the response. */
  text?: string;
}

export interface Letter {
  url: string;
  /** Reads the secret. @throws {SecretUnreadable} */
  secret(): string;
  messageId: string;
  body: string;
}

export interface SenderOptions extends ReceiverRules {
  /** The longest wait for a receiver; {@link RESPONSE_MS} by default. */
  responseMs?: number;
  /** The most connections to one receiver that are kept for the next message. */
  idleConnections: number;
}

// Receivers often close idle connections after a minute or less; a connection that is closed while a message is on its way costs a retry.
const IDLE_MS = 4_000;

/** Opens a sender, with its own connections. */
export function openSender({ responseMs = RESPONSE_MS, idleConnections, ...rules }: SenderOptions) {
  const { isPrivateAllowed } = rules;
  const lookup = receiverLookup(rules);
  const kept = { keepAlive: true, maxFreeSockets: idleConnections, timeout: IDLE_MS };
  const agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };

  const open = (url: URL, headers: Record<string, string>, signal: AbortSignal): ClientRequest => {
    const isSecure = url.protocol === 'https:';
    const request = isSecure ? requestOverHttps : requestOverHttp;
    const agent = isSecure ? agents.https : agents.http;
    return request(url, { method: 'POST', agent, headers, signal, ...(lookup && { lookup }) });
  };

  const post = (url: URL, headers: Record<string, string>, body: string, signal: AbortSignal, isAgain = false) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const request = open(url, headers, signal);
      request.on('response', resolve);
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The receiver closed a kept connection just then, so it has not read the message.
        const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (isStale && !isAgain) post(url, headers, body, signal, true).then(resolve, reject);
        else reject(error);
      });
      request.end(body);
    });

  return {
    /** Sends a message. Never throws. @param cutOff ends the attempt early, when the gateway stops. */
    async send({ url: address, secret, messageId, body }: Letter, cutOff?: AbortSignal): Promise<Sent> {
      const url = new URL(address);
      if (!isPrivateAllowed && isPrivateHost(url)) return failed(notPublic(url));
      // It was allowed when the webhook was made.
      if (!isAllowed(url, rules)) return failed(NOT_ALLOWED);
      const over = new AbortController();
      const timer = setTimeout(() => over.abort(), responseMs);
      const unfollow = followSignal(cutOff, () => over.abort());
      try {
        const headers = {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'user-agent': 'product-data-api-webhooks',
          ...signedHeaders(secret(), messageId, body, Date.now()),
        };
        const response = await post(url, headers, body, over.signal);
        return { ...judge(response), text: await read(response) };
      } catch (error) {
        if (over.signal.aborted && !cutOff?.aborted)
          return failed(`The receiver did not answer within ${responseMs / 1_000} seconds.`);
        if (error instanceof SecretUnreadable) return failed(UNREADABLE);
        if (error instanceof NotPublic) return failed(notPublic(url));
        return failed(`The connection failed (${codeOf(error)}).`);
      } finally {
        clearTimeout(timer);
        unfollow();
      }
    },
    /** Closes the idle connections. */
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

const failed = (error: string): Sent => ({ isDelivered: false, status: null, error });

const NOT_ALLOWED =
  'The URL no longer is one that messages may be sent to, so nothing was sent: change it to https on port 443 or 8443.';

const UNREADABLE = 'The service cannot read the secret of the webhook, so nothing was sent: ask its operator.';

const notPublic = ({ hostname }: URL) =>
  `The host ${hostname} is unknown, or has no address on the public internet, so nothing was sent.`;

function judge({ statusCode: status = 0, headers }: IncomingMessage): Sent {
  if (status >= 200 && status < 300) return { isDelivered: true, status, error: null };
  const retryAfterMs = readRetryAfter(headers['retry-after'], Date.now());
  const isRedirect = status >= 300 && status < 400;
  const error = isRedirect
    ? `The receiver answered ${status}, and redirects are not followed: use the URL that it leads to.`
    : `The receiver answered ${status} instead of a status from 200 to 299.`;
  return { isDelivered: false, status, error, retryAfterMs };
}

/** Reads a response to its end, so that the connection can be used again; at most {@link MOST_RESPONSE_BYTES}. Never rejects. */
function read(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    response.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (text.length > MOST_RESPONSE_BYTES) response.destroy();
    });
    // The status was received, so a response that breaks off does not matter.
    response.on('error', () => resolve(text));
    response.on('close', () => resolve(text));
  });
}

/** The code of a network error; messages contain addresses. Node combines several attempts in one error. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, errors } = error as { code?: unknown; errors?: unknown[] };
  return typeof code === 'string' ? code : errors?.[0] ? codeOf(errors[0]) : error.name;
}
