/** Counts clicks without delaying the redirect: counts are gathered in memory and written once a second. */
import type { Database } from '../database/database.ts';
import { dayOf } from '../values/day.ts';

export type ClickCounter = ReturnType<typeof openClickCounter>;

const WRITE_AFTER_MS = 1_000;

// Rows of each table are locked in the order of their ids, so that two gateways cannot deadlock. Citus writes to several shards at once, where they
// can: it ends one of them, whose counts are written later. The constraint's name holds whether or not
// the clicks are distributed (docs/scaling.md), which makes the product a part of their key.
const ADD_CLICKS = `
  INSERT INTO click (product_id, offer_id, day, count)
  SELECT product_id, offer_id, $1::date, count
  FROM unnest($2::bigint[], $3::bigint[], $4::int[]) AS batch (product_id, offer_id, count)
  ORDER BY offer_id
  ON CONFLICT ON CONSTRAINT click_pkey DO UPDATE SET count = click.count + excluded.count`;

const ADD_TO_SHOPS = `
  INSERT INTO merchant_click (merchant_id, day, count)
  SELECT merchant_id, $1::date, sum(count)::int
  FROM unnest($2::bigint[], $3::int[]) AS batch (merchant_id, count)
  GROUP BY merchant_id
  ORDER BY merchant_id
  ON CONFLICT (merchant_id, day) DO UPDATE SET count = merchant_click.count + excluded.count`;

/** An offer whose link was followed. Its shop never changes; its product is that of the click. */
interface ClickedOffer {
  id: bigint;
  productId: bigint;
  merchantId: bigint;
}

/** Clicks on one offer that are not written yet. */
interface Gathered {
  productId: bigint;
  merchantId: bigint;
  count: number;
}

/** Opens the counter. Counts of a failed write are kept and written with the next one. */
export function openClickCounter(database: Database, onFailure: (error: unknown) => void) {
  let gathered = new Map<bigint, Gathered>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  const add = (offerId: bigint, { productId, merchantId, count }: Gathered) => {
    gathered.set(offerId, { productId, merchantId, count: (gathered.get(offerId)?.count ?? 0) + count });
    // One write at a time: a second one would wait for the same locks, on another connection.
    if (writing === undefined) timer ??= setTimeout(() => void write(), WRITE_AFTER_MS).unref();
  };
  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = gathered;
    gathered = new Map();
    if (batch.size === 0) return;
    writing = writeBatch(database, batch).catch((error: unknown) => {
      onFailure(error);
      for (const [offerId, clicks] of batch) add(offerId, clicks);
    });
    await writing;
    writing = undefined;
    if (gathered.size > 0) timer ??= setTimeout(() => void write(), WRITE_AFTER_MS).unref();
  };

  return {
    count: ({ id, productId, merchantId }: ClickedOffer): void => add(id, { productId, merchantId, count: 1 }),
    /** Writes the counts still in memory. Call once, before the database closes. */
    async drain(): Promise<void> {
      await writing;
      await write();
      clearTimeout(timer);
    },
  };
}

/** A transaction has no time limits by itself. Requests must not wait for a connection that waits for a lock of `pda distribute`. */
const LIMITS = "SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = '4s'";

async function writeBatch(database: Database, batch: ReadonlyMap<bigint, Gathered>): Promise<void> {
  const clicks = [...batch.values()];
  const [products, merchants] = [clicks.map(({ productId }) => productId), clicks.map(({ merchantId }) => merchantId)];
  const [day, counts] = [dayOf(Date.now()), clicks.map(({ count }) => count)];
  await database.transaction(async (transaction) => {
    await transaction.script(LIMITS, { name: 'clicks' });
    await transaction.query(ADD_CLICKS, [day, products, [...batch.keys()], counts], { name: 'clicks' });
    await transaction.query(ADD_TO_SHOPS, [day, merchants, counts], { name: 'clicks_of_shops' });
  });
}
