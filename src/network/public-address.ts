// Restricts feeds and webhooks to addresses of the public internet, so that a shop's address or redirect, or a client's URL, cannot make
// this machine send requests to its own network (server-side request forgery).
import ipaddr from 'ipaddr.js';

/** IANA's global unicast space; all other IPv6 addresses are unassigned or have a special purpose (RFC 4291 §2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Not public either: the server from which Azure's machines get their settings, and the documentation prefix of RFC 9637. */
const ALSO_SPECIAL = [ipaddr.parseCIDR('168.63.129.16/32'), ipaddr.parseCIDR('3fff::/20')];

/**
 * True for an address of the public internet, with or without brackets; false for other text, and for all addresses in IANA's
 * special-purpose registries (RFC 6890): private, loopback, link-local with the clouds' metadata services, shared (CGNAT), multicast
 * and the rest. An IPv4 address within IPv6, mapped (RFC 4291 §2.5.5.2) or by NAT64 (RFC 6052), is judged as IPv4.
 */
export function isPublicAddress(text: string): boolean {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(bare)) return false;
  const address = embedded(ipaddr.process(bare));
  if (address.range() !== 'unicast') return false;
  if (ALSO_SPECIAL.some(([prefix, length]) => prefix.kind() === address.kind() && address.match(prefix, length))) {
    return false;
  }
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

/** The IPv4 address in a NAT64 address: the last four bytes after the well-known prefix (RFC 6052 §2.1). */
function embedded(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address instanceof ipaddr.IPv4 || address.range() !== 'rfc6052') return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(-4));
}
