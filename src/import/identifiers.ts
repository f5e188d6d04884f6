/** Who contributed what a product has: its identifiers with the shops that state and dispute them, and its fields. For operators. */

import type { Queryable } from '../database/database.ts';
import { type Asin, parseAsin } from '../values/asin.ts';
import { formatGtin, type Gtin14, parseFeedGtin } from '../values/gtin.ts';
import { decodeId, encodeId } from '../values/id.ts';
import { isSlug } from '../values/slug.ts';

/** What was named is not in the catalogue; the message says how to find what is. */
export class IdentifierNotFound extends Error {
  override name = 'IdentifierNotFound';
}

/** The text is no identifier; the message says why. */
export class IdentifierMalformed extends Error {
  override name = 'IdentifierMalformed';
}

/** A GTIN of 14 digits or an ASIN in capitals. */
export type IdentifierName = { kind: 'gtin'; value: Gtin14 } | { kind: 'asin'; value: Asin };

/** An identifier as people read it: a GTIN has 13 digits where its first is 0. */
export function shown({ kind, value }: { kind: 'gtin' | 'asin'; value: string }): string {
  return kind === 'gtin' ? formatGtin(value as Gtin14) : value;
}

/** An identifier in a sentence, such as `the ASIN B0DEMO0001`. */
export function inWords(identifier: { kind: 'gtin' | 'asin'; value: string }): string {
  return `the ${identifier.kind.toUpperCase()} ${shown(identifier)}`;
}

/**
 * Reads a GTIN (8, 12, 13 or 14 digits) or an ASIN (ten letters and digits).
 *
 * @throws {IdentifierMalformed}
 */
export function readIdentifierName(text: string): IdentifierName {
  const identifier = findIdentifierName(text);
  if (identifier) return identifier;
  throw new IdentifierMalformed(
    `${text} is neither a GTIN (8, 12, 13 or 14 digits) nor an ASIN (ten letters and digits).`,
  );
}

function findIdentifierName(text: string): IdentifierName | undefined {
  if (/^(\d{8}|\d{12,14})$/.test(text)) {
    const gtin = parseFeedGtin(text);
    if (gtin.ok) return { kind: 'gtin', value: gtin.gtin };
    throw new IdentifierMalformed(`${gtin.detail}.`);
  }
  const asin = parseAsin(text);
  return asin && { kind: 'asin', value: asin };
}

/** A product, in short. */
export interface NamedProduct {
  id: bigint;
  slug: string;
  name: string;
}

/**
 * The product that a GTIN, an ASIN, a slug or an id names. An ASIN goes before a slug of ten letters.
 *
 * @throws {IdentifierNotFound}
 */
export async function requireProduct(database: Queryable, text: string): Promise<NamedProduct> {
  const identifier = findIdentifierName(text);
  const rows = await database.query<NamedProduct>(
    `SELECT product.id, product.slug, product.name, 1 AS rank
     FROM product_identifier AS identifier
     JOIN product ON product.id = identifier.product_id
     WHERE identifier.kind::text = $1 AND identifier.value = $2
     UNION ALL
     SELECT id, slug, name, 2 FROM product WHERE id = $3::bigint OR slug = $4::text
     ORDER BY rank
     LIMIT 1`,
    [
      identifier?.kind ?? null,
      identifier?.value ?? null,
      decodeId('product', text) ?? null,
      isSlug(text) ? text : null,
    ],
  );
  const [product] = rows;
  if (product) return product;
  throw new IdentifierNotFound(
    `No product has the GTIN, ASIN, slug or id ${text}: find it by name with /api/v1/search.`,
  );
}

/** A shop that says that an identifier belongs elsewhere. */
export interface Dispute {
  merchant: string;
  /** The row's other identifier, which leads to that product. */
  with: { kind: 'gtin' | 'asin'; value: string };
  /** The slug of the product that the shop names. */
  product: string;
  statedAt: Date;
}

/** An identifier of a product and who says what of it. Absent members were not recorded. */
export interface IdentifierReport {
  kind: 'gtin' | 'asin';
  value: string;
  /** The shop that bound it to the product; an operator, where `claimedAt` alone is there. */
  merchant?: string;
  claimedAt?: Date;
  /** The shops with offers listed at the product whose rows state it now. */
  statedBy: string[];
  disputedBy: Dispute[];
}

