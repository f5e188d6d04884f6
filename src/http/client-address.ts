/**
 * Determines the client of a request for limits by address: an IPv4 address, or the /64 that an IPv6 network assigns to one customer
 * (RFC 6177 §2). `X-Forwarded-For` counts only as far as it was written by proxies that the operator trusts.
 */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import proxyAddr from 'proxy-addr';

/** The trusted proxies: their number, or networks, such as `loopback`, `linklocal` and `uniquelocal`. Without any, peers are clients. */
export type TrustedProxies = number | readonly string[];

/** True if {@link openClientAddresses} accepts these networks. */
export function canTrust(networks: readonly string[]): boolean {
  try {
    proxyAddr.compile([...networks]);
    return true;
  } catch {
    return false;
  }
}

const MOST_KNOWN = 10_000;

/** Makes the function that returns the client of a request, such as `203.0.113.7` or `2001:db8:0:1::/64`. */
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
    // A value that is not an address was not written by a trusted proxy.
    return networkOf(claimed) ?? networkOf(connected) ?? 'unknown';
  };
}

/** Tells whether a connection comes from a trusted proxy, so that many clients may share it. The request's headers do not count. */
export function openTrustedPeers(trusted: TrustedProxies): (incoming: IncomingMessage) => boolean {
  if (typeof trusted === 'number') return () => trusted > 0;
  if (trusted.length === 0) return () => false;
  const trust = proxyAddr.compile([...trusted]);
  return ({ socket: { remoteAddress } }) => remoteAddress !== undefined && trust(remoteAddress, 0);
}

/** @param text an address; some proxies append the port. */
function readNetwork(text: string): string | undefined {
  const address = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address); // Turns IPv4-mapped IPv6 addresses into IPv4.
  if (parsed instanceof ipaddr.IPv6) {
    return `${parsed.parts
      .slice(0, 4)
      .map((part) => part.toString(16))
      .join(':')}::/64`;
  }
  return parsed.toString();
}
