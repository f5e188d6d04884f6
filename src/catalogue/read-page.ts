/** Reads pages of tables' rows with SQL: each page from an index at the place of its cursor, so that every page costs the same. */

import type { Queryable } from '../database/database.ts';
import type { Place } from '../values/cursor.ts';
import type { KeepingQueryable, Statement } from './keep.ts';
import {
  DEFAULT_LIMIT,
  type KeyType,
  LARGEST_TOTAL,
  type Page,
  type PageArguments,
  type PageRequest,
  paginate,
  type Total,
} from './page.ts';
import type { Tag } from './tags.ts';

/** Adds a value to a statement's parameters and returns its placeholder, such as `$3`. */
export type Bind = (value: unknown) => string;

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
  /** The same for a page, if it needs values. */
  pageFrom?(bind: Bind): string;
  /** The table in which the list is counted, if the conditions need no other. */
  countedIn?: string | undefined;
  conditions(bind: Bind): string[];
  /** Counts the list in memory, if that is cheaper than with its conditions; `undefined` while it cannot. */
  countInMemory?: (() => Promise<CountRow | undefined>) | undefined;
  order: Order<Row>;
  /** What the list depends on. */
  dependsOn: readonly Tag[];
  /** Whether one plan is the best for all values of the conditions. The statements of such lists are prepared. */
  hasOnePlan?: boolean;
  /** The parts that the list consists of, if the index of its order has them one after the other. */
  parts?: Parts | undefined;
}

/** The rows with each value of a column: a page is read from the start of every part. */
export interface Parts {
  column: string;
  values: readonly bigint[];
  /** The conditions of the list, without that of the column. */
  conditions(bind: Bind): string[];
}

/**
 * Reads a page of a list with one statement.
 * @param isCounted whether the client asks for the total: the statement of the first page then counts the list, too.
 */
export function readPage<Row>(
  database: KeepingQueryable,
  list: List<Row>,
  page: PageArguments,
  isCounted = false,
): Promise<Page<Row>> {
  const { description, order } = list;
  const count = countOf(list);
  let counted: Promise<CountRow[]> | undefined;
  return paginate(
    description,
    order.keys.map(({ type }) => type),
    page,
    (row) => order.placeOf(row),
    (request, limit) => {
      const isFirst = request.after === undefined && request.before === undefined;
      // The pages of a list share its count where counts are cached.
      if (!isCounted || !isFirst || list.countInMemory || database.kept?.(count))
        return readRows(database, list, request, limit);
      const rows = readRows<Row & CountRow>(database, list, request, limit, true);
      counted = rows.then(([row]) => [{ count: row?.count ?? 0 }]);
      counted.catch(() => {}); // The page itself fails with this error.
      database.keep?.(count, counted);
      return rows;
    },
    async () => totalOf(await (counted ?? runCount(database, list))),
  );
}

/**
 * Reads rows in the request's direction. The subquery finds their ids in an index, so only the rows on the page are fetched.
 * @param isCounted whether each row has the count of the list as `count`; only for pages without a cursor.
 */
export function readRows<Row>(
  database: Queryable,
  { table, columns, from, pageFrom, countedIn = from, conditions, order, hasOnePlan = false, parts }: List<Row>,
  { after, before, isBackward }: PageRequest,
  limit: number,
  isCounted = false,
): Promise<Row[]> {
  const parameters: unknown[] = [];
  const bind: Bind = (value) => `$${parameters.push(value)}`;
  // The statement must have no parameter that it does not use.
  const where = parts && !isCounted ? [] : conditions(bind);
  const source = pageFrom?.(bind) ?? from;
  const bounds = [
    ...(after ? [beyond(order, after, order.isDescending ? '<' : '>', bind)] : []),
    ...(before ? [beyond(order, before, order.isDescending ? '>' : '<', bind)] : []),
  ];
  const direction = order.isDescending === isBackward ? 'ASC' : 'DESC';
  const orderBy = `ORDER BY ${order.keys.map((key) => `${key.sql} ${direction}`).join(', ')}`;
  // The best plan depends on the limit. Only statements with the usual one are prepared, so that they are few.
  const isPlannedAnew = !hasOnePlan || limit !== DEFAULT_LIMIT + 1;
  const range = (selected: string, all: readonly string[]) => `
      SELECT ${selected}
      FROM ${source}
      ${whereAll(all)}
      ${orderBy}
      LIMIT ${isPlannedAnew ? bind(limit) : limit}`;
  const page = parts
    ? overParts(parts, order, direction, bounds, range, limit, bind)
    : range(`${table}.id`, [...where, ...bounds]);
  const sql = `
    SELECT ${columns}${isCounted ? `, (${countSql(countedIn, where)}) AS count` : ''}
    FROM (${page}
    ) AS page
    JOIN ${table} USING (id)
    ${orderBy}`;
  return database.query<Row>(sql, parameters, { name: `${table}_page`, isPlannedAnew });
}

