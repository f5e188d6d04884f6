/**
 * Which product each row of a feed is about: by GTIN, else ASIN, else brand + MPN, else the shop's own id from an
 * earlier import; otherwise it founds one (decisions §7). Set-based: a few statements serve all rows, and their outcome is in the
 * table `matched` of the transaction, with `fault` set for rejected rows.
 *
 * Brand + MPN and the shop's own id are loose keys: shops write one MPN on a whole family of goods. A row with a GTIN of
 * its own is therefore never matched by them to a product that has another (one GTIN is one trade item: GS1 General
 * Specifications §4.2); to a product that has none, it brings its own.
 */
import type { Queryable } from '../database/database.ts';
import { addBrands } from './add-brands.ts';
import { CREATE_BARRED } from './barred.ts';
import { forgetDisputes, recordDisputes } from './disputes.ts';
import { trimLearned } from './identifier-limit.ts';
import { CREATE_MATCHED, matchToCatalogue } from './match-catalogue.ts';
import { matchInRounds } from './match-rounds.ts';
import type { Moment } from './moment.ts';
import { CREATE_MOVED } from './move-offers.ts';
import { settleDisputes } from './settle-disputes.ts';
import type { Staging } from './staging.ts';

/**
 * Fills `matched` and adds new brands. Rows that contradict the catalogue's identifiers are recorded as disputes, and an identifier
 * that enough shops dispute is moved first.
 *
 * @returns how many identifiers were moved.
 */
export async function matchProducts(
  transaction: Queryable,
  staging: Staging,
  moment: Moment,
  isFull: boolean,
): Promise<number> {
  await addBrands(transaction, staging);
  await transaction.script(`${CREATE_MATCHED}; ${CREATE_BARRED}; ${CREATE_MOVED}`);
  let moved = 0;
  let isBarred = await matchToCatalogue(transaction, staging.table, moment);
  // A feed of the past does not say what its shop claims now.
  if (moment.nextFullAt === undefined) {
    await recordDisputes(transaction, moment, isFull);
    moved = await settleDisputes(transaction, moment);
    if (moved > 0) {
      await transaction.script('TRUNCATE matched');
      isBarred = await matchToCatalogue(transaction, staging.table, moment);
      await forgetDisputes(transaction, moment, isFull);
    }
  }
  await matchInRounds(transaction, isBarred);
  await trimLearned(transaction, moment.merchantId);
  await transaction.query(REJECT_CONFLICTS);
  return moved;
}

const REJECT_CONFLICTS = `
  UPDATE matched
  SET fault = 'identifier_conflict'
  FROM learned
  WHERE matched.fault IS NULL
    AND NOT matched.is_founder
    AND learned.product_id <> matched.product_id
    AND (learned.kind, learned.value) IN (('gtin', matched.gtin), ('asin', matched.asin))`;
