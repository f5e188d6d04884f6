/**
 * Writes matched rows as products, offers and entries of the ledger, in the importer's transaction.
 *
 * A feed speaks of one moment, `observedAt`. If nothing newer is known of an offer, the feed changes the offer. If something newer is
 * known (the feed is a backfill from an archive), the feed only adds to the ledger: its facts hold from that moment until
 * the next moment at which the shop was seen whole, and from then on the earlier facts hold again.
 */
import { refreshFigures } from './figures.ts';
import type { NumberedFeed } from './import-run.ts';
import { readPlannedWork } from './planned-work.ts';
import { writeSearchWords } from './search-words.ts';
import { writeLedger } from './write-ledger.ts';
import { writeOffers } from './write-offers.ts';
import { writeProducts } from './write-products.ts';

/** Writes what `plan-writes.ts` has planned. @returns how many offers it touched. */
export async function writeFeed(feed: NumberedFeed) {
  const work = await readPlannedWork(feed.transaction);
  const isFilled = await writeProducts(feed, work);
  const addsFields = work.foundsProducts || isFilled;
  if (addsFields) await writeSearchWords(feed);
  const added = await writeOffers(feed, work);
  await writeLedger(feed);
  await refreshFigures(feed, addsFields);
  return { added, changed: work.changed, withdrawn: work.withdrawn };
}
