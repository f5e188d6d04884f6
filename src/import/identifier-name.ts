/** Identifiers and products as operators name them. */
import type { Queryable } from '../database/database.ts';
import type { IdentifierKind } from '../generated/prisma/enums.ts';
import { type Asin, parseAsin } from '../values/asin.ts';
import { formatGtin, type Gtin14, parseFeedGtin } from '../values/gtin.ts';
import { decodeId } from '../values/id.ts';
import { isSlug } from '../values/slug.ts';

/** The kind of the other identifier that a row may state. */
export const otherKind = (kind: IdentifierKind): IdentifierKind => (kind === 'gtin' ? 'asin' : 'gtin');

/** The catalogue does not have what was named; the message says how to find what it has. */
export class IdentifierNotFound extends Error {
  override name = 'IdentifierNotFound';
}

/** The text is not an identifier; the message says why. */
export class IdentifierMalformed extends Error {
  override name = 'IdentifierMalformed';
}

/** A GTIN of 14 digits or an ASIN in capitals. */
export type IdentifierName = { kind: 'gtin'; value: Gtin14 } | { kind: 'asin'; value: Asin };

/** An identifier as the catalogue stores it. */
export interface Identifier {
  kind: IdentifierKind;
  value: string;
}

/** An identifier as people read it: a GTIN whose first digit is 0 has 13 digits. */
export function shown({ kind, value }: Identifier): string {
  return kind === 'gtin' ? formatGtin(value as Gtin14) : value;
}

/** An identifier in a sentence, such as `the ASIN B0DEMO0001`. */
export function inWords(identifier: Identifier): string {
  return `the ${identifier.kind.toUpperCase()} ${shown(identifier)}`;
}

/** Reads a GTIN (8, 12, 13 or 14 digits) or an ASIN (ten letters and digits). @throws {IdentifierMalformed} */
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

/** Finds a product by GTIN, ASIN, slug or id. An ASIN takes precedence over a slug of ten letters. @throws {IdentifierNotFound} */
export async function requireProduct(
  database: Queryable,
  text: string,
): Promise<{ id: bigint; slug: string; name: string }> {
  const identifier = findIdentifierName(text);
  const [product] = await database.query<{ id: bigint; slug: string; name: string }>(
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
  if (product) return product;
  const detail = `No product has the GTIN, ASIN, slug or id ${text}: find it by name with /api/v1/search.`;
  throw new IdentifierNotFound(detail);
}
