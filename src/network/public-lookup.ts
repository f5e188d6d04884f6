/**
 * Resolves names to public addresses only. A connection that uses it goes to an address that was checked, which therefore cannot change
 * after the check (DNS rebinding).
 */
import { lookup as lookUpByDns } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** A name has no public address, or an address is not public. */
export class NotPublic extends Error {
  override name = 'NotPublic';
}

/** Makes a lookup for connections, which fails with {@link NotPublic} for a name without a public address. @param lookup resolves names; by default as the system does. */
export function publicLookup(lookup: LookupFunction = lookUpByDns): LookupFunction {
  return (hostname, options, done) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, []);
      const addresses = Array.isArray(found) ? found.filter(({ address }) => isPublicAddress(address)) : [];
      const [first] = addresses;
      if (!first) return done(new NotPublic(), []);
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family);
    });
}

/** The host of a URL, without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Whether the host of a URL is an address that is not public. Node looks up names only, so addresses need this check; URL has normalised them. */
export const isPrivateHost = (url: URL): boolean => isIP(hostOf(url)) !== 0 && !isPublicAddress(url.hostname);
