/** Lists the shops with offers, those first that were seen longest ago. */
import type { Database } from '../database/database.ts';
import { prismaOf } from '../database/prisma-of.ts';
import { encodeId } from '../values/id.ts';

/** A shop with its scheduled feeds. */
export interface Shop {
  id: string;
  name: string;
  offers: number;
  observedAt: Date;
  /** At most {@link MOST_FEEDS_SHOWN}, by id. */
  feeds: readonly string[];
}

/** The place of a shop in the list. */
export interface ShopPlace {
  observedAt: Date;
  id: bigint;
}

/** The most feeds that are listed with a shop. */
const MOST_FEEDS_SHOWN = 5;

/** A page of the list. @returns `next` if there are more: the `after` of the next page. */
export async function readShops(
  database: Database,
  { first, after }: { first: number; after?: ShopPlace | undefined },
): Promise<{ shops: Shop[]; next?: ShopPlace }> {
  const prisma = await prismaOf(database);
  const rows = await prisma.merchant.findMany({
    where: {
      offerCount: { gt: 0 },
      observedAt: { not: null },
      ...(after && {
        OR: [{ observedAt: { gt: after.observedAt } }, { observedAt: after.observedAt, id: { gt: after.id } }],
      }),
    },
    select: {
      id: true,
      name: true,
      offerCount: true,
      observedAt: true,
      feeds: { select: { id: true }, orderBy: { id: 'asc' }, take: MOST_FEEDS_SHOWN },
    },
    orderBy: [{ observedAt: 'asc' }, { id: 'asc' }],
    take: first + 1,
  });
  const shown = rows.slice(0, first);
  const last = rows.length > first ? shown.at(-1) : undefined;
  return {
    shops: shown.map(({ id, name, offerCount, observedAt, feeds }) => ({
      id: encodeId('merchant', id),
      name,
      offers: offerCount,
      observedAt: observedAt as Date,
      feeds: feeds.map((feed) => encodeId('feed', feed.id)),
    })),
    ...(last && { next: { observedAt: last.observedAt as Date, id: last.id } }),
  };
}