/** SQL for the ids of a page that is read from the start of every part. */
function overParts<Row>(
  { column, values, conditions }: Parts,
  { keys }: Order<Row>,
  direction: 'ASC' | 'DESC',
  bounds: readonly string[],
  range: (selected: string, all: readonly string[]) => string,
  limit: number,
  bind: Bind,
): string {
  const selected = keys.map(({ sql }, n) => `${sql} AS key_${n}`).join(', ');
  const inPart = range(selected, [`${column} = part.value`, ...conditions(bind), ...bounds]);
  const merged = keys.map((_, n) => `found.key_${n}`);
  return `
      SELECT ${merged.at(-1)} AS id
      FROM unnest(${bind(values)}::bigint[]) AS part (value)
      CROSS JOIN LATERAL (${inPart}
      ) AS found
      ORDER BY ${merged.map((key) => `${key} ${direction}`).join(', ')}
      LIMIT ${bind(limit)}`;
}

/** The `WHERE` clause of conditions that must all be true, if there are any. */
export const whereAll = (conditions: readonly string[]) =>
  conditions.length > 0 ? `WHERE ${conditions.join('\n        AND ')}` : '';

export interface CountRow {
  count: number;
  /** False if further rows were not looked at. */
  isComplete?: boolean;
}

/** SQL for the number of rows, counted up to the largest total. */
export const countSql = (from: string, where: readonly string[]) => `
      SELECT count(*)::int AS count
      FROM (SELECT FROM ${from} ${whereAll(where)} LIMIT ${LARGEST_TOTAL + 1}) AS counted`;

/** The statement that counts a list. */
function countOf<Row>({
  table,
  from,
  countedIn = from,
  conditions,
  dependsOn,
  hasOnePlan = false,
}: Counted<Row>): Statement {
  const parameters: unknown[] = [];
  const where = conditions((value) => `$${parameters.push(value)}`);
  return {
    sql: countSql(countedIn, where),
    parameters,
    options: { name: `${table}_count`, isPlannedAnew: !hasOnePlan, dependsOn },
  };
}

type Counted<Row> = Pick<
  List<Row>,
  'table' | 'from' | 'countedIn' | 'conditions' | 'countInMemory' | 'dependsOn' | 'hasOnePlan'
>;

/** Counts a list. The result is cached under the statement, also if it was counted in memory. */
function runCount<Row>(database: KeepingQueryable, list: Counted<Row>): Promise<CountRow[]> {
  const count = countOf(list);
  const inDatabase = () => database.query<CountRow>(count.sql, count.parameters, count.options);
  if (!list.countInMemory || database.kept?.(count)) return inDatabase();
  const counted = list.countInMemory().then((row) => (row ? [row] : inDatabase()));
  database.keep?.(count, counted);
  return counted;
}

/** Counts a list. */
export const countRows = async <Row>(database: KeepingQueryable, list: Counted<Row>): Promise<Total> =>
  totalOf(await runCount(database, list));

/** The total from the row of {@link countSql}. */
export function totalOf([row]: readonly CountRow[]): Total {
  const { count, isComplete = true } = row ?? { count: 0 };
  return { count: Math.min(count, LARGEST_TOTAL), isExact: isComplete && count <= LARGEST_TOTAL };
}

/** A row comparison, for which an index on all keys of the order can be scanned from the place on. */
export function beyond<Row>({ keys }: Pick<Order<Row>, 'keys'>, place: Place, sign: '<' | '>', bind: Bind): string {
  const values = keys.map(({ type }, index) => `${bind(place[index])}::${type}`);
  return `(${keys.map(({ sql }) => sql).join(', ')}) ${sign} (${values.join(', ')})`;
}
