/** Refusals of requests that no row of the route table answers: unknown paths and unsupported methods. */
import { maskSecrets } from '../access/secret.ts';
import { endpointOf } from '../operations/endpoint.ts';
import { Problem } from '../problem.ts';
import type { Exchange } from './exchange.ts';

/** The endpoint of unknown paths in metrics and the log. */
export const NOWHERE = endpointOf('rest', 'unmatched');

const MOST_SHOWN = 200;

/** Refuses an unknown path. */
export async function refuseUnknown(exchange: Exchange): Promise<never> {
  exchange.endpoint = NOWHERE;
  await exchange.access.recognise(); // So that the headers report the limits of a known key.
  // Mask before cutting, since a part of a key would not be recognised.
  const shown = maskSecrets(exchange.pathname).slice(0, MOST_SHOWN);
  throw new Problem('not_found', `No route matches ${shown}: see /api/v1 for all routes.`);
}

/** The `Allow` header of a read-only path. */
export const READ_ALLOW = 'GET, HEAD, OPTIONS';

/** @param allow the methods of the path, as `Allow` lists them. */
export function methodNotAllowed(method: string, allow: string): Problem {
  const instead = allow === READ_ALLOW ? 'GET' : allow;
  return new Problem('method_not_allowed', `This URL does not support ${method}: use ${instead}.`, {
    headers: { Allow: allow },
  });
}
