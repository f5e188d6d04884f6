/** Stores the claims of rejected rows whose GTIN and ASIN lead to two products. `settle-disputes.ts` decides what they change. */
import type { PlacedFeed } from './placed-feed.ts';

/** How many disputes of one shop are kept. Further conflicting rows are rejected as well, but do not count. */
export const MOST_DISPUTES_OF_SHOP = 10_000;
/** Disputes that no feed of the shop has repeated for so many days are forgotten. */
export const DAYS_OF_DISPUTE = 90;

/** Forgets the shop's disputes that are settled or that its rows in `matched` no longer state. */
export async function forgetDisputes({ transaction, merchantId, isFull }: PlacedFeed): Promise<void> {
  await transaction.query(isFull ? FORGET_UNSTATED : FORGET_SETTLED, [merchantId]);
}

/** Stores the claims of the conflicting rows in `matched`, and forgets those that the shop no longer states. */
export async function recordDisputes(feed: PlacedFeed): Promise<void> {
  const { transaction, merchantId } = feed;
  const [state] = await transaction.query<{ claims: boolean; known: boolean }>(
    `SELECT EXISTS (SELECT FROM matched WHERE fault = 'identifier_conflict') AS claims,
            EXISTS (SELECT FROM identifier_dispute WHERE merchant_id = $1) AS known`,
    [merchantId],
  );
  if (state?.known) await forgetDisputes(feed);
  if (!state?.claims) return;
  await transaction.query(
    `DELETE FROM identifier_dispute WHERE stated_at < now() - INTERVAL '${DAYS_OF_DISPUTE} days'`,
  );
  await transaction.query(REPEAT, [merchantId]);
  await transaction.query(ADD, [merchantId, MOST_DISPUTES_OF_SHOP]);
}

// By the primary key of identifier_dispute.
const FORGET_UNSTATED = `
  DELETE FROM identifier_dispute AS dispute
  WHERE dispute.merchant_id = $1
    AND NOT EXISTS (
      SELECT
      FROM matched
      WHERE matched.fault = 'identifier_conflict' AND (matched.asin, matched.gtin) = (dispute.asin, dispute.gtin)
    )`;

// A delta says nothing about rows that it lacks.
const FORGET_SETTLED = `
  DELETE FROM identifier_dispute AS dispute
  USING matched
  WHERE dispute.merchant_id = $1 AND matched.asin = dispute.asin AND matched.fault IS NULL`;

// The first row of the feed that states an ASIN counts.
const CLAIMS = `
  SELECT DISTINCT ON (asin) asin, gtin, position
  FROM matched
  WHERE fault = 'identifier_conflict'
  ORDER BY asin, position`;

const REPEAT = `
  UPDATE identifier_dispute AS dispute
  SET gtin = claim.gtin, stated_at = now()
  FROM (${CLAIMS}) AS claim
  WHERE dispute.merchant_id = $1 AND dispute.asin = claim.asin`;

const ADD = `
  INSERT INTO identifier_dispute (merchant_id, asin, gtin, stated_at)
  SELECT $1, claim.asin, claim.gtin, now()
  FROM (${CLAIMS}) AS claim
  WHERE NOT EXISTS (
    SELECT FROM identifier_dispute AS known WHERE known.merchant_id = $1 AND known.asin = claim.asin
  )
  ORDER BY claim.position
  LIMIT GREATEST(0, $2::int - (SELECT count(*)::int FROM identifier_dispute WHERE merchant_id = $1))`;
