/** Counts clicks without delaying the redirect: counts are gathered in memory and written once a second. */
import type { Queryable } from '../database/database.ts';
import { dayOf } from '../values/day.ts';

export type ClickCounter = ReturnType<typeof openClickCounter>;

const WRITE_AFTER_MS = 1_000;

// Rows of each table are locked in the order of their ids, so that two instances cannot deadlock.
const ADD_CLICKS = `
  WITH batch AS (
    SELECT offer_id, merchant_id, count
    FROM unnest($1::bigint[], $3::bigint[], $4::int[]) AS batch (offer_id, merchant_id, count)
  ), added AS (
    INSERT INTO click (offer_id, day, count)
    SELECT offer_id, $2::date, count
    FROM batch
    ORDER BY offer_id
    ON CONFLICT (offer_id, day) DO UPDATE SET count = click.count + excluded.count
  )
  INSERT INTO merchant_click (merchant_id, day, count)
  SELECT merchant_id, $2::date, sum(count)::int
  FROM batch
  GROUP BY merchant_id
  ORDER BY merchant_id
  ON CONFLICT (merchant_id, day) DO UPDATE SET count = merchant_click.count + excluded.count`;

/** An offer whose link was followed. Its shop never changes. */
interface ClickedOffer {
  id: bigint;
  merchantId: bigint;
}

/** Clicks on one offer that are not written yet. */
interface Gathered {
  merchantId: bigint;
  count: number;
}

/** Opens the counter. Counts of a failed write are kept and written with the next one. */
export function openClickCounter(database: Queryable, onFailure: (error: unknown) => void) {
  let gathered = new Map<bigint, Gathered>();
  let timer: NodeJS.Timeout | undefined;

  const add = (offerId: bigint, { merchantId, count }: Gathered) => {
    gathered.set(offerId, { merchantId, count: (gathered.get(offerId)?.count ?? 0) + count });
    timer ??= setTimeout(() => void write(), WRITE_AFTER_MS).unref();
  };
  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = gathered;
    gathered = new Map();
    if (batch.size === 0) return;
    try {
      const clicks = [...batch.values()];
      const [merchants, counts] = [clicks.map(({ merchantId }) => merchantId), clicks.map(({ count }) => count)];
      await database.query(ADD_CLICKS, [[...batch.keys()], dayOf(Date.now()), merchants, counts], { name: 'clicks' });
    } catch (error) {
      onFailure(error);
      for (const [offerId, clicks] of batch) add(offerId, clicks);
    }
  };

  return {
    count: ({ id, merchantId }: ClickedOffer): void => add(id, { merchantId, count: 1 }),
    /** Writes the counts still in memory. Call once, before the database closes. */
    async drain(): Promise<void> {
      await write();
      clearTimeout(timer);
    },
  };
}
