/**
 * The route table: every path of the server with its methods, its access class and its handler. The gate looks a path up once, and
 * learns from the row how to treat the request before it calls the handler.
 */
import type { KeySource } from '../access/key-source.ts';
import type { Endpoint } from '../operations/endpoint.ts';
import type { BodyRule, Exchange, Handler } from './exchange.ts';
import { type Match, makeRouter, type PathValues } from './router.ts';

interface Row {
  /** The path; `{name}` stands for one segment, `{name...}` for all that follows. Several rows may have the same path. */
  path: string;
  /** The name of this row's requests in metrics, the log and traces. */
  endpoint: Endpoint;
  /** GET and HEAD by default. The gate itself answers OPTIONS. */
  methods?: readonly string[];
  /** Whether the row is for this request; otherwise the next row of the path is tried. Rows without it are for all requests. */
  isFor?: (exchange: Exchange, values: PathValues) => boolean;
  /** Other methods get 404 instead of 405: nothing is at this path. */
  isHiddenFromOtherMethods?: true;
  /** How much of the body of a POST or PATCH the gate reads; nothing by default. */
  bodyRule?: BodyRule;
  /** Where a POST has its key; `x-api-key` by default. */
  keySource?: KeySource;
  /**
   * Whether this request may take long because it waits, and not because it works: it takes no place among the requests in progress, and
   * has a later deadline.
   */
  isPatient?: (exchange: Exchange) => boolean;
  /** Answered even under overload, so that a load balancer does not take a busy process for a dead one. */
  isVital?: true;
}

/** A row of the route table. The access class is required. */
export type ServerRoute = Row &
  (
    | { access: 'public' | 'limited' | 'keyed'; handle: Handler }
    // The gate charges one request. The handler is called once the key and its rate are checked, while the quota is settled.
    | { access: 'metered'; price: 'one request'; handle: Handler }
    // The handler calls {@link Access.admit} itself, once it has read the content.
    | { access: 'metered'; price: 'by content'; handle: Handler }
  );

/** All rows of one path. */
export interface Place {
  path: string;
  rows: readonly ServerRoute[];
  /** The methods of the path, as `Allow` lists them. */
  allow: string;
  isVital: boolean;
  /** See {@link Row.isPatient}. */
  isPatient(exchange: Exchange): boolean;
  /** The row for POST, if any. */
  post: ServerRoute | undefined;
  /** The rows whose requests have a body, by method. */
  withBody: ReadonlyMap<string, ServerRoute>;
}

/** A resolved path. */
export type Found = Match<Place>;

/** Finds the place of a path. */
export type RouteTable = (pathname: string) => Found | undefined;

const READ_METHODS: readonly string[] = ['GET', 'HEAD'];
/** The `Allow` header of a read-only path. */
export const READ_ALLOW = 'GET, HEAD, OPTIONS';

const methodsOf = ({ methods = READ_METHODS }: ServerRoute) => methods;

/** Whether a row supports a method. */
export const takes = (row: ServerRoute, method: string): boolean => methodsOf(row).includes(method);

/** Prepares the table for {@link RouteTable}. */
export function openRouteTable(rows: readonly ServerRoute[]): RouteTable {
  const byPath = new Map<string, ServerRoute[]>();
  for (const row of rows) byPath.set(row.path, [...(byPath.get(row.path) ?? []), row]);
  return makeRouter([...byPath].map(([path, ofPath]) => placeOf(path, ofPath)));
}

function placeOf(path: string, rows: readonly ServerRoute[]): Place {
  const methods = new Set([...rows.flatMap(methodsOf), 'OPTIONS']);
  return {
    path,
    rows,
    allow: [...methods].join(', '),
    isVital: rows.some(({ isVital }) => isVital),
    isPatient: (exchange) => rows.some(({ isPatient }) => isPatient?.(exchange)),
    post: rows.find((row) => takes(row, 'POST')),
    withBody: new Map(
      ['POST', 'PATCH'].flatMap((method) => {
        const row = rows.find((each) => takes(each, method));
        return row ? [[method, row] as const] : [];
      }),
    ),
  };
}

/** The first row for this request that supports its method, else the last one, which refuses the method; `undefined` if none is left. */
export function chooseRow(exchange: Exchange, { row: { rows }, values }: Found): ServerRoute | undefined {
  let refusing: ServerRoute | undefined;
  for (const row of rows) {
    if (row.isFor && !row.isFor(exchange, values)) continue;
    if (takes(row, exchange.method)) return row;
    if (!row.isHiddenFromOtherMethods) refusing = row;
  }
  return refusing;
}
