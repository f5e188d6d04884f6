/** The offers that a product lists now, cheapest first, those with unknown shipping after the others, page by page. */
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
  const read = (isUnknown: bigint) =>
    prisma.offer.findMany({
      where: {
        ...{ productId, withdrawnAt: null, shipping: isUnknown ? null : { not: null } },
        ...(place?.isUnknown === isUnknown && {
          OR: [{ total: { gt: place.total } }, { total: place.total, id: { gt: place.id } }],
        }),
      },
      include: { merchant: { select: { name: true } } },
      orderBy: [{ total: 'asc' }, { id: 'asc' }],
      take: first + 1,
    });
  const known = place?.isUnknown ? [] : await read(0n);
  const rows = known.length > first ? known : [...known, ...(await read(1n))];
  const offers = rows.slice(0, first);
  const last = rows.length > first ? offers.at(-1) : undefined;
  const keyOf = ({ shipping, total, id }: (typeof offers)[number]) =>
    [Number(shipping === null), total, id].map(String);
  return { offers, ...(last && { next: encodeCursor(list, keyOf(last)) }) };
}

function placeOf(list: string, cursor: string) {
  const [isUnknown, total, id] = (decodeCursor(list, cursor) ?? []).map(bigintIn);
  if (isUnknown === undefined || total === undefined || id === undefined) throw invalidCursor();
  return { isUnknown, total, id };
}
