/**
 * Rows whose GTIN and ASIN lead to two products. Such a row is rejected, and what it claims is kept: the shop says that both belong to
 * one product. One shop's word changes nothing. Where two shops or more say so, and more than say what the catalogue has, the
 * identifier moves to the product that they name, and the offers that stood at the wrong product only by it go along.
 *
 * Each shop has one voice in a dispute, however many rows it uses. The voices for an identifier at a product are the shops that list
 * an offer there whose row states it, and the shops whose rejected rows name that product by their other identifier.
 */
import { recordAudit } from '../access/audit.ts';
import type { Queryable } from '../database/database.ts';
import { MOST_IDENTIFIERS, MOST_IDENTIFIERS_OF_SHOP } from './identifier-limit.ts';
import type { Moment } from './moment.ts';
import { MOVED_AT, moveOffers } from './move-offers.ts';

/** The most disputes of one shop that are kept; further ones are rejected rows like the others, and count for nothing. */
export const MOST_DISPUTES_OF_SHOP = 10_000;
/** Disputes that no feed of the shop has repeated for so long are forgotten. */
export const DAYS_OF_DISPUTE = 90;

/** Forgets the shop's disputes that its rows in `matched` no longer state, or that are settled. */
export async function forgetDisputes(transaction: Queryable, { merchantId }: Moment, isFull: boolean): Promise<void> {
  await transaction.query(isFull ? FORGET_UNSTATED : FORGET_SETTLED, [merchantId]);
}

/** Keeps what the conflicting rows in `matched` claim, and forgets what the shop no longer states. */
export async function recordDisputes(transaction: Queryable, moment: Moment, isFull: boolean): Promise<void> {
  const { merchantId } = moment;
  const [state] = await transaction.query<{ claims: boolean; known: boolean }>(
    `SELECT EXISTS (SELECT FROM matched WHERE fault = 'identifier_conflict') AS claims,
            EXISTS (SELECT FROM identifier_dispute WHERE merchant_id = $1) AS known`,
    [merchantId],
  );
  if (state?.known) await forgetDisputes(transaction, moment, isFull);
  if (!state?.claims) return;
  await transaction.query(
    `DELETE FROM identifier_dispute WHERE stated_at < now() - INTERVAL '${DAYS_OF_DISPUTE} days'`,
  );
  await transaction.query(REPEAT, [merchantId]);
  await transaction.query(ADD, [merchantId, MOST_DISPUTES_OF_SHOP]);
}

/**
 * Moves the identifiers that this shop disputes and that enough shops place elsewhere.
 *
 * @returns how many were moved.
 */
export async function settleDisputes(transaction: Queryable, { merchantId, observedAt }: Moment): Promise<number> {
  const moves = await transaction.query<Move>(FIND_MOVES, [merchantId]);
  if (moves.length === 0) return 0;
  const parameters = [
    moves.map(({ kind }) => kind),
    moves.map(({ value }) => value),
    moves.map((move) => move.old_product_id),
    moves.map((move) => move.product_id),
  ];
  await transaction.query(MOVE_IDENTIFIERS, [...parameters, merchantId]);
  await transaction.query(FIND_FOLLOWERS, [...parameters, merchantId, observedAt]);
  await moveOffers(transaction);
  for (const { kind, value, old_slug: from, slug: to, votes, old_votes: against } of moves) {
    await recordAudit(transaction, {
      action: 'identifier.move',
      before: { [kind]: value, product: from, shops: against },
      after: { [kind]: value, product: to, shops: votes },
    });
  }
  return moves.length;
}

