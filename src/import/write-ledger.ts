/**
 * Records the changes of a feed in the ledger, where entries are only added: an entry that only repeats the one before it stays, and of two
 * entries for one time the later import's counts.
 */

import type { NumberedFeed } from './import-run.ts';
import { columnNames, FACT_COLUMNS, stagedValues } from './offer-columns.ts';

const FACTS = columnNames(FACT_COLUMNS);

/** Records the changes in `differing` and `gone`; new offers have their entries from the statement that adds them. */
export async function writeLedger(feed: NumberedFeed): Promise<void> {
  const { transaction, table, merchantId, runId, isFull, observedAt, nextFullAt } = feed;
  // First, because it reads the state before the feed.
  if (nextFullAt) await transaction.query(HOLD_AFTERWARDS, [observedAt, runId, nextFullAt]);
  await transaction.query(recordChanges(table), [observedAt, runId]);
  if (!isFull && !nextFullAt) await transaction.query(RECORD_SIGHTINGS, [observedAt, merchantId]);
}

// Only where a fact or the listing changes. If an offer moves to another product, its history at the old one ends.
const recordChanges = (table: string) => `
  INSERT INTO ledger (product_id, offer_id, observed_at, import_run_id, ${FACTS})
  SELECT CASE WHEN differing.is_current THEN differing.product_id ELSE differing.old_product_id END,
         differing.offer_id, $1::timestamptz, $2::bigint, ${stagedValues(FACT_COLUMNS)}
  FROM differing
  JOIN ${table} AS item ON item.position = differing.position
  WHERE differing.is_entry
  UNION ALL
  SELECT product_id, offer_id, $1::timestamptz, $2::bigint, ${FACT_COLUMNS.map(() => 'NULL').join(', ')}
  FROM (
    SELECT old_product_id AS product_id, offer_id
    FROM differing
    WHERE is_current AND product_id <> old_product_id AND value_before IS NOT NULL
    UNION ALL
    SELECT product_id, offer_id FROM gone
  ) AS ended`;

// From the next full feed on, the facts from before the archived feed hold again, unless something changed in between. All offers of an
// archived feed are newer, so `past` has those facts. By the primary key of ledger.
const HOLD_AFTERWARDS = `
  WITH changed AS MATERIALIZED (
    SELECT DISTINCT ledger.product_id, ledger.offer_id
    FROM newer
    JOIN ledger ON ledger.product_id = newer.product_id AND ledger.offer_id = newer.offer_id
    WHERE ledger.observed_at > $1::timestamptz AND ledger.observed_at <= $3::timestamptz
  )
  INSERT INTO ledger (product_id, offer_id, observed_at, import_run_id, ${FACTS})
  SELECT replaced.product_id, replaced.offer_id, $3::timestamptz, $2::bigint, ${columnNames(FACT_COLUMNS, 'past.')}
  FROM (
    SELECT old_product_id AS product_id, offer_id FROM differing
    UNION ALL
    SELECT product_id, offer_id FROM gone
  ) AS replaced
  LEFT JOIN past ON past.offer_id = replaced.offer_id
  WHERE NOT EXISTS (SELECT FROM changed WHERE changed.offer_id = replaced.offer_id)`;

// Only of offers that did not change, as a change has its own time. A rejected row does not say what the shop offers now. In the order in
// which import/record-unchanged.ts locks them, beside which it may run.
const RECORD_SIGHTINGS = `
  INSERT INTO offer_seen (offer_id, seen_at)
  SELECT DISTINCT matched.offer_id, $1::timestamptz
  FROM matched
  JOIN offer ON offer.id = matched.offer_id AND offer.merchant_id = $2
  WHERE matched.fault IS NULL AND NOT EXISTS (SELECT FROM differing WHERE differing.offer_id = matched.offer_id)
  ORDER BY matched.offer_id
  ON CONFLICT (offer_id) DO UPDATE SET seen_at = GREATEST(offer_seen.seen_at, excluded.seen_at)`;
