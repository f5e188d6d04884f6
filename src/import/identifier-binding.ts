/** Which product has an identifier, and on whose claim. */
import type { Queryable } from '../database/database.ts';
import type { IdentifierKind } from '../generated/prisma/enums.ts';
import { MOST_IDENTIFIERS } from './identifier-limit.ts';
import { type IdentifierName, inWords } from './identifier-name.ts';

/** The detachment cannot be done as requested; the message says what to do instead. */
export class DetachRefused extends Error {
  override name = 'DetachRefused';
}

export interface Binding {
  productId: bigint;
  slug: string;
  /** The shop that bound it; null if an operator did, or if that was not recorded. */
  merchantId: bigint | null;
  claimedAt: Date | null;
}

/** The product that has the identifier now, if any. */
export async function findBinding(
  transaction: Queryable,
  { kind, value }: IdentifierName,
): Promise<Binding | undefined> {
  const [row] = await transaction.query<{
    product_id: bigint;
    slug: string;
    merchant_id: bigint | null;
    claimed_at: Date | null;
  }>(
    `SELECT identifier.product_id, product.slug, identifier.merchant_id, identifier.claimed_at
     FROM product_identifier AS identifier
     JOIN product ON product.id = identifier.product_id
     WHERE identifier.kind::text = $1 AND identifier.value = $2`,
    [kind, value],
  );
  return (
    row && {
      productId: row.product_id,
      slug: row.slug,
      merchantId: row.merchant_id,
      claimedAt: row.claimed_at,
    }
  );
}

/** Whether another shop or an operator claims the identifier for the product. Offers that are not recorded yet count as claims. */
export async function hasOtherClaim(
  transaction: Queryable,
  { kind, value }: IdentifierName,
  { productId, merchantId, claimedAt }: Binding,
  shopId: bigint,
): Promise<boolean> {
  const isOperators = merchantId === null && claimedAt !== null;
  if (isOperators || (merchantId !== null && merchantId !== shopId)) return true;
  const [claim] = await transaction.query<{ some: boolean }>(
    `SELECT EXISTS (
       SELECT
       FROM offer
       WHERE product_id = $1
         AND withdrawn_at IS NULL
         AND (${kind} = $2 OR title IS NULL)
         AND merchant_id <> $3
     ) AS some`,
    [productId, value, shopId],
  );
  return claim?.some ?? false;
}

/** Binds an identifier that no product has. @param merchantId the shop that claims it; null for an operator. */
export async function bind(
  transaction: Queryable,
  { kind, value }: { kind: IdentifierKind; value: string },
  productId: bigint,
  merchantId: bigint | null,
): Promise<void> {
  const [room] = await transaction.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM product_identifier WHERE product_id = $1',
    [productId],
  );
  if (room && room.count >= MOST_IDENTIFIERS) {
    throw new DetachRefused(
      `The product that ${inWords({ kind, value })} would go to has ${MOST_IDENTIFIERS} identifiers, which is the limit: name another product with --to.`,
    );
  }
  await transaction.query(
    `INSERT INTO product_identifier (kind, value, product_id, merchant_id, claimed_at)
     VALUES ($1::text::identifier_kind, $2, $3, $4, now())
     ON CONFLICT (kind, value) DO NOTHING`,
    [kind, value, productId, merchantId],
  );
}
