/** Resolves names by asking the DNS servers directly, within a limited time. The system's resolver occupies one of Node's four threads for as long as a slow server takes, and file access and compression wait behind it. */
import { Resolver } from 'node:dns';
import type { LookupFunction } from 'node:net';

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** Makes a lookup for connections. It knows the names in DNS only, not those in the machine's `hosts` file. */
export function dnsLookup(): LookupFunction {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  const ask = (hostname: string, family: 4 | 6) =>
    new Promise<{ address: string; family: number }[]>((resolve, reject) => {
      const answer = (error: NodeJS.ErrnoException | null, addresses: string[]) => {
        if (error) reject(error);
        else resolve(addresses.map((address) => ({ address, family })));
      };
      if (family === 4) resolver.resolve4(hostname, answer);
      else resolver.resolve6(hostname, answer);
    });

  return (hostname, options, done) => {
    const families: (4 | 6)[] = options.family === 4 || options.family === 6 ? [options.family] : [4, 6];
    void Promise.allSettled(families.map((family) => ask(hostname, family))).then((answers) => {
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      const [first] = found;
      const failed = answers.find((answer) => answer.status === 'rejected');
      if (!first) done(failed?.reason ?? new Error('The name has no address.'), []);
      else if (options.all) done(null, found);
      else done(null, first.address, first.family);
    });
  };
}
