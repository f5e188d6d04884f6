/** The named statements and loader of identifiers. */
import { loadMany } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import type { ProductIdentifier } from '../../generated/prisma/client.ts';

export type IdentifierRow = Pick<ProductIdentifier, 'kind' | 'value'>;

/** {@link IDENTIFIERS} of a product; null if it has none. */
export type IdentifiersJson = IdentifierRow[] | null;

/** The identifiers of the row `product` as one JSON column, by the index on (product_id). The first of each kind is the primary one. */
export const IDENTIFIERS = `
  (
    SELECT json_agg(json_build_object('kind', identifier.kind, 'value', identifier.value) ORDER BY identifier.id)
    FROM product_identifier AS identifier
    WHERE identifier.product_id = product.id
  )`;

const IDENTIFIERS_OF_PRODUCTS = `
  SELECT product.id, ${IDENTIFIERS} AS rows
  FROM unnest($1::bigint[]) AS product (id)`;

/** The identifiers of products, by product number. */
export const identifiersByProduct = (database: Queryable) =>
  loadMany<IdentifiersJson, IdentifierRow>(
    database,
    { name: 'identifiers_of_products', sql: IDENTIFIERS_OF_PRODUCTS },
    ({ rows }) => rows ?? [],
  );