/** A field of a product and the shop that filled it in. */
export interface FieldReport {
  field: string;
  merchant?: string;
  filledAt?: Date;
}

/** What an operator took off the product, or from a shop that states an identifier of the product. */
export interface DetachedReport {
  kind: 'gtin' | 'asin';
  value: string;
  /** The shop whose claim is void; absent where the identifier must not come back to the product at all. */
  merchant?: string;
  detachedAt: Date;
}

export interface ProductReport {
  product: { id: string; slug: string; name: string };
  identifiers: IdentifierReport[];
  fields: FieldReport[];
  detached: DetachedReport[];
  /** Listed offers whose rows have not been recorded: the next import of their shops does it. */
  unrecordedOffers: number;
}

/** Everything that is recorded of a product's identifiers and fields. @throws {IdentifierNotFound} */
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
        const other = kind === 'gtin' ? 'asin' : 'gtin';
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
  kind: 'gtin' | 'asin';
  value: string;
  merchant: string | null;
  claimed_at: Date | null;
  stated_by: string[] | null;
  disputed_by: { merchant: string; other: string; product: string; stated_at: string }[] | null;
}

interface DetachedRow {
  kind: 'gtin' | 'asin';
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

// What was not filled in later came with the founder.
const FIELDS = `
  SELECT present.field, merchant.name AS merchant,
         COALESCE(filled.filled_at, CASE WHEN product.merchant_id IS NOT NULL THEN product.created_at END) AS filled_at
  FROM product
  CROSS JOIN LATERAL (
    VALUES
      (1, 'name', TRUE),
      (2, 'description', product.description IS NOT NULL),
      (3, 'image', product.image_url IS NOT NULL),
      (4, 'attributes', product.attributes IS NOT NULL),
      (5, 'category', product.category_id IS NOT NULL),
      (6, 'brand', product.brand_id IS NOT NULL),
      (7, 'mpn', product.mpn IS NOT NULL)
  ) AS present (place, field, is_there)
  LEFT JOIN product_field AS filled ON filled.product_id = product.id AND filled.field = present.field
  LEFT JOIN merchant ON merchant.id = COALESCE(filled.merchant_id, product.merchant_id)
  WHERE product.id = $1 AND present.is_there
  ORDER BY present.place`;

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

/** A shop's claim that a GTIN and an ASIN belong to one product, while the catalogue has them at two. */
export interface OpenDispute {
  asin: string;
  /** The slug of the product that the ASIN leads to now; absent where it leads to none. */
  asinProduct?: string;
  gtin: string;
  gtinProduct?: string;
  merchant: string;
  statedAt: Date;
}

const MOST_LISTED = 1_000;

/** The newest thousand disputes, by ASIN. */
export async function listDisputes(database: Queryable): Promise<OpenDispute[]> {
  const rows = await database.query<{
    asin: string;
    asin_product: string | null;
    gtin: string;
    gtin_product: string | null;
    merchant: string;
    stated_at: Date;
  }>(
    `SELECT dispute.asin, by_asin.slug AS asin_product, dispute.gtin, by_gtin.slug AS gtin_product,
            merchant.name AS merchant, dispute.stated_at
     FROM (SELECT * FROM identifier_dispute ORDER BY stated_at DESC, merchant_id, asin LIMIT ${MOST_LISTED}) AS dispute
     JOIN merchant ON merchant.id = dispute.merchant_id
     LEFT JOIN product_identifier AS asin ON asin.kind = 'asin' AND asin.value = dispute.asin
     LEFT JOIN product AS by_asin ON by_asin.id = asin.product_id
     LEFT JOIN product_identifier AS gtin ON gtin.kind = 'gtin' AND gtin.value = dispute.gtin
     LEFT JOIN product AS by_gtin ON by_gtin.id = gtin.product_id
     WHERE asin.product_id IS DISTINCT FROM gtin.product_id
     ORDER BY dispute.asin, dispute.stated_at, merchant.name`,
  );
  return rows.map(({ asin, asin_product, gtin, gtin_product, merchant, stated_at: statedAt }) => ({
    asin,
    ...(asin_product !== null && { asinProduct: asin_product }),
    gtin: formatGtin(gtin as Gtin14),
    ...(gtin_product !== null && { gtinProduct: gtin_product }),
    merchant,
    statedAt,
  }));
}
