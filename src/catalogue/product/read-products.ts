/** The named statements and loaders of products. */
import { batchedInTwo, type Loader, loadOne, type RequestLoader } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import type { IdentifierKind } from '../../generated/prisma/client.ts';
import type { MerchantRow } from '../merchant/read-merchants.ts';
import { LISTED_OFFERS, type ListedOffer, type ListedOffersText, readListedOffers } from '../offer/read-offers.ts';
import { PRICED_PRODUCT_COLUMNS, PRODUCT_COLUMNS, type ProductRow } from './columns.ts';
import { IDENTIFIERS, type IdentifierRow, type IdentifiersText, readIdentifiers } from './read-identifiers.ts';

/** A GTIN of 14 digits or an ASIN in capitals. */
export interface IdentifierKey {
  kind: IdentifierKind;
  value: string;
}

// By the primary key.
const PRODUCTS = `
  SELECT ${PRICED_PRODUCT_COLUMNS}
  FROM product
  WHERE id = ANY ($1::bigint[])`;

// By the unique index on product (slug).
const PRODUCTS_BY_SLUG = `
  SELECT ${PRICED_PRODUCT_COLUMNS}
  FROM product
  WHERE slug = ANY ($1::text[])`;

export const productsById = (database: Queryable) =>
  loadOne<bigint, ProductRow>(database, { name: 'products', sql: PRODUCTS, isNamed: true }, (row) => row.id);
export const productsBySlug = (database: Queryable) =>
  loadOne<string, ProductRow>(database, { name: 'products_by_slug', sql: PRODUCTS_BY_SLUG }, (row) => row.slug);

/** The data of a lookup: a product with its identifiers and offers. */
export interface WholeProduct {
  product: ProductRow;
  identifiers: IdentifierRow[];
  offers: ListedOffer[];
}

// By the unique index on product_identifier (kind, value), then by the primary key. One statement reads all data of a lookup.
const PRODUCTS_BY_IDENTIFIER = `
  SELECT asked.kind, asked.value, brand.name AS "brandName", ${PRODUCT_COLUMNS},
         ${IDENTIFIERS} AS identifiers, ${LISTED_OFFERS} AS offers
  FROM unnest($1::text[], $2::text[]) AS asked (kind, value)
  JOIN product_identifier AS found ON found.kind = asked.kind::identifier_kind AND found.value = asked.value
  JOIN product ON product.id = found.product_id
  LEFT JOIN brand ON brand.id = product.brand_id`;

type WholeProductRow = ProductRow & IdentifierKey & { identifiers: IdentifiersText; offers: ListedOffersText };

/** Products by a GTIN or an ASIN. @param merchants see {@link readListedOffers}. */
export function productsByIdentifier(
  database: Queryable,
  merchants: Loader<bigint, MerchantRow | undefined>,
): RequestLoader<IdentifierKey, WholeProduct | undefined> {
  return batchedInTwo<IdentifierKey, WholeProduct | undefined>(async (keys) => {
    const rows = await database.query<WholeProductRow>(
      PRODUCTS_BY_IDENTIFIER,
      [keys.map((key) => key.kind), keys.map((key) => key.value)],
      { name: 'products_by_identifier', batchSize: keys.length },
    );
    const lists = await readListedOffers(rows, merchants);
    const byIdentifier = new Map<string, WholeProduct>();
    rows.forEach((row, n) => {
      const whole = { product: row, identifiers: readIdentifiers(row.identifiers), offers: lists[n] ?? [] };
      byIdentifier.set(`${row.kind} ${row.value}`, whole);
    });
    return keys.map((key) => byIdentifier.get(`${key.kind} ${key.value}`));
  });
}
