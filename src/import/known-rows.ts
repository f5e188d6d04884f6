/**
 * Recognises rows that are as they were when they last wrote their offer (row-digest.ts), and whose outcome nothing else has changed. Such a
 * row is staged with its offer, its product and what it says under its MPN (mpn-claim.ts): it counts as the same and as seen, and is
 * neither checked nor matched nor written.
 *
 * A row is recognised before the import has the lock of writers. If the catalogue has changed by then, all recognised rows are looked at
 * again. If one is affected, the import starts anew without recognising rows: the values that it now needs were not kept.
 */
import { statSync } from 'node:fs';
import type { Queryable } from '../database/database.ts';
import type { StartedImport } from './import-request.ts';
import type { MpnClaim } from './mpn-claim.ts';
import type { PlacedFeed } from './placed-feed.ts';
import { soleValue } from './sole-value.ts';
import { arrayOf } from './staged-array.ts';
import type { Staging } from './staging.ts';

/** Rows were recognised whose outcome has changed since. */
export class RowsAffected extends Error {
  override name = 'RowsAffected';
}

/** A row that may be known. */
export interface Candidate {
  position: number;
  line: number;
  sku: string;
  digest: string;
  claim: MpnClaim | undefined;
}

export type KnownRows = Awaited<ReturnType<typeof openKnownRows>>;

interface Beginning {
  version: bigint;
  taxonomyVersion: bigint;
  merchantId: bigint | null;
  isBackfill: boolean;
}

/** @param isRecognising false to treat every row as new; also new shops, feeds of the past, and feeds that can be read only once do. */
export async function openKnownRows(database: Queryable, request: StartedImport, isRecognising: boolean) {
  const parameters = [request.merchant, request.observedAt];
  const [begun] = await database.query<Beginning>(BEGIN, parameters, { isCurrent: true });
  if (!begun) throw new Error('The catalogue has no version.');
  const { version, taxonomyVersion, merchantId, isBackfill } = begun;
  const isLookedUp = isRecognising && merchantId !== null && !isBackfill && canBeReadAgain(request.feed);
  let count = 0;

  return {
    taxonomyVersion,
    /** Whether rows were recognised. */
    get areSome() {
      return count > 0;
    },
    /** Stages the rows that are known, and returns their positions. */
    async stage({ table }: Staging, rows: readonly Candidate[]): Promise<ReadonlySet<number>> {
      if (!isLookedUp || rows.length === 0) return NONE;
      const found = await database.query<{ position: number }>(stageKnown(table), [
        merchantId,
        request.observedAt,
        arrayOf(rows, ({ position }) => position),
        arrayOf(rows, ({ line }) => line),
        arrayOf(rows, ({ sku }) => sku),
        arrayOf(rows, ({ digest }) => digest),
        arrayOf(rows, ({ claim }) => claim?.brandMpn),
        arrayOf(rows, ({ claim }) => claim?.looks),
      ]);
      count += found.length;
      return new Set(found.map(({ position }) => position));
    },
    /** Checks under the lock of writers that all recognised rows are as they were. @throws {RowsAffected} if they are not. */
    async confirm(feed: PlacedFeed): Promise<void> {
      if (count === 0) return;
      if (feed.nextFullAt !== null) throw new RowsAffected();
      const now = await soleValue<bigint>(feed.transaction, 'SELECT version FROM catalogue_version WHERE id = 1');
      if (now !== version) await confirmKnownRows(feed);
    },
  };
}

const NONE: ReadonlySet<number> = new Set();

/** Looks at all recognised rows of the feed again. @throws {RowsAffected} if one is no longer as it was. */
export async function confirmKnownRows({ transaction, table, merchantId, observedAt }: PlacedFeed): Promise<void> {
  const areAll = await soleValue<boolean>(transaction, areAllUnaffected(table), [merchantId, observedAt]);
  if (!areAll) throw new RowsAffected();
}

/** Standard input and pipes cannot. */
function canBeReadAgain(feed: StartedImport['feed']): boolean {
  if (typeof feed !== 'string') return true;
  return /^https?:\/\//i.test(feed) || statSync(feed, { throwIfNoEntry: false })?.isFile() === true;
}

// By the index on import_run (merchant_id, mode, observed_at).
const BEGIN = `
  SELECT version, taxonomy_version AS "taxonomyVersion", merchant.id AS "merchantId",
         EXISTS (
           SELECT
           FROM import_run
           WHERE merchant_id = merchant.id AND mode = 'full' AND observed_at > $2::timestamptz
         ) AS "isBackfill"
  FROM catalogue_version
  LEFT JOIN merchant ON merchant.name = $1::text
  WHERE catalogue_version.id = 1`;

const hasIdentifier = (kind: 'gtin' | 'asin') => `(
      offer.${kind} IS NULL
      OR (
        EXISTS (
          SELECT
          FROM product_identifier AS identifier
          WHERE identifier.kind = '${kind}' AND identifier.value = offer.${kind} AND identifier.product_id = offer.product_id
        )
        AND NOT EXISTS (
          SELECT FROM identifier_detachment AS detached WHERE detached.kind = '${kind}' AND detached.value = offer.${kind}
        )
        AND NOT EXISTS (
          SELECT FROM identifier_dispute AS own WHERE own.merchant_id = $1::bigint AND own.${kind} = offer.${kind}
        )
      )
    )`;

// What may change the outcome of a row that its offer's digest has: the offer was withdrawn, or is newer than the feed; an identifier moved,
// is detached or is disputed by the shop; or another product now has the brand and MPN by which a row without identifiers is matched.
// Whatever changes an offer otherwise clears its digest (by a trigger), and a field that a product once had stays. By the unique indices on
// product_identifier (kind, value) and the index on product (brand_id, mpn_key).
const IS_UNAFFECTED = `
    offer.withdrawn_at IS NULL
    AND offer.title IS NOT NULL
    AND offer.updated_at <= $2::timestamptz
    AND ${hasIdentifier('gtin')}
    AND ${hasIdentifier('asin')}
    AND (
      offer.gtin IS NOT NULL
      OR offer.asin IS NOT NULL
      OR NOT EXISTS (
        SELECT
        FROM product AS own
        JOIN product AS older ON older.brand_id = own.brand_id AND older.mpn_key = own.mpn_key AND older.id < own.id
        WHERE own.id = offer.product_id
      )
    )`;

// By the unique index on offer (merchant_id, sku).
const stageKnown = (table: string) => `
  INSERT INTO ${table} (position, line, sku, row_digest, brand_mpn, looks, price, known_offer, known_product)
  SELECT given.position, given.line, given.sku, given.digest, given.brand_mpn, given.looks, offer.price, offer.id, offer.product_id
  FROM unnest($3::int[], $4::int[], $5::text[], $6::uuid[], $7::text[], $8::text[])
         AS given (position, line, sku, digest, brand_mpn, looks)
  JOIN offer ON offer.merchant_id = $1::bigint AND offer.sku = given.sku AND offer.row_digest = given.digest
  WHERE ${IS_UNAFFECTED}
  RETURNING position`;

const areAllUnaffected = (table: string) => `
  SELECT count(*) = (SELECT count(*) FROM ${table} WHERE known_offer IS NOT NULL) AS are_all
  FROM ${table} AS known
  JOIN offer ON offer.id = known.known_offer
            AND offer.merchant_id = $1::bigint
            AND offer.product_id = known.known_product
            AND offer.row_digest = known.row_digest
  WHERE ${IS_UNAFFECTED}`;
