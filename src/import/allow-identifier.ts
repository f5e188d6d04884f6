/** Takes back what operators have detached. */
import { recordAudit } from '../access/audit.ts';
import type { Database } from '../database/database.ts';
import { requireShop } from './detachment.ts';
import { type IdentifierName, IdentifierNotFound, inWords, shown } from './identifier-name.ts';
import { lockForWriting } from './write-lock.ts';

/**
 * Forgets the detachments of an identifier, so that the next imports decide again where it belongs. Moves nothing.
 *
 * @param merchant the shop whose claim counts again; without it, all detachments are forgotten.
 * @returns how many detachments were forgotten.
 * @throws {IdentifierNotFound} when nothing was detached.
 */
export async function allowIdentifier(
  database: Database,
  identifier: IdentifierName,
  merchant: string | undefined,
): Promise<number> {
  return database.transaction(async (transaction) => {
    await lockForWriting(transaction);
    const shop = merchant === undefined ? undefined : await requireShop(transaction, merchant);
    const rows = await transaction.query(
      `DELETE FROM identifier_detachment
       WHERE kind::text = $1 AND value = $2 AND ($3::bigint IS NULL OR merchant_id = $3::bigint)
       RETURNING id`,
      [identifier.kind, identifier.value, shop?.id ?? null],
    );
    if (rows.length === 0) {
      throw new IdentifierNotFound(
        `Nothing is detached of ${inWords(identifier)}${shop ? ` for ${shop.name}` : ''}: imports already decide where it belongs.`,
      );
    }
    await recordAudit(transaction, {
      action: 'identifier.allow',
      after: { [identifier.kind]: shown(identifier), ...(shop && { merchant: shop.name }), forgotten: rows.length },
    });
    return rows.length;
  });
}
