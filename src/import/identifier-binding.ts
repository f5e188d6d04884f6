/** Which product has an identifier, and on whose claim. */
import type { Queryable } from '../database/database.ts';
import { MOST_IDENTIFIERS } from './identifier-limit.ts';
import { type Identifier, inWords } from './identifier-name.ts';
import { soleValue } from './sole-value.ts';
import { noteProducts } from './stream.ts';

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
export async function findBinding(transaction: Queryable, { kind, value }: Identifier): Promise<Binding | undefined> {
  const [binding] = await transaction.query<Binding>(
    `SELECT identifier.product_id AS "productId", product.slug, identifier.merchant_id AS "merchantId",
            identifier.claimed_at AS "claimedAt"
     FROM product_identifier AS identifier
     JOIN product ON product.id = identifier.product_id
     WHERE identifier.kind::text = $1 AND identifier.value = $2`,
    [kind, value],
  );
  return binding;
}

/** Whether another shop or an operator claims the identifier for the product. Offers that are not recorded yet count as claims. */
export async function hasOtherClaim(transaction: Queryable, identifier: Identifier, binding: Binding, shopId: bigint) {
  const { productId, merchantId, claimedAt } = binding;
  const isOperators = merchantId === null && claimedAt !== null;
  if (isOperators || (merchantId !== null && merchantId !== shopId)) return true;
  const sql = `
    SELECT EXISTS (
      SELECT
      FROM offer
      WHERE product_id = $1
        AND withdrawn_at IS NULL
        AND (${identifier.kind} = $2 OR title IS NULL)
        AND merchant_id <> $3
    ) AS some`;
  return soleValue<boolean>(transaction, sql, [productId, identifier.value, shopId]);
}

/** Binds an identifier that no product has. @param merchantId the shop that claims it; null for an operator. */
export async function bind(
  transaction: Queryable,
  identifier: Identifier,
  productId: bigint,
  merchantId: bigint | null,
) {
  const count = 'SELECT count(*)::int AS count FROM product_identifier WHERE product_id = $1';
  if ((await soleValue<number>(transaction, count, [productId])) >= MOST_IDENTIFIERS) {
    const full = `has ${MOST_IDENTIFIERS} identifiers, which is the limit: name another product with --to.`;
    throw new DetachRefused(`The product that ${inWords(identifier)} would go to ${full}`);
  }
  await transaction.query(noteProducts('SELECT $1::bigint'), [productId]);
  await transaction.query(
    `INSERT INTO product_identifier (kind, value, product_id, merchant_id, claimed_at)
     VALUES ($1::text::identifier_kind, $2, $3, $4, now())
     ON CONFLICT (kind, value) DO NOTHING`,
    [identifier.kind, identifier.value, productId, merchantId],
  );
}
