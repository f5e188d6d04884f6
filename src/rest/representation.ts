/** Chooses the form of a response (content negotiation). */
import Negotiator from 'negotiator';
import { LONGEST_PREFERENCE } from '../http/exchange.ts';

/**
 * The offered media type that a client prefers (RFC 9110 §12.5.1). If it prefers several equally, as `curl` does with
 * `Accept: *\/*`, the first one offered. The first one too if it accepts none, because a response in another form helps more than
 * a refusal. The response must have `Vary: Accept`.
 *
 * @param accept the `Accept` header.
 * @param offered media types, the default first. One with a `charset` also matches a request without it.
 * @example chooseRepresentation('image/*', ['application/json', 'image/svg+xml']) // 'image/svg+xml'
 */
export function chooseRepresentation<Type extends string>(
  accept: string | undefined,
  offered: readonly [Type, ...Type[]],
): Type {
  const [usual] = offered;
  // A shortcut for the usual headers of programs.
  if (accept === undefined || offered.length === 1 || accept === '*/*' || accept === usual) return usual;
  if (accept.length > LONGEST_PREFERENCE) return usual;
  // The result is one of the offered types.
  return (new Negotiator({ headers: { accept } }).mediaType([...offered]) as Type | undefined) ?? usual;
}
