/** Checks the URL of a webhook: what may be sent to it, and whether it leads to the public internet. */
import type { LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { invalid } from '../catalogue/arguments.ts';
import { dnsLookup } from '../network/dns-lookup.ts';
import { hostOf, isPrivateHost, NotPublic, publicLookup } from '../network/public-lookup.ts';

/** The longest URL, in characters. */
export const LONGEST_URL = 2_048;

// HTTPS and its usual alternative: other ports belong to other services.
const PORTS: ReadonlySet<string> = new Set(['', '443', '8443']);

/** Which receivers are allowed. */
export interface ReceiverRules {
  /** Permits plain http, any port, and private addresses. */
  isPrivateAllowed: boolean;
  /** Resolves names; by default DNS, or the system's resolver if private addresses are allowed. */
  lookup?: LookupFunction | undefined;
  /** Tells why a name is refused, for operators. Nobody else may learn which names the operator's DNS knows. */
  tellsReason?: boolean | undefined;
}

/** The refusal of a name is told no sooner, because its duration would tell whether the operator's DNS knows the name. */
const REFUSAL_MS = 1_000;

/** Whether messages may be sent with the URL's scheme, and to its port. */
export const isAllowed = (url: URL, rules: ReceiverRules): boolean =>
  hasAllowedScheme(url, rules) && hasAllowedPort(url, rules);

const hasAllowedScheme = ({ protocol }: URL, { isPrivateAllowed }: ReceiverRules) =>
  protocol === 'https:' || (isPrivateAllowed && protocol === 'http:');

const hasAllowedPort = ({ port }: URL, { isPrivateAllowed }: ReceiverRules) => isPrivateAllowed || PORTS.has(port);

/** The lookup of connections to receivers; `undefined` for the system's resolver. It fails alike for private and for unknown names. */
export function receiverLookup({ isPrivateAllowed, lookup }: ReceiverRules): LookupFunction | undefined {
  if (isPrivateAllowed) return lookup;
  const find = publicLookup(lookup ?? dnsLookup());
  return (hostname, options, done) =>
    find(hostname, options, (error, address, family) =>
      done(error && new NotPublic('', { cause: error }), address, family),
    );
}

/**
 * The URL in its normal form, without a fragment.
 * @throws {Problem} `invalid_parameter` if it is no URL, is too long, has credentials, another scheme or port than allowed, or a host
 *   outside the public internet.
 */
export async function checkUrl(text: string, rules: ReceiverRules): Promise<string> {
  const { isPrivateAllowed } = rules;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || text.length > LONGEST_URL || url.href.length > LONGEST_URL) {
    throw invalid(
      'url',
      `\`url\` must be a URL of at most ${LONGEST_URL} characters, such as https://example.com/hooks.`,
    );
  }
  if (!hasAllowedScheme(url, rules)) {
    throw invalid('url', '`url` must start with https://, so that messages arrive unread and unchanged.');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('url', '`url` must not contain a user or password: verify the signature of messages instead.');
  }
  if (!hasAllowedPort(url, rules)) {
    throw invalid('url', `\`url\` uses port ${url.port}: use 443 or 8443.`);
  }
  url.hash = '';
  if (!isPrivateAllowed) await requirePublic(url, rules);
  return url.href;
}

async function requirePublic(url: URL, rules: ReceiverRules): Promise<void> {
  const host = hostOf(url);
  const refusal = (why: string) => invalid('url', `The host ${host} of \`url\` ${why}.`);
  const notPublic = rules.tellsReason
    ? 'has no address on the public internet: use one that has'
    : 'is unknown, or has no address on the public internet: check its name, and use one that has';
  // Names for this machine, which no DNS server need know (RFC 6761 §6.3).
  if (isPrivateHost(url) || /^(.+\.)?localhost\.?$/.test(host)) throw refusal(notPublic);
  if (host.includes(':') || /^[\d.]+$/.test(host)) return; // A public address.
  const lookup = receiverLookup(rules);
  const since = performance.now();
  const error = await new Promise<Error | null>((resolve) => void lookup?.(host, { all: true }, resolve));
  if (!error) return;
  if (rules.tellsReason) {
    const isUnknown = !(error.cause instanceof NotPublic);
    throw refusal(isUnknown ? 'cannot be resolved to an address: check its name' : notPublic);
  }
  await pause(Math.max(0, since + REFUSAL_MS - performance.now()));
  throw refusal(notPublic);
}
