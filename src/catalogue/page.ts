/**
 * Pagination of all lists: each has a total order, and a page starts after the place of a cursor. Each page is read from an index at
 * that place, so that every page costs the same. An item that does not change is neither repeated nor skipped, even if others change.
 */
import type { Queryable } from '../database/database.ts';
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
interface PageRequest {
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

/** Adds a value to a statement's parameters and returns its placeholder, such as `$3`. */
export type Bind = (value: unknown) => string;

/** The SQL types of sort keys. */
export type KeyType = 'integer' | 'bigint' | 'text' | 'timestamptz';

/** An order of rows, by expressions that are never null. The last one is the row's id. */
interface Order<Row> {
  name: string;
  keys: readonly { sql: string; type: KeyType }[];
  isDescending: boolean;
  placeOf(row: Row): Place;
}

/** An expression to order by; `of` is its value for a row. */
export interface OrderKey<Row> {
  sql: string;
  type: KeyType;
  isDescending: boolean;
  of(row: Row): string | number;
}

/** The order of a table's rows by an expression and then by id. */
export const orderBy = <Row extends { id: bigint }>(name: string, table: string, key: OrderKey<Row>): Order<Row> => ({
  name,
  keys: [key, { sql: `${table}.id`, type: 'bigint' }],
  isDescending: key.isDescending,
  placeOf: (row) => [key.of(row), String(row.id)],
});

/** A list, independent of the page. */
export interface List<Row> {
  /** Identifies the list by its name, order and filter: cursors are valid only for the same one. */
  description: string;
  /** The table whose rows the list shows. */
  table: string;
  /** The selected columns of the table, as SQL. */
  columns: string;
  /** The table, joined with any tables that the conditions need. */
  from: string;
  conditions(bind: Bind): string[];
  order: Order<Row>;
}

/** A count, exact up to {@link LARGEST_TOTAL} and capped there. */
interface Total {
  count: number;
  isExact: boolean;
}

/** A page as a Relay connection has it, and the count of the whole list. */
export interface Page<Row> {
  edges: { cursor: string; node: Row }[];
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
  const edges = shown.map((node) => ({ cursor: encodeCursor(description, placeOf(node)), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage: isBackward ? before !== undefined : hasMore,
      hasPreviousPage: isBackward ? hasMore : after !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    total: once(count),
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

/** Reads a page of a list with one statement. */
export function readPage<Row>(database: Queryable, list: List<Row>, page: PageArguments): Promise<Page<Row>> {
  const { description, order } = list;
  return paginate(
    description,
    order.keys.map(({ type }) => type),
    page,
    (row) => order.placeOf(row),
    (request, limit) => readRows(database, list, request, limit),
    () => countRows(database, list),
  );
}

/** Reads rows in the request's direction. The subquery finds their ids in an index, so only the rows on the page are fetched. */
export function readRows<Row>(
  database: Queryable,
  { table, columns, from, conditions, order }: List<Row>,
  { after, before, isBackward }: PageRequest,
  limit: number,
): Promise<Row[]> {
  const parameters: unknown[] = [];
  const bind: Bind = (value) => `$${parameters.push(value)}`;
  const where = conditions(bind);
  if (after) where.push(beyond(order, after, order.isDescending ? '<' : '>', bind));
  if (before) where.push(beyond(order, before, order.isDescending ? '>' : '<', bind));
  const direction = order.isDescending === isBackward ? 'ASC' : 'DESC';
  const orderBy = `ORDER BY ${order.keys.map((key) => `${key.sql} ${direction}`).join(', ')}`;
  const sql = `
    SELECT ${columns}
    FROM (
      SELECT ${table}.id
      FROM ${from}
      ${whereAll(where)}
      ${orderBy}
      LIMIT ${bind(limit)}
    ) AS page
    JOIN ${table} USING (id)
    ${orderBy}`;
  return database.query<Row>(sql, parameters, { name: `${table}_page`, isPlannedAnew: true });
}

/** The `WHERE` clause of conditions that must all be true, if there are any. */
export const whereAll = (conditions: readonly string[]) =>
  conditions.length > 0 ? `WHERE ${conditions.join('\n        AND ')}` : '';

/** The page of a list that is empty. */
export function emptyPage<Row>(): Page<Row> {
  return {
    edges: [],
    pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    total: () => Promise.resolve({ count: 0, isExact: true }),
  };
}

/** Counts a list. */
export async function countRows<Row>(
  database: Queryable,
  { table, from, conditions }: Pick<List<Row>, 'table' | 'from' | 'conditions'>,
): Promise<Total> {
  const parameters: unknown[] = [];
  const where = conditions((value) => `$${parameters.push(value)}`);
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count
     FROM (SELECT FROM ${from} ${whereAll(where)} LIMIT ${LARGEST_TOTAL + 1}) AS counted`,
    parameters,
    { name: `${table}_count`, isPlannedAnew: true, isKeepable: true },
  );
  const count = row?.count ?? 0;
  return { count: Math.min(count, LARGEST_TOTAL), isExact: count <= LARGEST_TOTAL };
}

/** A row comparison, for which an index on all keys of the order can be scanned from the place on. */
function beyond<Row>({ keys }: Order<Row>, place: Place, sign: '<' | '>', bind: Bind): string {
  const values = keys.map(({ type }, index) => `${bind(place[index])}::${type}`);
  return `(${keys.map(({ sql }) => sql).join(', ')}) ${sign} (${values.join(', ')})`;
}

// The checksum is not a secret, so clients can forge cursors. These checks keep forged values from the database.
const SHAPES: Record<KeyType, (value: unknown) => boolean> = {
  integer: (value) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31,
  bigint: (value) =>
    typeof value === 'string' && /^-?[0-9]{1,19}$/.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value),
  text: (value) => typeof value === 'string' && !value.includes('\0'),
  // Exactly the form of our places. PostgreSQL has no year 0.
  timestamptz: (value) =>
    typeof value === 'string' && !value.startsWith('0000') && parseTimestamp(value)?.toISOString() === value,
};

function isPlace(place: Place, types: readonly KeyType[]): boolean {
  return (
    Array.isArray(place) && place.length === types.length && types.every((type, index) => SHAPES[type](place[index]))
  );
}
