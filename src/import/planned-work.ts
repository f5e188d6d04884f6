/** The kinds of work that a planned feed needs, so that a feed of a few prices does not run the statements for everything else. */
import type { Queryable } from '../database/database.ts';

export interface PlannedWork {
  foundsProducts: boolean;
  /** Whether products learn identifiers. */
  addsIdentifiers: boolean;
  addsOffers: boolean;
  /** Whether rows state other identifiers, another group or another amount for their offers than before. */
  restatesOffers: boolean;
  /** Whether rows of known offers were checked, so that their digests may be new. */
  comparesOffers: boolean;
  /** The number of known offers that change. */
  changed: number;
  /** The number of offers that the feed withdraws. */
  withdrawn: number;
}

/** Reads the work that matching (match.ts) and planning (plan-writes.ts) have left in the tables of the transaction. */
export async function readPlannedWork(transaction: Queryable): Promise<PlannedWork> {
  const [work] = await transaction.query<PlannedWork>(PLANNED_WORK);
  if (!work) throw new Error('The statement returned no row.');
  return work;
}

const PLANNED_WORK = `
  SELECT EXISTS (SELECT FROM matched WHERE is_founder) AS "foundsProducts",
         EXISTS (SELECT FROM learned WHERE kind IN ('gtin', 'asin')) AS "addsIdentifiers",
         EXISTS (SELECT FROM matched WHERE offer_id IS NULL AND fault IS NULL) AS "addsOffers",
         EXISTS (SELECT FROM matched WHERE is_restated AND fault IS NULL) AS "restatesOffers",
         EXISTS (SELECT FROM matched WHERE offer_id IS NOT NULL AND NOT is_known AND fault IS NULL) AS "comparesOffers",
         (SELECT count(*)::int FROM differing) AS changed,
         (SELECT count(*)::int FROM gone) AS withdrawn`;
