/** Writes the offers that a feed adds, changes, restates and withdraws. New ones get their entries in the ledger with them. */

import type { NumberedFeed } from './import-run.ts';
import { columnNames, FACT_COLUMNS, OFFER_COLUMNS, stagedValue, stagedValues } from './offer-columns.ts';
import { IS_CURRENT } from './plan-writes.ts';
import type { PlannedWork } from './planned-work.ts';
import { soleValue } from './sole-value.ts';
import { noteNewOffers, noteOffers } from './stream.ts';

/** Writes what has been planned. @returns how many offers are new. */
export async function writeOffers(
  feed: NumberedFeed,
  { addsOffers, restatesOffers, comparesOffers, changed, withdrawn }: PlannedWork,
): Promise<number> {
  const { transaction, table, merchantId, runId, observedAt, nextFullAt } = feed;
  const parameters = [merchantId, observedAt, nextFullAt];
  const added = addsOffers ? await addNew(feed, [...parameters, runId]) : 0;
  if (changed + withdrawn > 0) await transaction.query(noteOffers(CHANGING));
  if (changed > 0) await transaction.query(changeOffers(table), [observedAt]);
  if (restatesOffers) await transaction.query(restateOffers(table), parameters);
  if (withdrawn > 0) await transaction.query(WITHDRAW_OFFERS, [observedAt]);
  if (comparesOffers && nextFullAt === null) await transaction.query(recordDigests(table), parameters);
  return added;
}

async function addNew({ transaction, table, nextFullAt }: NumberedFeed, parameters: readonly unknown[]) {
  await transaction.script(CREATE_ADDED);
  const added = await soleValue<number>(transaction, addOffers(table), parameters);
  await transaction.query(RECORD_ADDED, [nextFullAt]);
  return added;
}

// A product takes its name from the row that founds it, so that offer need not store the name again.
const STATED_TITLE = "CASE WHEN matched.is_founder THEN '' ELSE item.title END";

// Null for a row that is matched by neither an identifier nor its product's brand and MPN: another product may come to have the row's.
const DIGEST = `
  CASE
    WHEN item.gtin IS NOT NULL
         OR item.asin IS NOT NULL
         OR item.mpn_key IS NULL
         OR matched.brand_id IS NULL
         OR matched.is_founder
         OR EXISTS (
           SELECT
           FROM product AS named
           WHERE named.id = matched.product_id AND named.brand_id = matched.brand_id AND named.mpn_key = item.mpn_key
         )
    THEN item.row_digest
  END`;

// The first entries of new offers.
const CREATE_ADDED = 'CREATE TEMPORARY TABLE first_entry (LIKE ledger INCLUDING DEFAULTS) ON COMMIT DROP';

// An offer that only an archive knows is withdrawn at the next full feed, which did not list it.
const addOffers = (table: string) => `
  WITH inserted AS (
    INSERT INTO offer (
      merchant_id, sku, product_id, ${columnNames(OFFER_COLUMNS)},
      created_at, updated_at, withdrawn_at, gtin, asin, item_group_id, measure, title, row_digest
    )
    SELECT $1::bigint, item.sku, matched.product_id, ${stagedValues(OFFER_COLUMNS)},
           $2::timestamptz, COALESCE($3::timestamptz, $2::timestamptz), $3::timestamptz,
           item.gtin, item.asin, item.item_group_id, item.measure, ${STATED_TITLE}, CASE WHEN $3::timestamptz IS NULL THEN ${DIGEST} END
    FROM matched
    JOIN ${table} AS item ON item.position = matched.position
    WHERE matched.offer_id IS NULL AND matched.fault IS NULL
    ORDER BY matched.position
    RETURNING id, product_id, ${columnNames(FACT_COLUMNS)}
  ), noted AS (
    ${noteNewOffers('SELECT id FROM inserted WHERE $3::timestamptz IS NULL')}
  ), remembered AS (
    INSERT INTO first_entry (product_id, offer_id, observed_at, import_run_id, ${columnNames(FACT_COLUMNS)})
    SELECT product_id, id, $2::timestamptz, $4::bigint, ${columnNames(FACT_COLUMNS)}
    FROM inserted
    RETURNING 1
  )
  SELECT count(*)::int AS count
  FROM remembered`;

// A statement of its own, because the ledger may be on other servers than the offers.
const RECORD_ADDED = `
  INSERT INTO ledger (product_id, offer_id, observed_at, import_run_id, ${columnNames(FACT_COLUMNS)})
  SELECT product_id, offer_id, observed_at, import_run_id, ${columnNames(FACT_COLUMNS)}
  FROM first_entry
  UNION ALL
  SELECT product_id, offer_id, $1::timestamptz, import_run_id, ${FACT_COLUMNS.map(() => 'NULL').join(', ')}
  FROM first_entry
  WHERE $1::timestamptz IS NOT NULL`;

const CHANGING = `
  SELECT offer_id FROM differing WHERE is_current
  UNION ALL
  SELECT offer_id FROM gone WHERE is_current`;

const changeOffers = (table: string) => `
  UPDATE offer
  SET product_id = differing.product_id,
      ${OFFER_COLUMNS.map((column) => `${column.name} = ${stagedValue(column)}`).join(',\n      ')},
      gtin = item.gtin,
      asin = item.asin,
      item_group_id = item.item_group_id,
      measure = item.measure,
      title = item.title,
      row_digest = ${DIGEST},
      updated_at = $1::timestamptz,
      withdrawn_at = NULL
  FROM differing
  JOIN matched ON matched.position = differing.position
  JOIN ${table} AS item ON item.position = differing.position
  WHERE offer.id = differing.offer_id AND differing.is_current`;

// Offers with the same price and link whose rows state other identifiers, another group or another amount. In the ledger and in the stream of
// changes they stay the same.
const restateOffers = (table: string) => `
  UPDATE offer
  SET gtin = item.gtin,
      asin = item.asin,
      item_group_id = item.item_group_id,
      measure = item.measure,
      title = item.title,
      row_digest = ${DIGEST}
  FROM matched
  JOIN ${table} AS item ON item.position = matched.position
  WHERE matched.is_restated
    AND matched.fault IS NULL
    AND offer.id = matched.offer_id
    AND offer.merchant_id = $1
    AND ${IS_CURRENT}
    AND NOT EXISTS (SELECT FROM differing WHERE differing.offer_id = matched.offer_id AND differing.is_current)`;

// Rows that state something else, but nothing that changes their offers. Clients see no change.
const recordDigests = (table: string) => `
  UPDATE offer
  SET row_digest = row.digest
  FROM (
    SELECT matched.offer_id, ${DIGEST} AS digest
    FROM matched
    JOIN ${table} AS item ON item.position = matched.position
    WHERE matched.offer_id IS NOT NULL
      AND NOT matched.is_known
      AND matched.fault IS NULL
      AND NOT EXISTS (SELECT FROM differing WHERE differing.offer_id = matched.offer_id)
  ) AS row
  WHERE offer.id = row.offer_id
    AND offer.merchant_id = $1
    AND ${IS_CURRENT}
    AND offer.row_digest IS DISTINCT FROM row.digest`;

const WITHDRAW_OFFERS = `
  UPDATE offer
  SET withdrawn_at = $1::timestamptz, updated_at = $1::timestamptz
  FROM gone
  WHERE offer.id = gone.offer_id AND gone.is_current`;
