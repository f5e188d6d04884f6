/** The places where clients send their key, and the refusals of requests without a valid one. All 401 problems are made here. */
import { Problem } from '../problem.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A place where clients send their key, with the text of its refusals. */
export interface KeySource {
  secretOf(headers: Headers): string | undefined;
  /** The value of `WWW-Authenticate` (RFC 9110 §11.6.1). */
  challenge: string;
  /** The problem detail for a client without a key. */
  ifMissing: string;
  /** The problem detail for a client with an invalid key. */
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
    'The API key in `x-api-key` is unknown, revoked or expired: check it for typos, or ask the operator for a new one.',
};

/** The same header, or a bearer token (RFC 6750 §2.1), since many MCP clients can send nothing else. */
export const KEY_HEADER_OR_BEARER: KeySource = {
  secretOf: (headers) =>
    headerOf(headers, 'x-api-key') || /^Bearer +(\S+) *$/i.exec(headerOf(headers, 'authorization') ?? '')?.[1],
  challenge: 'ApiKey, Bearer',
  ifMissing:
    'Send your API key in the `x-api-key` header, or as `Authorization: Bearer <key>`: set it where you configure the URL of this server in your client.',
  ifInvalid: 'The API key is unknown, revoked or expired: check it for typos, or ask the operator for a new one.',
};

/** The request has no key. */
export const missingKey = ({ challenge, ifMissing }: KeySource) =>
  new Problem('missing_api_key', ifMissing, { headers: { 'WWW-Authenticate': challenge } });

/** The request's key is unknown, revoked or expired. */
export const invalidKey = ({ challenge, ifInvalid }: KeySource) =>
  new Problem('invalid_api_key', ifInvalid, { headers: { 'WWW-Authenticate': challenge } });

/** The key was valid when the subscription started and no longer is. */
export const endedKey = () =>
  new Problem('invalid_api_key', 'The API key was revoked or has expired: subscribe again with another key.');
