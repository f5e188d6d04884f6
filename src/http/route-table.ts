/**
 * The route table: every path of the server with its methods, its access class and its handler. The gate resolves a path here
 * once, and knows from the row what to do with the request before it calls the handler.
 */
import type { KeySource } from '../access/key-source.ts';
import type { Endpoint } from '../operations/endpoint.ts';
import type { Answer, BodyRule, Exchange, Handler } from './exchange.ts';
import { READ_ALLOW } from './misdirected.ts';
import { type Match, makeRouter, type PathValues } from './router.ts';

interface Row {
  /** The path; `{name}` stands for one segment, `{name...}` for all that follows. Several rows may have the same path. */
  path: string;
  /** What metrics, the log and traces call the requests of this row. */
  endpoint: Endpoint;
  /** GET and HEAD by default. The gate itself answers OPTIONS. */
  methods?: readonly string[];
  /** Whether the row is for this request; otherwise the next row of the path is asked. Rows without it are for all requests. */
  isFor?: (exchange: Exchange, values: PathValues) => boolean;
  /** Other methods find nothing here: they are answered 404, not 405. */
  isHiddenFromOtherMethods?: true;
  /** How much of the body of a POST the gate reads; nothing without it. */
  bodyRule?: BodyRule;
  /** Where a POST has its key; in `x-api-key` without it. */
  keySource?: KeySource;
  /** Answered even when there is no room for more requests: a load balancer would take a busy process for a dead one. */
  isVital?: true;
}

/** A row for everybody. */
interface FreeRow extends Row {
  access: 'public' | 'limited';
  handle: Handler;
}

/** A row that the gate charges one request for. */
interface MeteredRow extends Row {
  access: 'metered';
  price: 'one request';
  /** Called once the key and its rate are checked. Always gives a promise, since the quota is settled meanwhile. */
  handle: (exchange: Exchange, values: PathValues) => Promise<Answer>;
}

/** A row whose price depends on what the request holds: the handler asks for admission itself, when it has read that. */
interface PricedByContentRow extends Row {
  access: 'metered';
  price: 'by content';
  handle: Handler;
}

/** A row of the route table. It does not compile without an access class. */
export type ServerRoute = FreeRow | MeteredRow | PricedByContentRow;

/** All rows of one path. */
export interface Place {
  path: string;
  rows: readonly ServerRoute[];
  /** The methods that the path takes, as `Allow` lists them. */
  allow: string;
  isVital: boolean;
  /** The row that takes POST, if any: the only one whose requests have a body. */
  post: ServerRoute | undefined;
}

/** A path that was resolved. */
export type Found = Match<Place>;

/** Finds the place of a path. */
export type RouteTable = (pathname: string) => Found | undefined;

const READ_METHODS: readonly string[] = ['GET', 'HEAD'];

const methodsOf = ({ methods = READ_METHODS }: ServerRoute) => methods;

/** Whether a row takes a method. */
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
    post: rows.find((row) => takes(row, 'POST')),
  };
}

/** What `Allow` says of a path, found or not. */
export const allowOf = (found: Found | undefined): string => found?.row.allow ?? READ_ALLOW;

/**
 * The row that answers a request: of those for this request the first that takes its method, or else the last, which then refuses
 * the method. Nothing when the request finds nothing here.
 */
export function chooseRow(exchange: Exchange, { row: { rows }, values }: Found): ServerRoute | undefined {
  let refusing: ServerRoute | undefined;
  for (const row of rows) {
    if (row.isFor && !row.isFor(exchange, values)) continue;
    if (takes(row, exchange.method)) return row;
    if (!row.isHiddenFromOtherMethods) refusing = row;
  }
  return refusing;
}
