/** The refusals of requests that no row of the route table answers: unknown paths, and methods that a path does not take. */
import { maskSecrets } from '../access/secret.ts';
import { endpointOf } from '../operations/endpoint.ts';
import { Problem } from '../problem.ts';
import type { Exchange } from './exchange.ts';

/** What metrics and the log call paths that there are not. */
export const NOWHERE = endpointOf('rest', 'unmatched');

const MOST_SHOWN = 200;

/** Refuses a path that there is not. */
export async function refuseUnknown(exchange: Exchange): Promise<never> {
  exchange.endpoint = NOWHERE;
  await exchange.access.recognise(); // The headers tell a known client what is left, here too.
  // In this order: half a key would not be taken for one.
  const shown = maskSecrets(exchange.pathname).slice(0, MOST_SHOWN);
  throw new Problem('not_found', `There is no ${shown} here: see /api/v1 for what there is.`);
}

/** What `Allow` says of a path that is only read. */
export const READ_ALLOW = 'GET, HEAD, OPTIONS';

/** @param allow the methods that the path takes, as `Allow` lists them. */
export function methodNotAllowed(method: string, allow: string): Problem {
  const instead = allow === READ_ALLOW ? 'GET' : allow;
  return new Problem('method_not_allowed', `${method} is not for this address: use ${instead}.`, {
    headers: { Allow: allow },
  });
}
