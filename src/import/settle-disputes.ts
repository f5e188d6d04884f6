/**
 * Moves identifiers that several shops place elsewhere: if at least two shops claim that an identifier belongs to another product, and
 * more than confirm the catalogue, it moves there, with the offers that only it led to the wrong product.
 *
 * Each shop has one vote in a dispute, however many rows it uses. The votes for an identifier at a product come from the shops that
 * list an offer there whose row states it, and from the shops whose rejected rows name that product by their other identifier.
 */
import { recordAudit } from '../access/audit.ts';
import type { IdentifierKind } from '../generated/prisma/enums.ts';
import { DAYS_OF_DISPUTE } from './disputes.ts';
import { MOST_IDENTIFIERS, MOST_IDENTIFIERS_OF_SHOP } from './identifier-limit.ts';
import { otherKind } from './identifier-name.ts';
import { MOVED_AT, moveOffers } from './move-offers.ts';
import type { PlacedFeed } from './placed-feed.ts';
import { soleValue } from './sole-value.ts';
import { noteProducts } from './stream.ts';

/** Moves the identifiers that this shop disputes and enough shops place elsewhere. @returns how many were moved. */
export async function settleDisputes({ transaction, merchantId, observedAt }: PlacedFeed): Promise<number> {
  // Nearly every shop has none, and the next statement takes long to plan.
  if (!(await soleValue<boolean>(transaction, HAS_DISPUTES, [merchantId]))) return 0;
  const moves = await transaction.query<Move>(FIND_MOVES, [merchantId]);
  if (moves.length === 0) return 0;
  const parameters = [
    moves.map(({ kind }) => kind),
    moves.map(({ value }) => value),
    moves.map((move) => move.old_product_id),
    moves.map((move) => move.product_id),
  ];
  const concerned = moves.flatMap((move) => [move.old_product_id, move.product_id]);
  await transaction.query(noteProducts('SELECT unnest($1::bigint[])'), [concerned]);
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

const HAS_DISPUTES = 'SELECT EXISTS (SELECT FROM identifier_dispute WHERE merchant_id = $1) AS some';

interface Move {
  kind: IdentifierKind;
  value: string;
  old_product_id: bigint;
  product_id: bigint;
  old_slug: string;
  slug: string;
  votes: number;
  old_votes: number;
}

/** SQL that is true for a shop whose claims to an identifier are void. */
const isVoid = (kind: string, value: string, merchant: string) => `EXISTS (
      SELECT
      FROM identifier_detachment AS void
      WHERE void.kind = '${kind}' AND void.value = ${value} AND void.merchant_id = ${merchant}
    )`;

/**
 * SQL for the number of shops that place an identifier at a product. An offer whose row was not recorded yet votes for the present
 * binding. By offer_listed_idx and the indices on identifier_dispute.
 */
const votes = (kind: IdentifierKind, value: string, product: string, isBound: boolean) => {
  const other = otherKind(kind);
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

// A product is defined by its first identifier. If only one of the two is the first of its product, the other one is in doubt;
// otherwise the one that fewer shops place where it is; on equal votes the ASIN, since products are found by GTIN first. The importing
// shop counts as the contributor of what it moves, so its limit applies; the surplus stays disputed.
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

// A new id makes it the last identifier of its product, so the primary identifiers there stay as they are.
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
