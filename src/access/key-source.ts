/** Where clients send their key, and the refusals of requests without a valid one: all 401 problems are made here. */
import { Problem } from '../problem.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A place that clients send their key in, with the words of the refusals. */
export interface KeySource {
  secretOf(headers: Headers): string | undefined;
  /** What `WWW-Authenticate` names (RFC 9110 §11.6.1). */
  challenge: string;
  /** What a client without a key is told to do. */
  ifMissing: string;
  /** What a client whose key is not valid is told to do. */
  ifInvalid: string;
}

const headerOf = (headers: Headers, name: string) => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** The header `x-api-key`. */
export const KEY_HEADER: KeySource = {
  secretOf: (headers) => headerOf(headers, 'x-api-key'),
  challenge: 'ApiKey',
  ifMissing: 'Send your API key in the `x-api-key` header.',
  ifInvalid:
    'The API key in `x-api-key` is unknown, revoked or expired: check it for typing errors, or ask the operator for a new one.',
};

/** The same header, or a bearer token (RFC 6750 §2.1), which is all that many MCP clients can send. */
export const KEY_HEADER_OR_BEARER: KeySource = {
  secretOf: (headers) =>
    headerOf(headers, 'x-api-key') || /^Bearer +(\S+) *$/i.exec(headerOf(headers, 'authorization') ?? '')?.[1],
  challenge: 'ApiKey, Bearer',
  ifMissing:
    'Send your API key in the `x-api-key` header, or as `Authorization: Bearer <key>`: both are set where the client is told the address of this server.',
  ifInvalid:
    'The API key is unknown, revoked or expired: check it for typing errors, or ask the operator for a new one.',
};

/** The request carries no key. */
export function missingKey({ challenge, ifMissing }: KeySource): Problem {
  return new Problem('missing_api_key', ifMissing, { headers: { 'WWW-Authenticate': challenge } });
}

/** The request's key is unknown, revoked or expired. */
export function invalidKey({ challenge, ifInvalid }: KeySource): Problem {
  return new Problem('invalid_api_key', ifInvalid, { headers: { 'WWW-Authenticate': challenge } });
}

/** The key was valid when the subscription began and no longer is. */
export function endedKey(): Problem {
  return new Problem(
    'invalid_api_key',
    'The API key has been revoked or has expired: subscribe again with another one.',
  );
}
