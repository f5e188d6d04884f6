/** Places a feed in the history of its merchant. */
import type { Queryable } from '../database/database.ts';
import { slugOf } from '../values/slug.ts';
import { foldName } from '../values/words.ts';
import type { ImportRequest } from './import-request.ts';
import { soleValue } from './sole-value.ts';
import type { Staging } from './staging.ts';

/** A staged feed, and the transaction that writes it. */
export interface PlacedFeed extends Pick<Staging, 'table' | 'productFields'> {
  transaction: Queryable;
  /** Whether some rows are known (known-rows.ts). */
  hasKnownRows: boolean;
  /** Whether offers that the feed does not list are withdrawn. */
  isFull: boolean;
  merchantId: bigint;
  /** The time of the feed's prices. */
  observedAt: Date;
  /** The merchant's next full feed after that moment, if it is known already. */
  nextFullAt: Date | null;
}

/** Finds the feed's place; adds the merchant if it is new. */
export async function placeFeed(
  transaction: Queryable,
  { table, productFields }: Staging,
  request: ImportRequest,
  hasKnownRows: boolean,
): Promise<PlacedFeed> {
  const { merchant, merchantUrl = null, observedAt } = request;
  const [known] = await transaction.query<{ id: bigint }>(
    'UPDATE merchant SET url = COALESCE($2::text, url) WHERE name = $1::text RETURNING id',
    [merchant, merchantUrl],
  );
  const merchantId = known?.id ?? (await addMerchant(transaction, request));
  // By the index on import_run (merchant_id, mode, observed_at).
  const nextFullAt = await soleValue<Date | null>(
    transaction,
    `SELECT min(observed_at) AS observed_at
     FROM import_run
     WHERE merchant_id = $1 AND mode = 'full' AND observed_at > $2::timestamptz`,
    [merchantId, observedAt],
  );
  const isFull = request.mode === 'full';
  return { transaction, table, productFields, hasKnownRows, isFull, merchantId, observedAt, nextFullAt };
}

async function addMerchant(transaction: Queryable, { merchant, merchantUrl }: ImportRequest): Promise<bigint> {
  const slug = slugOf(merchant, 'merchant');
  return soleValue(
    transaction,
    `INSERT INTO merchant (slug, name, url, sort_name)
     SELECT CASE
              WHEN EXISTS (SELECT FROM merchant WHERE slug = $1::text) THEN $1::text || '--' || nextval('merchant_id_seq')
              ELSE $1::text
            END,
            $2::text, $3::text, $4::text
     RETURNING id`,
    [slug, merchant, merchantUrl ?? null, foldName(merchant)],
  );
}
