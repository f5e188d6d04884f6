/** Brings exports up to date with the changes that follow them, as clients do. */
import type { Line } from './exports.ts';

/** A client's copy of the catalogue: the lines of both exports by id. */
export interface Copy {
  offers: Map<string, Line>;
  products: Map<string, Line>;
}

export const copyOf = (lines: readonly Line[]) => new Map<string, Line>(lines.map((line) => [line.id, line]));

/** A gateway, and a key for it. */
export interface ChangeSource {
  address: string;
  key: string;
}

// So that a replay takes several pages.
const PAGE = 100;

/** Applies all changes after a cursor to a copy. @returns how many there were of this kind. */
export async function replay(
  copy: Map<string, Line>,
  kind: keyof Copy,
  cursor: string,
  source: ChangeSource,
): Promise<number> {
  let count = 0;
  for await (const { productId, offerId, after } of changesAfter(cursor, source)) {
    const isOfKind = kind === (offerId === undefined ? 'products' : 'offers');
    if (!isOfKind) continue;
    count += 1;
    const id = offerId ?? productId;
    if (after) copy.set(id, after);
    else copy.delete(id);
  }
  return count;
}

/** Reads all changes after a cursor, up to now. */
async function* changesAfter(start: string, { address, key }: ChangeSource): AsyncGenerator<Line, void, undefined> {
  for (let cursor = start, hasMore = true; hasMore; ) {
    const response = await fetch(`${address}/api/v1/changes?limit=${PAGE}&cursor=${cursor}`, {
      headers: { 'x-api-key': key },
    });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    const { data, page } = (await response.json()) as Line;
    yield* data;
    ({ nextCursor: cursor, hasMore } = page);
  }
}
