/** The ledger of a product as it was when an import had been recorded: entries are only added, so every earlier state can be restored. */
import type { LedgerEntry, OfferEntries } from './entry.ts';

/** The latest import that recorded an entry of the offers; -1 without entries. Expects offers from `readLedger`. */
export function latestImport(offers: readonly OfferEntries[]): bigint {
  let latest = -1n;
  for (const { entries, replaced = [] } of offers) {
    for (const { importRunId = 0n } of entries) if (importRunId > latest) latest = importRunId;
    for (const { importRunId = 0n } of replaced) if (importRunId > latest) latest = importRunId;
  }
  return latest;
}

/** The offers with the entries of imports up to and including `through` only. Offers that had no entries yet are left out. */
export function recordedThrough(offers: readonly OfferEntries[], through: bigint): OfferEntries[] {
  return offers.flatMap((offer) => {
    const all = offer.replaced ? merged(offer.entries, offer.replaced) : offer.entries;
    const entries: LedgerEntry[] = [];
    for (const entry of all) {
      if ((entry.importRunId ?? 0n) > through) continue;
      if (entries.at(-1)?.at === entry.at) entries.pop();
      entries.push(entry);
    }
    return entries.length > 0 ? [{ offerId: offer.offerId, merchantId: offer.merchantId, entries }] : [];
  });
}

/** All entries in the order of time; those of one time in the order of their imports. */
function merged(entries: readonly LedgerEntry[], replaced: readonly LedgerEntry[]): LedgerEntry[] {
  // The sort is stable, and replaced entries of one time are in the order of their imports already, before the one that counts.
  return [...replaced, ...entries].sort((one, other) => one.at - other.at);
}
