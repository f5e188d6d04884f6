/**
 * Which client a connection speaks for, as limits by address count: an IPv4 address, or the /64 that an IPv6 network gives to one
 * customer (RFC 6177 §2). What `X-Forwarded-For` says counts only as far as the operator trusts who has written it.
 */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import proxyAddr from 'proxy-addr';

/**
 * The proxies before this server that are believed: how many they are, or their addresses and networks, among them the names
 * `loopback`, `linklocal` and `uniquelocal`. None: whoever connects is the client.
 */
export type TrustedProxies = number | readonly string[];

/** True for what {@link openClientAddresses} can take. */
export function canTrust(networks: readonly string[]): boolean {
  try {
    proxyAddr.compile([...networks]);
    return true;
  } catch {
    return false;
  }
}

const MOST_KNOWN = 10_000;

/** Makes what tells the client of a request, such as `203.0.113.7` or `2001:db8:0:1::/64`. */
export function openClientAddresses(trusted: TrustedProxies): (incoming: IncomingMessage) => string {
  const trust =
    typeof trusted === 'number' ? (_address: string, hop: number) => hop < trusted : proxyAddr.compile([...trusted]);
  const isDirect = trusted === 0 || (typeof trusted !== 'number' && trusted.length === 0);
  const networks = new LRUCache<string, string>({ max: MOST_KNOWN });
  const networkOf = (address: string) => {
    const network = networks.get(address) ?? readNetwork(address);
    if (network !== undefined) networks.set(address, network);
    return network;
  };

  return (incoming) => {
    const connected = incoming.socket.remoteAddress ?? '';
    const claimed = isDirect ? connected : proxyAddr(incoming, trust);
    // What is no address was not written by a proxy that can be trusted.
    return networkOf(claimed) ?? networkOf(connected) ?? 'unknown';
  };
}

/**
 * Makes what tells whether a connection comes from a proxy that is trusted, so that many clients may share it. What the request says of
 * itself counts for nothing.
 */
export function openTrustedPeers(trusted: TrustedProxies): (incoming: IncomingMessage) => boolean {
  if (typeof trusted === 'number') return () => trusted > 0;
  if (trusted.length === 0) return () => false;
  const trust = proxyAddr.compile([...trusted]);
  return ({ socket: { remoteAddress } }) => remoteAddress !== undefined && trust(remoteAddress, 0);
}

/** @param text an address; some proxies write the port behind it. */
function readNetwork(text: string): string | undefined {
  const address = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address); // An IPv4 address that is written as IPv6 is an IPv4 address.
  if (parsed instanceof ipaddr.IPv6) {
    return `${parsed.parts
      .slice(0, 4)
      .map((part) => part.toString(16))
      .join(':')}::/64`;
  }
  return parsed.toString();
}
