/** What the exports have in common: a table that is read in the order of its primary key, and rendered row by row. */
import type { Queryable } from '../../database/database.ts';
import type { Market } from '../market.ts';
import type { ShippingFilter } from '../offer/offer.ts';
import type { Filtered } from '../product/product-filter.ts';
import type { Bind } from '../read-page.ts';
import type { Place, Walk } from './walk.ts';

/** The lines of an export that a client asks for. */
export interface Selection extends Filtered {
  /** Days; only of the history. */
  from: string | undefined;
  to: string | undefined;
  /** Only of the offers. */
  shipping: ShippingFilter | undefined;
}

export interface Source<Row, Line> {
  /** The largest number of {@link Place} in the table; 0 if it is empty. */
  readLast(database: Queryable): Promise<bigint>;
  walk(database: Queryable, selection: Selection): Walk<Row>;
  endOf(number: bigint): Place;
  lineOf(row: Row, market: Market): Line;
  /** The place of the line with an id; `undefined` for any other text. */
  decode(id: string): Place | undefined;
}

/** The place in a table that is ordered by one number. */
export const numberPlace = (number: bigint): Place => [number];

/** Builds a statement with conditions that depend on the request. @param build returns its SQL. */
export function bound(build: (bind: Bind) => string): { sql: string; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const sql = build((value) => `$${parameters.push(value)}`);
  return { sql, parameters };
}

/** Makes {@link Source.readLast}. @param sql selects one number as `last`, null for an empty table. */
export const lastBy =
  (sql: string, name: string) =>
  async (database: Queryable): Promise<bigint> => {
    const [row] = await database.query<{ last: bigint | null }>(sql, [], { name });
    return row?.last ?? 0n;
  };
