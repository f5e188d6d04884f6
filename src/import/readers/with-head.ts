/** Joins the first pieces of a stream until there is enough to tell what it is. Yields at least one piece, which may be empty. */
export async function* withHead<Piece>(
  pieces: AsyncIterable<Piece>,
  empty: Piece,
  join: (head: Piece, next: Piece) => Piece,
  isEnough: (head: Piece) => boolean,
): AsyncGenerator<Piece, undefined> {
  let head: Piece | undefined = empty;
  for await (const piece of pieces) {
    if (head === undefined) yield piece;
    else {
      head = join(head, piece);
      if (!isEnough(head)) continue;
      yield head;
      head = undefined;
    }
  }
  if (head !== undefined) yield head;
}

/** Like {@link withHead}, for a head of so many bytes. */
export function withHeadOf(length: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  return withHead<Uint8Array>(
    bytes,
    new Uint8Array(0),
    (head, next) => Buffer.concat([head, next]),
    (head) => head.length >= length,
  );
}
