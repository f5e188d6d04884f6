/** The refusal of a method that an address does not take. */
import { Problem } from '../problem.ts';

/** What an address takes that is only read. */
export const READ_METHODS = 'GET, HEAD, OPTIONS';

/** @param allowed the methods that the address takes, as `Allow` lists them. */
export function methodNotAllowed(method: string, allowed = READ_METHODS): Problem {
  const instead = allowed === READ_METHODS ? 'GET' : allowed;
  return new Problem('method_not_allowed', `${method} is not for this address: use ${instead}.`, {
    headers: { Allow: allowed },
  });
}
