/** The named statements and loader of identifiers. */
import { type Loader, loadOne } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import type { IdentifierKind, ProductIdentifier } from '../../generated/prisma/client.ts';
import { formatGtin, type Gtin14 } from '../../values/gtin.ts';

export type IdentifierRow = Pick<ProductIdentifier, 'kind' | 'value'>;

/** {@link IDENTIFIERS} of a product; null if it has none. */
export type IdentifiersText = string | null;

/**
 * The identifiers of the row `product` as one text column, cheaper than JSON, by the index on (product_id). The first of each kind is the
 * primary one. Kinds and values contain neither blanks nor commas (checked by the table).
 */
export const IDENTIFIERS = `
  (
    SELECT string_agg(identifier.kind || ' ' || identifier.value, ',' ORDER BY identifier.id)
    FROM product_identifier AS identifier
    WHERE identifier.product_id = product.id
  )`;

/** Parses a value of {@link IDENTIFIERS}. */
export function readIdentifiers(text: IdentifiersText): IdentifierRow[] {
  if (text === null) return [];
  return text.split(',').map((identifier) => {
    const end = identifier.indexOf(' ');
    return { kind: identifier.slice(0, end) as IdentifierKind, value: identifier.slice(end + 1) };
  });
}

/** All GTINs of a product as clients see them, the primary one first. */
export const eansOf = (rows: readonly IdentifierRow[]): string[] =>
  rows.filter((row) => row.kind === 'gtin').map((row) => formatGtin(row.value as Gtin14));

/** All ASINs of a product, the primary one first. */
export const asinsOf = (rows: readonly IdentifierRow[]): string[] =>
  rows.filter((row) => row.kind === 'asin').map((row) => row.value);

const IDENTIFIERS_OF_PRODUCTS = `
  SELECT product.id, ${IDENTIFIERS} AS identifiers
  FROM unnest($1::bigint[]) AS product (id)`;

/** The identifiers of products, by product number. */
export function identifiersByProduct(database: Queryable): Loader<bigint, IdentifierRow[]> {
  const rows = loadOne<bigint, { id: bigint; identifiers: IdentifiersText }>(
    database,
    { name: 'identifiers_of_products', sql: IDENTIFIERS_OF_PRODUCTS },
    (row) => row.id,
  );
  return { load: async (id) => readIdentifiers((await rows.load(id))?.identifiers ?? null) };
}
