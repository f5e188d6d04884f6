/**
 * Pagination of all lists: each has a total order, and a page starts after the place of a cursor. An item that does not change is
 * neither repeated nor skipped, even if others change.
 */
import { once } from '../remember.ts';
import { decodeCursor, encodeCursor, type Place } from '../values/cursor.ts';
import { parseTimestamp } from '../values/timestamp.ts';
import { invalid, requireUpTo } from './arguments.ts';
import { type ArgumentOf, cost, wholeArgument } from './field-cost.ts';

/** The arguments of a GraphQL connection. */
export interface PageArguments {
  first?: number | null | undefined;
  last?: number | null | undefined;
  after?: string | null | undefined;
  before?: string | null | undefined;
}

/** The requested page: the first one after a place, or (`isBackward`) the last one before a place. */
export interface PageRequest {
  limit: number;
  isBackward: boolean;
  after: Place | undefined;
  before: Place | undefined;
}

export const DEFAULT_LIMIT = 20;
export const LARGEST_LIMIT = 100;
/** The largest exact total. */
export const LARGEST_TOTAL = 10_000;

/** The size of a page, for the cost of its connection. */
export const itemsOfPage = (argument: ArgumentOf): number =>
  wholeArgument(argument('first'), wholeArgument(argument('last'), DEFAULT_LIMIT, LARGEST_LIMIT), LARGEST_LIMIT);

/** The SQL types of sort keys. */
export type KeyType = 'integer' | 'bigint' | 'text' | 'timestamptz';

/** A count, exact up to {@link LARGEST_TOTAL} and capped there. */
export interface Total {
  count: number;
  isExact: boolean;
}

/** A page as a Relay connection has it, and the count of the whole list. */
export interface Page<Row> {
  edges: { readonly cursor: string; node: Row }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  /** Counts the list; repeated calls share one statement. */
  total(): Promise<Total>;
}

/** The cost of a total, which needs its own statement. */
export const TOTAL_COST = cost({ weight: 100 });

/** The options of a connection's `totalCount`. */
export const totalCount = (items: string) => ({
  ...TOTAL_COST,
  description: `The number of ${items} in the list, at most ${LARGEST_TOTAL}.`,
  resolve: async (page: Page<unknown>) => (await page.total()).count,
});

/**
 * Makes a page. `read` reads at most `limit` rows in the request's direction; `types` are those of a place in the list's order.
 * @throws {Problem} `invalid_parameter` if a number is not from 1 to 100, or a cursor is damaged or from another list.
 */
export async function paginate<Row>(
  description: string,
  types: readonly KeyType[],
  page: PageArguments,
  placeOf: (row: Row) => Place,
  read: (request: PageRequest, limit: number) => Promise<Row[]>,
  count: () => Promise<Total>,
): Promise<Page<Row>> {
  const request = readPageRequest(description, types, page);
  const { limit, isBackward, after, before } = request;
  // One row more tells whether the list goes on.
  const rows = await read(request, limit + 1);
  const hasMore = rows.length > limit;
  const shown = isBackward ? rows.slice(0, limit).reverse() : rows.slice(0, limit);
  const edges = shown.map((node) => ({
    node,
    // Few clients ask for the cursor of each item.
    get cursor() {
      return encodeCursor(description, placeOf(node));
    },
  }));
  return {
    edges,
    pageInfo: {
      hasNextPage: isBackward ? before !== undefined : hasMore,
      hasPreviousPage: isBackward ? hasMore : after !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    // A list that fits on a page needs no statement to count it.
    total: hasMore || after || before ? once(count) : async () => ({ count: rows.length, isExact: true }),
  };
}

function readPageRequest(description: string, types: readonly KeyType[], page: PageArguments): PageRequest {
  if (page.first != null && page.last != null) throw invalid('last', 'Send either `first` or `last`, not both.');
  requireUpTo(LARGEST_LIMIT, 'first', page.first);
  requireUpTo(LARGEST_LIMIT, 'last', page.last);
  const placeAt = (parameter: 'after' | 'before') => {
    const cursor = page[parameter];
    if (cursor == null) return undefined;
    const place = decodeCursor(description, cursor);
    if (place && isPlace(place, types)) return place;
    const detail = 'The cursor is damaged or belongs to another list, order or filter: start again without it.';
    throw invalid(parameter, detail);
  };
  return {
    limit: page.first ?? page.last ?? DEFAULT_LIMIT,
    isBackward: page.last != null,
    after: placeAt('after'),
    before: placeAt('before'),
  };
}

/** The page of a list that is empty. */
export function emptyPage<Row>(): Page<Row> {
  return {
    edges: [],
    pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    total: () => Promise.resolve({ count: 0, isExact: true }),
  };
}

// The checksum is not a secret, so clients can forge cursors. These checks keep forged values from the database.
const SHAPES: Record<KeyType, (value: unknown) => boolean> = {
  integer: (value) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31,
  bigint: (value) =>
    typeof value === 'string' && /^-?[0-9]{1,19}$/.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value),
  text: (value) => typeof value === 'string' && !value.includes('\0'),
  // Exactly the form of our places.
  timestamptz: (value) => typeof value === 'string' && parseTimestamp(value)?.toISOString() === value,
};

function isPlace(place: Place, types: readonly KeyType[]): boolean {
  return (
    Array.isArray(place) && place.length === types.length && types.every((type, index) => SHAPES[type](place[index]))
  );
}
