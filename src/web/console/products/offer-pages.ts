/** The offers that a product lists now, cheapest first, page by page. */
import type { Database } from '../../../database/database.ts';
import { prismaOf } from '../../../database/prisma-of.ts';
import { bigintIn, decodeCursor, encodeCursor } from '../../../values/cursor.ts';
import { invalidCursor } from '../next-page.tsx';

export type ShownOffer = Awaited<ReturnType<typeof readOffers>>['offers'][number];

/** By offer_listed_idx. @throws {Problem} `invalid_parameter` for a damaged cursor. */
export async function readOffers(
  database: Database,
  productId: bigint,
  { first, after }: { first: number; after?: string | undefined },
) {
  const list = `console offers ${productId}`;
  const place = after === undefined ? undefined : placeOf(list, after);
  const prisma = await prismaOf(database);
  const rows = await prisma.offer.findMany({
    where: {
      ...{ productId, withdrawnAt: null },
      ...(place && { OR: [{ total: { gt: place.total } }, { total: place.total, id: { gt: place.id } }] }),
    },
    include: { merchant: { select: { name: true } } },
    orderBy: [{ total: 'asc' }, { id: 'asc' }],
    take: first + 1,
  });
  const offers = rows.slice(0, first);
  const last = rows.length > first ? offers.at(-1) : undefined;
  return { offers, ...(last && { next: encodeCursor(list, [String(last.total), String(last.id)]) }) };
}

function placeOf(list: string, cursor: string): { total: bigint; id: bigint } {
  const [total, id] = (decodeCursor(list, cursor) ?? []).map(bigintIn);
  if (total === undefined || id === undefined) throw invalidCursor();
  return { total, id };
}