interface Move {
  kind: 'gtin' | 'asin';
  value: string;
  old_product_id: bigint;
  product_id: bigint;
  old_slug: string;
  slug: string;
  votes: number;
  old_votes: number;
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

// A delta says nothing of rows that it does not have.
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

/** SQL that is true for a shop whose claims to an identifier are void. */
const isVoid = (kind: string, value: string, merchant: string) => `EXISTS (
      SELECT
      FROM identifier_detachment AS void
      WHERE void.kind = '${kind}' AND void.value = ${value} AND void.merchant_id = ${merchant}
    )`;

/**
 * SQL for the shops that place an identifier at a product. An offer whose row was not recorded yet stands for the present binding,
 * and a shop that disputes an identifier does not stand for it. By offer_listed_idx and the indices on identifier_dispute.
 */
const votes = (kind: 'gtin' | 'asin', value: string, product: string, isBound: boolean) => {
  const other = kind === 'gtin' ? 'asin' : 'gtin';
  return `(
    SELECT count(DISTINCT voice.merchant_id)::int
    FROM (
      SELECT offer.merchant_id
      FROM offer
      WHERE offer.product_id = ${product}
        AND offer.withdrawn_at IS NULL
        AND (offer.${kind} = ${value} ${isBound ? 'OR offer.title IS NULL' : ''})
        AND NOT EXISTS (
          SELECT FROM identifier_dispute AS own WHERE own.merchant_id = offer.merchant_id AND own.${kind} = ${value}
        )
      UNION ALL
      SELECT claim.merchant_id
      FROM identifier_dispute AS claim
      JOIN product_identifier AS named ON named.kind = '${other}' AND named.value = claim.${other}
      WHERE claim.${kind} = ${value}
        AND claim.stated_at > now() - INTERVAL '${DAYS_OF_DISPUTE} days'
        AND named.product_id = ${product}
    ) AS voice
    WHERE NOT ${isVoid(kind, value, 'voice.merchant_id')}
  )`;
};

const isFounding = (identifier: string) => `NOT EXISTS (
      SELECT
      FROM product_identifier AS earlier
      WHERE earlier.product_id = ${identifier}.product_id AND earlier.id < ${identifier}.id
    )`;

// Which of the two is wrong? A product is what its first identifier says. So where only one of the two is the first of its product,
// the other one is in doubt; else the one that fewer shops place where it is; of equals the ASIN, since products are found by
// GTIN first. The importing shop counts as the contributor of what it moves, so its limit holds as well; the surplus stays disputed.
const FIND_MOVES = `
  WITH conflict AS (
    SELECT own.asin, own.gtin,
           by_asin.product_id AS asin_product, by_gtin.product_id AS gtin_product,
           ${isFounding('by_asin')} AS is_asin_founding,
           ${isFounding('by_gtin')} AS is_gtin_founding
    FROM identifier_dispute AS own
    JOIN product_identifier AS by_asin ON by_asin.kind = 'asin' AND by_asin.value = own.asin
    JOIN product_identifier AS by_gtin ON by_gtin.kind = 'gtin' AND by_gtin.value = own.gtin
    WHERE own.merchant_id = $1
      AND by_asin.product_id <> by_gtin.product_id
      AND (
        EXISTS (SELECT FROM identifier_dispute AS other WHERE other.asin = own.asin AND other.merchant_id <> $1)
        OR EXISTS (SELECT FROM identifier_dispute AS other WHERE other.gtin = own.gtin AND other.merchant_id <> $1)
      )
  ), weighed AS (
    SELECT conflict.*,
           ${votes('asin', 'conflict.asin', 'conflict.asin_product', true)} AS asin_votes,
           ${votes('gtin', 'conflict.gtin', 'conflict.gtin_product', true)} AS gtin_votes
    FROM conflict
  ), doubted AS (
    SELECT weighed.*,
           CASE
             WHEN is_asin_founding <> is_gtin_founding THEN is_asin_founding
             ELSE NOT is_asin_founding AND gtin_votes < asin_votes
           END AS is_gtin_wrong
    FROM weighed
  ), proposed AS (
    SELECT 'asin' AS kind, asin AS value, asin_product AS old_product_id, gtin_product AS product_id, asin_votes AS old_votes,
           ${votes('asin', 'doubted.asin', 'doubted.gtin_product', false)} AS votes
    FROM doubted
    WHERE NOT is_gtin_wrong
    UNION ALL
    SELECT 'gtin', gtin, gtin_product, asin_product, gtin_votes, ${votes('gtin', 'doubted.gtin', 'doubted.asin_product', false)}
    FROM doubted
    WHERE is_gtin_wrong
  ), decided AS (
    SELECT DISTINCT ON (kind, value) *
    FROM proposed
    WHERE votes >= 2
      AND votes > old_votes
      AND NOT EXISTS (
        SELECT
        FROM identifier_detachment AS detached
        WHERE detached.kind::text = proposed.kind
          AND detached.value = proposed.value
          AND detached.product_id = proposed.product_id
      )
    ORDER BY kind, value, votes DESC, product_id
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY product_id ORDER BY votes DESC, kind, value) AS place
    FROM decided
  )
  SELECT ranked.kind, ranked.value, ranked.old_product_id, ranked.product_id, ranked.votes, ranked.old_votes,
         old.slug AS old_slug, product.slug
  FROM ranked
  JOIN product AS old ON old.id = ranked.old_product_id
  JOIN product ON product.id = ranked.product_id
  CROSS JOIN LATERAL (
    SELECT count(*) AS all_shops, count(*) FILTER (WHERE known.merchant_id = $1) AS own
    FROM product_identifier AS known
    WHERE known.product_id = ranked.product_id
  ) AS had
  WHERE ranked.place + had.all_shops <= ${MOST_IDENTIFIERS} AND ranked.place + had.own <= ${MOST_IDENTIFIERS_OF_SHOP}
  ORDER BY ranked.kind, ranked.value`;

const MOVES =
  'unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS move (kind, value, old_product_id, product_id)';

// A new id makes it the last of its product: the primary identifiers there stay as they are.
const MOVE_IDENTIFIERS = `
  UPDATE product_identifier
  SET product_id = move.product_id, id = nextval('product_identifier_id_seq'), merchant_id = $5::bigint, claimed_at = now()
  FROM ${MOVES}
  WHERE product_identifier.kind::text = move.kind AND product_identifier.value = move.value`;

// By offer_listed_idx. The importing shop's own offers move at the moment of its feed, which may change them further.
const FIND_FOLLOWERS = `
  INSERT INTO moved (offer_id, old_product_id, product_id, total, at)
  SELECT offer.id, offer.product_id, COALESCE(other.product_id, move.product_id), offer.total,
         CASE WHEN offer.merchant_id = $5 THEN $6::timestamptz ELSE ${MOVED_AT} END
  FROM ${MOVES}
  JOIN offer ON offer.product_id = move.old_product_id AND offer.withdrawn_at IS NULL
  LEFT JOIN product_identifier AS other
    ON (other.kind, other.value) = (
      CASE move.kind WHEN 'asin' THEN 'gtin' ELSE 'asin' END::identifier_kind,
      CASE move.kind WHEN 'asin' THEN offer.gtin ELSE offer.asin END
    )
  WHERE CASE move.kind WHEN 'asin' THEN offer.asin ELSE offer.gtin END = move.value
    AND other.product_id IS DISTINCT FROM offer.product_id
    AND (offer.merchant_id <> $5 OR offer.updated_at < $6::timestamptz)
  ON CONFLICT DO NOTHING`;
