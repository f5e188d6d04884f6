/** The offers that a detachment concerns, and where they and the identifier belong. */
import type { Queryable } from '../database/database.ts';
import { MOST_IDENTIFIERS } from './identifier-limit.ts';
import { type Identifier, otherKind } from './identifier-name.ts';

/** The product that an offer or an identifier goes to. */
export interface Home {
  id: bigint;
  slug: string;
}

export interface AffectedOffer {
  id: bigint;
  merchantId: bigint;
  merchant: string;
  /** The name for a product of its own. */
  name: string;
  /** The identifier of the other kind that its row states. */
  otherValue: string | null;
  /** The product that the other identifier leads to. */
  other: Home | undefined;
}

/** The product's offers that only this identifier leads there: their rows state no other of its identifiers. By offer_listed_idx. */
export async function findAffected(
  transaction: Queryable,
  { kind, value }: Identifier,
  productId: bigint,
  merchantId: bigint | undefined,
): Promise<AffectedOffer[]> {
  const other = otherKind(kind);
  const rows = await transaction.query<Omit<AffectedOffer, 'other'> & { otherId: bigint | null; otherSlug: string }>(
    `SELECT offer.id, offer.merchant_id AS "merchantId", merchant.name AS merchant,
            COALESCE(NULLIF(offer.title, ''), product.name) AS name,
            stated.value AS "otherValue", named.id AS "otherId", named.slug AS "otherSlug"
     FROM offer
     JOIN merchant ON merchant.id = offer.merchant_id
     JOIN product ON product.id = offer.product_id
     LEFT JOIN LATERAL (
       SELECT offer.${other} AS value
       WHERE NOT EXISTS (
         SELECT
         FROM identifier_detachment AS void
         WHERE void.kind = '${other}' AND void.value = offer.${other} AND void.merchant_id = offer.merchant_id
       )
     ) AS stated ON TRUE
     LEFT JOIN product_identifier AS identifier ON identifier.kind = '${other}' AND identifier.value = stated.value
     LEFT JOIN product AS named ON named.id = identifier.product_id
     WHERE offer.product_id = $1
       AND offer.withdrawn_at IS NULL
       AND offer.${kind} = $2
       AND ($3::bigint IS NULL OR offer.merchant_id = $3::bigint)
       AND identifier.product_id IS DISTINCT FROM offer.product_id
     ORDER BY offer.id`,
    [productId, value, merchantId ?? null],
  );
  return rows.map(({ otherId, otherSlug, ...offer }) => ({
    ...offer,
    other: otherId === null ? undefined : { id: otherId, slug: otherSlug },
  }));
}

/** The product that most shops name for the identifier, by the other identifiers of the affected offers and by their disputes. */
export async function findHome(
  transaction: Queryable,
  { kind, value }: Identifier,
  productId: bigint,
  affected: readonly AffectedOffer[],
  voidMerchantId?: bigint,
): Promise<Home | undefined> {
  const other = otherKind(kind);
  const named = affected.flatMap(({ merchantId, other: home }) => (home ? [{ merchantId, productId: home.id }] : []));
  const [home] = await transaction.query<Home>(
    `SELECT product.id, product.slug
     FROM (
       SELECT merchant_id, product_id FROM unnest($3::bigint[], $4::bigint[]) AS named (merchant_id, product_id)
       UNION
       SELECT dispute.merchant_id, identifier.product_id
       FROM identifier_dispute AS dispute
       JOIN product_identifier AS identifier ON identifier.kind = '${other}' AND identifier.value = dispute.${other}
       WHERE dispute.${kind} = $1
     ) AS voice
     JOIN product ON product.id = voice.product_id
     WHERE voice.product_id <> $2
       AND voice.merchant_id IS DISTINCT FROM $5::bigint
       AND NOT EXISTS (
         SELECT
         FROM identifier_detachment AS detached
         WHERE detached.kind = '${kind}'
           AND detached.value = $1
           AND (detached.product_id = voice.product_id OR detached.merchant_id = voice.merchant_id)
       )
       AND (SELECT count(*) FROM product_identifier AS had WHERE had.product_id = product.id) < ${MOST_IDENTIFIERS}
     GROUP BY product.id, product.slug
     ORDER BY count(*) DESC, product.id
     LIMIT 1`,
    [
      value,
      productId,
      named.map((each) => each.merchantId),
      named.map((each) => each.productId),
      voidMerchantId ?? null,
    ],
  );
  return home;
}
