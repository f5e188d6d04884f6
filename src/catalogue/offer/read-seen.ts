/** When a feed last listed an offer. Derived from what feeds record anyway, so that a feed that only confirms its offers rewrites none. */
import { batched } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import type { MerchantRow } from '../merchant/read-merchants.ts';
import type { ListedOffer } from './read-offers.ts';

// By the primary key of offer_seen.
const SIGHTINGS = `
  SELECT offer_id AS "offerId", seen_at AS "seenAt"
  FROM offer_seen
  WHERE offer_id = ANY ($1::bigint[])`;

/** When a delta feed last listed offers without a change, by their numbers. */
export const seenByOffer = (database: Queryable) =>
  batched<bigint, Date | undefined>(async (ids) => {
    const rows = await database.query<{ offerId: bigint; seenAt: Date }>(SIGHTINGS, [ids], {
      name: 'sightings',
      batchSize: ids.length,
    });
    const byOffer = new Map(rows.map(({ offerId, seenAt }) => [offerId, seenAt]));
    return ids.map((id) => byOffer.get(id));
  });

/**
 * When a feed last listed an offer that is listed now: its last change, the shop's newest full feed, which listed all its current offers, or
 * the newest delta feed with the offer.
 */
export function lastSeen(
  { updatedAt }: Pick<ListedOffer, 'updatedAt'>,
  { fullObservedAt }: Pick<MerchantRow, 'fullObservedAt'>,
  sighting: Date | undefined,
): Date {
  return [fullObservedAt, sighting].reduce<Date>((latest, seen) => (seen && seen > latest ? seen : latest), updatedAt);
}
