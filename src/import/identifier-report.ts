/** Reports which shops contributed a product's identifiers and fields, and which dispute them. For operators. */
import type { Queryable } from '../database/database.ts';
import type { IdentifierKind } from '../generated/prisma/enums.ts';
import { encodeId } from '../values/id.ts';
import { otherKind, requireProduct, shown } from './identifier-name.ts';
import type { ProductField } from './product-field.ts';
import { PRODUCT_FIELDS } from './product-fields.ts';

/** A shop's claim that an identifier belongs to another product. */
export interface Dispute {
  merchant: string;
  /** The row's other identifier, which leads to that product. */
  with: { kind: IdentifierKind; value: string };
  /** The slug of the product that the shop names. */
  product: string;
  statedAt: Date;
}

/** An identifier of a product and the shops behind it. Absent members were not recorded. */
export interface IdentifierReport {
  kind: IdentifierKind;
  value: string;
  /** The shop that bound it to the product; if only `claimedAt` is present, an operator did. */
  merchant?: string;
  claimedAt?: Date;
  /** The shops that list offers of the product whose rows state it now. */
  statedBy: string[];
  disputedBy: Dispute[];
}

/** A field of a product and the shop that filled it in. */
export interface FieldReport {
  field: string;
  merchant?: string;
  filledAt?: Date;
}

/** An identifier that an operator took off the product, or a shop's void claim to one of the product's identifiers. */
export interface DetachedReport {
  kind: IdentifierKind;
  value: string;
  /** The shop whose claim is void; absent if the identifier must not return to the product at all. */
  merchant?: string;
  detachedAt: Date;
}

export interface ProductReport {
  product: { id: string; slug: string; name: string };
  identifiers: IdentifierReport[];
  fields: FieldReport[];
  detached: DetachedReport[];
  /** Listed offers whose rows have not been recorded; the next import of their shops records them. */
  unrecordedOffers: number;
}

/** Reports everything that is recorded about a product's identifiers and fields. @throws {IdentifierNotFound} */
export async function describeIdentifiers(database: Queryable, text: string): Promise<ProductReport> {
  const product = await requireProduct(database, text);
  const identifiers = await database.query<IdentifierRow>(IDENTIFIERS, [product.id]);
  const fields = await database.query<{ field: string; merchant: string | null; filled_at: Date | null }>(FIELDS, [
    product.id,
  ]);
  const detached = await database.query<DetachedRow>(DETACHED, [product.id]);
  const [offers] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM offer WHERE product_id = $1 AND withdrawn_at IS NULL AND title IS NULL`,
    [product.id],
  );
  return {
    product: { id: encodeId('product', product.id), slug: product.slug, name: product.name },
    identifiers: identifiers.map(({ kind, value, merchant, claimed_at: claimedAt, stated_by, disputed_by }) => ({
      kind,
      value: shown({ kind, value }),
      ...(merchant !== null && { merchant }),
      ...(claimedAt !== null && { claimedAt }),
      statedBy: stated_by ?? [],
      disputedBy: (disputed_by ?? []).map((dispute) => {
        const other = otherKind(kind);
        return {
          merchant: dispute.merchant,
          with: { kind: other, value: shown({ kind: other, value: dispute.other }) },
          product: dispute.product,
          statedAt: new Date(dispute.stated_at),
        };
      }),
    })),
    fields: fields.map(({ field, merchant, filled_at: filledAt }) => ({
      field,
      ...(merchant !== null && { merchant }),
      ...(filledAt !== null && { filledAt }),
    })),
    detached: detached.map(({ kind, value, merchant, detached_at: detachedAt }) => ({
      kind,
      value: shown({ kind, value }),
      ...(merchant !== null && { merchant }),
      detachedAt,
    })),
    unrecordedOffers: offers?.count ?? 0,
  };
}

interface IdentifierRow {
  kind: IdentifierKind;
  value: string;
  merchant: string | null;
  claimed_at: Date | null;
  stated_by: string[] | null;
  disputed_by: { merchant: string; other: string; product: string; stated_at: string }[] | null;
}

interface DetachedRow {
  kind: IdentifierKind;
  value: string;
  merchant: string | null;
  detached_at: Date;
}

// By the index on product_identifier (product_id), offer_listed_idx and the indices on identifier_dispute.
const IDENTIFIERS = `
  SELECT identifier.kind, identifier.value, merchant.name AS merchant, identifier.claimed_at,
         (
           SELECT json_agg(DISTINCT shop.name)
           FROM offer
           JOIN merchant AS shop ON shop.id = offer.merchant_id
           WHERE offer.product_id = identifier.product_id
             AND offer.withdrawn_at IS NULL
             AND CASE identifier.kind WHEN 'gtin' THEN offer.gtin ELSE offer.asin END = identifier.value
         ) AS stated_by,
         (
           SELECT json_agg(
                    json_build_object(
                      'merchant', shop.name, 'other', named.value, 'product', product.slug, 'stated_at', dispute.stated_at
                    )
                    ORDER BY dispute.stated_at, shop.name
                  )
           FROM identifier_dispute AS dispute
           JOIN merchant AS shop ON shop.id = dispute.merchant_id
           JOIN product_identifier AS named
             ON named.kind <> identifier.kind
            AND named.value = CASE identifier.kind WHEN 'gtin' THEN dispute.asin ELSE dispute.gtin END
           JOIN product ON product.id = named.product_id
           WHERE identifier.value = CASE identifier.kind WHEN 'gtin' THEN dispute.gtin ELSE dispute.asin END
             AND named.product_id <> identifier.product_id
         ) AS disputed_by
  FROM product_identifier AS identifier
  LEFT JOIN merchant ON merchant.id = identifier.merchant_id
  WHERE identifier.product_id = $1
  ORDER BY identifier.id`;

// A field that no later feed filled came with the feed that founded the product.
const FIELDS = `
  SELECT present.field, merchant.name AS merchant,
         COALESCE(filled.filled_at, CASE WHEN product.merchant_id IS NOT NULL THEN product.created_at END) AS filled_at
  FROM product
  CROSS JOIN LATERAL (
    VALUES
      (0, 'name', TRUE),
      ${PRODUCT_FIELDS.map(isPresent).join(',\n      ')}
  ) AS present (place, field, is_there)
  LEFT JOIN product_field AS filled ON filled.product_id = product.id AND filled.field = present.field
  LEFT JOIN merchant ON merchant.id = COALESCE(filled.merchant_id, product.merchant_id)
  WHERE product.id = $1 AND present.is_there
  ORDER BY present.place`;

function isPresent({ name, columns }: ProductField, index: number): string {
  return `(${index + 1}, '${name}', num_nonnulls(${columns.map((column) => `product.${column.name}`).join(', ')}) > 0)`;
}

const DETACHED = `
  SELECT detached.kind, detached.value, merchant.name AS merchant, detached.detached_at
  FROM identifier_detachment AS detached
  LEFT JOIN merchant ON merchant.id = detached.merchant_id
  WHERE detached.product_id = $1
     OR (
       detached.merchant_id IS NOT NULL
       AND (detached.kind, detached.value) IN (SELECT kind, value FROM product_identifier WHERE product_id = $1)
     )
  ORDER BY detached.id`;
