/** The events that a feed causes for subscribers of live prices: one for each product whose offers changed their price. */
import { MINUTES_KEPT } from '../catalogue/live-prices/live-prices.ts';
import type { Queryable } from '../database/database.ts';

/** Records the changes of the products in `touched` under their version, as the last step of the importer's transaction. */
export async function recordPriceEvents(transaction: Queryable, version: bigint, observedAt: Date): Promise<void> {
  await transaction.query(RECORD, [version, observedAt]);
  await transaction.query(FORGET);
}

// By the clock and not by the start of the transaction: writing a large feed takes minutes.
const RECORD = `
  INSERT INTO price_event (product_id, version, previous_min, min, observed_at, recorded_at)
  SELECT touched.product_id, $1::bigint, touched.previous_min, product.min_total, $2::timestamptz, clock_timestamp()
  FROM touched
  JOIN product ON product.id = touched.product_id
  WHERE touched.is_price_changed`;

// The table holds the changes of a few minutes, so it is read whole.
const FORGET = `
  DELETE FROM price_event
  WHERE recorded_at < clock_timestamp() - INTERVAL '${MINUTES_KEPT} minutes'`;
