/** Brings the list of popular products up to date after the steps of an import, a few products at a time. */
import type { Database, Queryable } from '../../database/database.ts';
import { ADD_TO_POPULAR, FIND_UNPOPULAR } from '../search-words.ts';
import { openStepSize } from './step-size.ts';

interface Difference {
  drop: number[];
  add: number[];
}

/** The result is that of `refreshPopular`. @param database used with statements that yield. @returns whether the list has changed. */
export async function refreshPopularInSlices(
  database: Queryable & Pick<Database, 'transaction'>,
  beforeSlice: () => void,
): Promise<boolean> {
  const [difference] = await database.query<Difference>(FIND_UNPOPULAR, [], { yields: true });
  const { drop = [], add = [] } = difference ?? {};
  const size = openStepSize(200);
  for (const [sql, ids] of [
    ['DELETE FROM popular_product WHERE product_id = ANY ($1::bigint[])', drop],
    [ADD_TO_POPULAR, add],
  ] as const) {
    for (let from = 0; from < ids.length; ) {
      beforeSlice();
      const slice = ids.slice(from, from + size.rows);
      let startedAt = 0;
      await database.transaction(
        async (transaction) => {
          startedAt = performance.now();
          await transaction.query(sql, [slice]);
        },
        { yields: true },
      );
      size.learn(slice.length, performance.now() - startedAt);
      from += slice.length;
    }
  }
  return drop.length + add.length > 0;
}
