/**
 * Writes matched rows as products, offers and history, in the importer's transaction: readers see the shop as it was and then as the
 * feed has it, and nothing in between.
 *
 * A feed speaks of one moment, `observedAt`. If nothing newer is known of an offer, the feed changes the offer. If something newer is
 * known (the feed is a backfill from an archive), the feed only adds to the offer's history: its price holds from that moment until
 * the next moment at which the shop was seen whole, and from then on the earlier price holds again.
 */
import type { Queryable } from '../database/database.ts';
import { refreshFigures } from './figures.ts';
import type { Moment } from './moment.ts';
import { writeSearchWords } from './search-words.ts';
import type { Staging } from './staging.ts';
import { writeHistory } from './write-history.ts';
import { writeOffers } from './write-offers.ts';
import { writeProducts } from './write-products.ts';

/** How many offers a feed touches. */
export interface Effect {
  new: number;
  changed: number;
  withdrawn: number;
}

/** Writes what `plan-writes.ts` has planned. */
export async function writeFeed(transaction: Queryable, staging: Staging, moment: Moment): Promise<Effect> {
  await writeProducts(transaction, staging, moment);
  await writeSearchWords(transaction, staging);
  const added = await writeOffers(transaction, staging, moment);
  await writeHistory(transaction, staging, moment);
  await refreshFigures(transaction, staging.table, moment);
  const [counts] = await transaction.query<{ changed: number; withdrawn: number }>(
    'SELECT (SELECT count(*)::int FROM differing) AS changed, (SELECT count(*)::int FROM gone) AS withdrawn',
  );
  return { new: added, changed: counts?.changed ?? 0, withdrawn: counts?.withdrawn ?? 0 };
}
