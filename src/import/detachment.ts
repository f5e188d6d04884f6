/** The detachments that operators make: identifiers that must not return to a product, and void claims of shops. */
import { recordAudit } from '../access/audit.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { Binding } from './identifier-binding.ts';
import { type Identifier, IdentifierNotFound, inWords, shown } from './identifier-name.ts';
import { forgetAllContent } from './import-run.ts';
import { soleValue } from './sole-value.ts';
import { writeAlone } from './write-lock.ts';

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
export async function voidClaim(transaction: Queryable, identifier: Identifier, shop: Shop): Promise<void> {
  const { kind, value } = identifier;
  const isClaimed = await soleValue<boolean>(
    transaction,
    `SELECT EXISTS (SELECT FROM offer WHERE merchant_id = $1 AND ${kind} = $2 AND withdrawn_at IS NULL)
            OR EXISTS (SELECT FROM identifier_dispute WHERE merchant_id = $1 AND ${kind} = $2)
            OR EXISTS (SELECT FROM product_identifier WHERE kind = '${kind}' AND value = $2 AND merchant_id = $1) AS some`,
    [shop.id, value],
  );
  const detail = `${shop.name} does not claim ${inWords(identifier)}: \`pda identifiers list\` shows the shops that do.`;
  if (!isClaimed) throw new IdentifierNotFound(detail);
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
export async function bar(transaction: Queryable, identifier: Identifier, productId: bigint, targetId?: bigint) {
  const { kind, value } = identifier;
  const forget = `
    DELETE FROM identifier_detachment
    WHERE kind::text = $1 AND value = $2 AND product_id IN ($3::bigint, $4::bigint)`;
  await transaction.query(forget, [kind, value, productId, targetId ?? null]);
  const add = 'INSERT INTO identifier_detachment (kind, value, product_id) VALUES ($1::text::identifier_kind, $2, $3)';
  await transaction.query(add, [kind, value, productId]);
}

/** The newest detachment of an identifier from a product, if nothing has bound the identifier since. */
export async function findStandingDetachment(transaction: Queryable, { kind, value }: Identifier, bound?: Binding) {
  const [standing] = await transaction.query<{ from: string; detachedAt: Date }>(
    `SELECT product.slug AS from, detached.detached_at AS "detachedAt"
     FROM identifier_detachment AS detached
     JOIN product ON product.id = detached.product_id
     WHERE detached.kind::text = $1 AND detached.value = $2
     ORDER BY detached.detached_at DESC, detached.id DESC
     LIMIT 1`,
    [kind, value],
  );
  // What a detachment binds has its time, since both are in one transaction.
  const isBoundSince = standing && bound && (bound.claimedAt === null || bound.claimedAt > standing.detachedAt);
  return isBoundSince ? undefined : standing;
}

/**
 * Forgets the detachments of an identifier, or only of `merchant`'s claim, and returns their number. The next imports decide again
 * where it belongs.
 * @throws {IdentifierNotFound} when nothing was detached.
 */
export async function allowIdentifier(database: Database, identifier: Identifier, merchant?: string): Promise<number> {
  return writeAlone(database, false, async (transaction) => {
    const shop = merchant === undefined ? undefined : await requireShop(transaction, merchant);
    const { length: forgotten } = await transaction.query(
      `DELETE FROM identifier_detachment
       WHERE kind::text = $1 AND value = $2 AND ($3::bigint IS NULL OR merchant_id = $3::bigint)
       RETURNING id`,
      [identifier.kind, identifier.value, shop?.id ?? null],
    );
    if (forgotten === 0) {
      const missing = `There is no detachment of ${inWords(identifier)}${shop ? ` for ${shop.name}` : ''}`;
      throw new IdentifierNotFound(`${missing}: imports already decide where it belongs.`);
    }
    const after = { [identifier.kind]: shown(identifier), ...(shop && { merchant: shop.name }), forgotten };
    await recordAudit(transaction, { action: 'identifier.allow', after });
    await forgetAllContent(transaction);
    return forgotten;
  });
}
