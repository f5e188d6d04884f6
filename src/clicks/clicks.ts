/** Counts clicks without delaying the redirect: counts are gathered in memory and written once a second. */
import type { Queryable } from '../database/database.ts';
import { dayOf } from '../values/day.ts';

export type ClickCounter = ReturnType<typeof openClickCounter>;

const WRITE_AFTER_MS = 1_000;

// Rows of each table are locked in the order of their ids, so that two instances cannot deadlock.
const ADD_CLICKS = `
  WITH batch AS (
    SELECT offer_id, count FROM unnest($1::bigint[], $3::int[]) AS batch (offer_id, count)
  ), added AS (
    INSERT INTO click (offer_id, day, count)
    SELECT offer_id, $2::date, count
    FROM batch
    ORDER BY offer_id
    ON CONFLICT (offer_id, day) DO UPDATE SET count = click.count + excluded.count
  )
  INSERT INTO merchant_click (merchant_id, day, count)
  SELECT offer.merchant_id, $2::date, sum(batch.count)::int
  FROM batch
  JOIN offer ON offer.id = batch.offer_id
  GROUP BY offer.merchant_id
  ORDER BY offer.merchant_id
  ON CONFLICT (merchant_id, day) DO UPDATE SET count = merchant_click.count + excluded.count`;

/** Opens the counter. Counts of a failed write are kept and written with the next one. */
export function openClickCounter(database: Queryable, onFailure: (error: unknown) => void) {
  let gathered = new Map<bigint, number>();
  let timer: NodeJS.Timeout | undefined;

  const add = (offerId: bigint, count: number) => {
    gathered.set(offerId, (gathered.get(offerId) ?? 0) + count);
    timer ??= setTimeout(() => void write(), WRITE_AFTER_MS).unref();
  };
  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = gathered;
    gathered = new Map();
    if (batch.size === 0) return;
    try {
      await database.query(ADD_CLICKS, [[...batch.keys()], dayOf(Date.now()), [...batch.values()]], { name: 'clicks' });
    } catch (error) {
      onFailure(error);
      for (const [offerId, count] of batch) add(offerId, count);
    }
  };

  return {
    count: (offerId: bigint): void => add(offerId, 1),
    /** Writes the counts still in memory. Call once, before the database closes. */
    async drain(): Promise<void> {
      await write();
      clearTimeout(timer);
    },
  };
}
