/** Adds changes to the tables of figures, with their rows in the order of their keys. */
import type { Queryable } from '../../database/database.ts';
import { DAY_MS, dayOf } from '../../values/day.ts';
import { type GroupKind, groupOf } from './groups.ts';
import type { Sums } from './sum-of-changes.ts';

// By the primary key, in whose order all writers lock the rows.
const ADD_TO_INDEX = `
  INSERT INTO price_index_day AS known (kind, id, day, log_sum, matched, products)
  SELECT kind::price_group, id, day, log_sum, matched, products
  FROM unnest($1::text[], $2::bigint[], $3::date[], $4::bigint[], $5::int[], $6::int[])
       AS change (kind, id, day, log_sum, matched, products)
  ORDER BY kind::price_group, id, day
  ON CONFLICT (kind, id, day) DO UPDATE
  SET log_sum = known.log_sum + excluded.log_sum,
      matched = known.matched + excluded.matched,
      products = known.products + excluded.products`;

// By the primary key, as above.
const ADD_TO_STANDINGS = `
  INSERT INTO merchant_standing AS known (kind, id, merchant_id, products, cheapest, alone, out_of_stock)
  SELECT kind::price_group, id, merchant_id, products, cheapest, alone, out_of_stock
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::int[], $5::int[], $6::int[], $7::int[])
       AS change (kind, id, merchant_id, products, cheapest, alone, out_of_stock)
  ORDER BY kind::price_group, id, merchant_id
  ON CONFLICT (kind, id, merchant_id) DO UPDATE
  SET products = known.products + excluded.products,
      cheapest = known.cheapest + excluded.cheapest,
      alone = known.alone + excluded.alone,
      out_of_stock = known.out_of_stock + excluded.out_of_stock`;

// By the primary key, as above.
const ADD_TO_DISTANCES = `
  INSERT INTO merchant_distance AS known (kind, id, merchant_id, distance, products)
  SELECT kind::price_group, id, merchant_id, distance, products
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::int[], $5::int[])
       AS change (kind, id, merchant_id, distance, products)
  ORDER BY kind::price_group, id, merchant_id, distance
  ON CONFLICT (kind, id, merchant_id, distance) DO UPDATE
  SET products = known.products + excluded.products`;

/** Adds the changes to the tables; leaves rows alone that do not change. */
export async function writeSums(transaction: Queryable, sums: Sums): Promise<void> {
  const days = new Columns(6);
  for (const { kind, id, of } of inOrder(sums.index)) {
    for (const [day, { logSum, matched, products }] of byKey(of)) {
      if (logSum !== 0n || matched !== 0 || products !== 0)
        days.add(kind, id, dayOf(day * DAY_MS), logSum, matched, products);
    }
  }
  const [standings, distances] = [new Columns(7), new Columns(5)];
  for (const { kind, id, of } of inOrder(sums.standings)) {
    for (const [merchantId, { products, cheapest, alone, outOfStock, distances: classes }] of byKey(of)) {
      if (products !== 0 || cheapest !== 0 || alone !== 0 || outOfStock !== 0)
        standings.add(kind, id, merchantId, products, cheapest, alone, outOfStock);
      for (const [distance, count] of byKey(classes))
        if (count !== 0) distances.add(kind, id, merchantId, distance, count);
    }
  }
  await days.write(transaction, ADD_TO_INDEX);
  await standings.write(transaction, ADD_TO_STANDINGS);
  await distances.write(transaction, ADD_TO_DISTANCES);
}

/** The groups in the order of their rows. */
const inOrder = <Of>(groups: ReadonlyMap<string, Of>) =>
  [...groups]
    .map(([key, of]) => ({ ...groupOf(key), of }))
    .sort((one, other) => (one.kind === other.kind ? ascending(one.id, other.id) : ascending(one.kind, other.kind)));

const byKey = <Key extends bigint | number, Of>(rows: ReadonlyMap<Key, Of>) =>
  [...rows].sort(([one], [other]) => ascending(one, other));

const ascending = <Key extends bigint | number | string>(one: Key, other: Key) =>
  one < other ? -1 : Number(one > other);

type Value = GroupKind | string | bigint | number;

// A statement of this length takes about a tenth of a second, far from the limit on the time of a statement.
const MOST_ROWS = 10_000;

/** Rows as the arrays of their columns. */
class Columns {
  readonly #columns: Value[][];

  constructor(count: number) {
    this.#columns = Array.from({ length: count }, () => []);
  }

  add(...row: Value[]): void {
    for (const [index, value] of row.entries()) this.#columns[index]?.push(value);
  }

  async write(transaction: Queryable, sql: string): Promise<void> {
    for (let start = 0; start < (this.#columns[0]?.length ?? 0); start += MOST_ROWS) {
      await transaction.query(
        sql,
        this.#columns.map((column) => column.slice(start, start + MOST_ROWS)),
        { name: 'aggregates_write' },
      );
    }
  }
}
