/** Reports which shops contributed a product's identifiers and fields, and which dispute them. For operators. */
import type { Queryable } from '../database/database.ts';
import { encodeId } from '../values/id.ts';
import { type Identifier, otherKind, requireProduct, shown } from './identifier-name.ts';
import type { ProductField } from './product-field.ts';
import { PRODUCT_FIELDS } from './product-fields.ts';
import { soleValue } from './sole-value.ts';
import { withoutNulls } from './without-nulls.ts';

/** An identifier of a product and the shops behind it. Absent members were not recorded. */
interface IdentifierReport extends Identifier {
  /** The shop that bound it to the product; if only `claimedAt` is present, an operator did. */
  merchant?: string;
  claimedAt?: Date;
  /** The shops that list offers of the product whose rows state it now. */
  statedBy: string[];
  /** The claims of shops that it belongs to another product, by its slug: the row's other identifier leads there. */
  disputedBy: { merchant: string; with: Identifier; product: string; statedAt: Date }[];
}

/** An identifier that an operator took off the product, or a shop's void claim to one of the product's identifiers. */
interface DetachedReport extends Identifier {
  /** The shop whose claim is void; absent if the identifier must not return to the product at all. */
  merchant?: string;
  detachedAt: Date;
}

export interface ProductReport {
  product: { id: string; slug: string; name: string };
  identifiers: IdentifierReport[];
  /** The fields of the product and the shops that filled them in. */
  fields: { field: string; merchant?: string; filledAt?: Date }[];
  detached: DetachedReport[];
  /** Listed offers whose rows have not been recorded; the next import of their shops records them. */
  unrecordedOffers: number;
}

/** Reports everything that is recorded about a product's identifiers and fields. @throws {IdentifierNotFound} */
export async function describeIdentifiers(database: Queryable, text: string): Promise<ProductReport> {
  const product = await requireProduct(database, text);
  const identifiers = await database.query<IdentifierRow>(IDENTIFIERS, [product.id]);
  const fields = await database.query<ProductReport['fields'][number]>(FIELDS, [product.id]);
  const detached = await database.query<DetachedReport>(DETACHED, [product.id]);
  return {
    product: { id: encodeId('product', product.id), slug: product.slug, name: product.name },
    identifiers: identifiers.map(({ disputedBy, ...identifier }) => ({
      ...withoutNulls({ ...identifier, value: shown(identifier) }),
      disputedBy: disputedBy.map(({ merchant, other: value, product: named, statedAt }) => {
        const other = { kind: otherKind(identifier.kind), value };
        return { merchant, with: { ...other, value: shown(other) }, product: named, statedAt: new Date(statedAt) };
      }),
    })),
    fields: fields.map(withoutNulls),
    detached: detached.map((each) => withoutNulls({ ...each, value: shown(each) })),
    unrecordedOffers: await soleValue(database, COUNT_UNRECORDED, [product.id]),
  };
}

type IdentifierRow = Omit<IdentifierReport, 'disputedBy'> & {
  disputedBy: { merchant: string; other: string; product: string; statedAt: string }[];
};

const COUNT_UNRECORDED =
  'SELECT count(*)::int AS count FROM offer WHERE product_id = $1 AND withdrawn_at IS NULL AND title IS NULL';

// By the index on product_identifier (product_id), offer_listed_idx and the indices on identifier_dispute.
const IDENTIFIERS = `
  SELECT identifier.kind, identifier.value, merchant.name AS merchant, identifier.claimed_at AS "claimedAt",
         (
           SELECT COALESCE(json_agg(DISTINCT shop.name COLLATE "C"), '[]')
           FROM offer
           JOIN merchant AS shop ON shop.id = offer.merchant_id
           WHERE offer.product_id = identifier.product_id
             AND offer.withdrawn_at IS NULL
             AND CASE identifier.kind WHEN 'gtin' THEN offer.gtin ELSE offer.asin END = identifier.value
         ) AS "statedBy",
         (
           SELECT COALESCE(json_agg(
                    json_build_object(
                      'merchant', shop.name, 'other', named.value, 'product', product.slug, 'statedAt', dispute.stated_at
                    )
                    ORDER BY dispute.stated_at, shop.name COLLATE "C"
                  ), '[]')
           FROM identifier_dispute AS dispute
           JOIN merchant AS shop ON shop.id = dispute.merchant_id
           JOIN product_identifier AS named
             ON named.kind <> identifier.kind
            AND named.value = CASE identifier.kind WHEN 'gtin' THEN dispute.asin ELSE dispute.gtin END
           JOIN product ON product.id = named.product_id
           WHERE identifier.value = CASE identifier.kind WHEN 'gtin' THEN dispute.gtin ELSE dispute.asin END
             AND named.product_id <> identifier.product_id
         ) AS "disputedBy"
  FROM product_identifier AS identifier
  LEFT JOIN merchant ON merchant.id = identifier.merchant_id
  WHERE identifier.product_id = $1
  ORDER BY identifier.id`;

// A field that no later feed filled came with the feed that founded the product.
const FIELDS = `
  SELECT present.field, merchant.name AS merchant,
         COALESCE(filled.filled_at, CASE WHEN product.merchant_id IS NOT NULL THEN product.created_at END) AS "filledAt"
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
  SELECT detached.kind, detached.value, merchant.name AS merchant, detached.detached_at AS "detachedAt"
  FROM identifier_detachment AS detached
  LEFT JOIN merchant ON merchant.id = detached.merchant_id
  WHERE detached.product_id = $1
     OR (
       detached.merchant_id IS NOT NULL
       AND (detached.kind, detached.value) IN (SELECT kind, value FROM product_identifier WHERE product_id = $1)
     )
  ORDER BY detached.id`;
