/** Which form of an answer a client wants, where an address has several. */
import Negotiator from 'negotiator';

/**
 * The media type that a client likes best of those that an address offers (RFC 9110 §12.5.1). Of what it likes alike, as `curl`
 * does with its `Accept: *\/*`, the one that is offered first; that one too when it likes none, as an answer in another form helps
 * it more than a refusal. The answer must bear `Vary: Accept`.
 *
 * @param accept the `Accept` header.
 * @param offered media types, the default first. One with a `charset` is also given to who asks for it without.
 * @example chooseRepresentation('image/*', ['application/json', 'image/svg+xml']) // 'image/svg+xml'
 */
export function chooseRepresentation<Type extends string>(
  accept: string | undefined,
  offered: readonly [Type, ...Type[]],
): Type {
  const [usual] = offered;
  // What programs send, told without reading it apart.
  if (accept === undefined || offered.length === 1 || accept === '*/*' || accept === usual) return usual;
  // It gives one of those that it is given.
  return (new Negotiator({ headers: { accept } }).mediaType([...offered]) as Type | undefined) ?? usual;
}
