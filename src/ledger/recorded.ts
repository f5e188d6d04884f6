/** The ledger of a product as it was when an import had been recorded: entries are only added, so every earlier state can be restored. */
import { countEntry, type LedgerEntry, type OfferEntries } from './entry.ts';

/** The latest import that recorded an entry of the offers; -1 without entries. Expects offers from `readLedger`. */
export function latestImport(offers: readonly OfferEntries[]): bigint {
  let latest = -1n;
  for (const { entries, uncounted = [] } of offers) {
    for (const { importRunId = 0n } of entries) if (importRunId > latest) latest = importRunId;
    for (const { importRunId = 0n } of uncounted) if (importRunId > latest) latest = importRunId;
  }
  return latest;
}

/** The offers with the entries of imports up to and including `through` only. Offers that had no entries yet are left out. */
export function recordedThrough(offers: readonly OfferEntries[], through: bigint): OfferEntries[] {
  return offers.flatMap((offer) => {
    const all = offer.uncounted ? merged(offer.entries, offer.uncounted) : offer.entries;
    const entries: LedgerEntry[] = [];
    for (const entry of all) {
      if ((entry.importRunId ?? 0n) <= through) countEntry(entries, entry);
    }
    return entries.length > 0 ? [{ offerId: offer.offerId, merchantId: offer.merchantId, entries }] : [];
  });
}

/** All entries in the order of time; those of one time in the order of their imports. */
function merged(entries: readonly LedgerEntry[], uncounted: readonly LedgerEntry[]): LedgerEntry[] {
  // The sort is stable, and uncounted entries of one time are in the order of their imports already, before the one that counts.
  return [...uncounted, ...entries].sort((one, other) => one.at - other.at);
}
