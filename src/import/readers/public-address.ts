// Which network addresses a feed may come from: those of the public internet alone, so that a shop's address or redirect
// cannot make this machine ask its own network (server-side request forgery).

import ipaddr from 'ipaddr.js';

/** IANA's global unicast space; all of IPv6 outside it is unassigned or has a purpose of its own (RFC 4291 §2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Special for this purpose, though the registries do not list them: the virtual server that Azure's machines reach for their
 * settings, and the documentation prefix of RFC 9637, which is newer than most lists.
 */
const ALSO_SPECIAL = [ipaddr.parseCIDR('168.63.129.16/32'), ipaddr.parseCIDR('3fff::/20')];

/**
 * True for an address of the public internet; false for all that IANA's special-purpose registries (RFC 6890) name: private,
 * loopback, link-local with the clouds' metadata services, shared (CGNAT), multicast, documentation and the rest. An IPv4
 * address within IPv6, mapped (RFC 4291 §2.5.5.2) or by NAT64 (RFC 6052), is judged by itself. What is no address is not public.
 *
 * @param text an IPv4 or IPv6 address; brackets around it are left away.
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

/** The IPv4 address that a NAT64 address stands for: the last four bytes under the well-known prefix (RFC 6052 §2.1). */
function embedded(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address instanceof ipaddr.IPv4 || address.range() !== 'rfc6052') return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(-4));
}
