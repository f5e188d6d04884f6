/** The detachments that operators make: identifiers that must not return to a product, and void claims of shops. */
import type { Queryable } from '../database/database.ts';
import type { Binding } from './identifier-binding.ts';
import { type IdentifierName, IdentifierNotFound, inWords } from './identifier-name.ts';

/** A shop as operators name it. */
export interface Shop {
  id: bigint;
  name: string;
}

/** Finds a shop by its name or slug. @throws {IdentifierNotFound} */
export async function requireShop(transaction: Queryable, text: string): Promise<Shop> {
  const [shop] = await transaction.query<Shop>(
    'SELECT id, name FROM merchant WHERE name = $1::text OR slug = $1::text ORDER BY name <> $1::text LIMIT 1',
    [text],
  );
  if (shop) return shop;
  throw new IdentifierNotFound(`No shop has the name or slug ${text}: /api/v1/merchants lists all shops.`);
}

/** Voids a shop's claim to an identifier, whichever product it names. @throws {IdentifierNotFound} when it claims none. */
export async function voidClaim(transaction: Queryable, identifier: IdentifierName, shop: Shop): Promise<void> {
  const { kind, value } = identifier;
  const [claim] = await transaction.query<{ some: boolean }>(
    `SELECT EXISTS (SELECT FROM offer WHERE merchant_id = $1 AND ${kind} = $2 AND withdrawn_at IS NULL)
            OR EXISTS (SELECT FROM identifier_dispute WHERE merchant_id = $1 AND ${kind} = $2)
            OR EXISTS (SELECT FROM product_identifier WHERE kind = '${kind}' AND value = $2 AND merchant_id = $1) AS some`,
    [shop.id, value],
  );
  if (!claim?.some) {
    const detail = `${shop.name} does not claim ${inWords(identifier)}: \`pda identifiers list\` shows the shops that do.`;
    throw new IdentifierNotFound(detail);
  }
  await transaction.query(`DELETE FROM identifier_dispute WHERE merchant_id = $1 AND ${kind} = $2`, [shop.id, value]);
  await transaction.query(
    `INSERT INTO identifier_detachment (kind, value, merchant_id)
     SELECT $1::identifier_kind, $2, $3::bigint
     WHERE NOT EXISTS (
       SELECT FROM identifier_detachment WHERE kind = $1::identifier_kind AND value = $2 AND merchant_id = $3::bigint
     )`,
    [kind, value, shop.id],
  );
}

/** Keeps an identifier off a product for all shops, and forgets an earlier detachment from the product that it goes to. */
export async function bar(
  transaction: Queryable,
  { kind, value }: IdentifierName,
  productId: bigint,
  targetId: bigint | undefined,
): Promise<void> {
  await transaction.query(
    `DELETE FROM identifier_detachment
     WHERE kind::text = $1 AND value = $2 AND product_id IN ($3::bigint, $4::bigint)`,
    [kind, value, productId, targetId ?? null],
  );
  await transaction.query(
    'INSERT INTO identifier_detachment (kind, value, product_id) VALUES ($1::text::identifier_kind, $2, $3)',
    [kind, value, productId],
  );
}

/**
 * The newest detachment of an identifier from a product, if nothing has bound the identifier since: the identifier is still where
 * that detachment left it.
 */
export async function findStandingDetachment(
  transaction: Queryable,
  { kind, value }: IdentifierName,
  bound: Binding | undefined,
): Promise<{ from: string; detachedAt: Date } | undefined> {
  const [row] = await transaction.query<{ slug: string; detached_at: Date }>(
    `SELECT product.slug, detached.detached_at
     FROM identifier_detachment AS detached
     JOIN product ON product.id = detached.product_id
     WHERE detached.kind::text = $1 AND detached.value = $2
     ORDER BY detached.detached_at DESC, detached.id DESC
     LIMIT 1`,
    [kind, value],
  );
  if (!row) return undefined;
  // What a detachment binds has its time, since both are in one transaction.
  if (bound && (bound.claimedAt === null || bound.claimedAt > row.detached_at)) return undefined;
  return { from: row.slug, detachedAt: row.detached_at };
}
