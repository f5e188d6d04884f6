/** Reads the raw entries of a product's ledger, page by page, by its primary key from its end. */
import type { Database } from '../../../database/database.ts';
import { prismaOf } from '../../../database/prisma-of.ts';
import { bigintIn, decodeCursor, encodeCursor, momentIn } from '../../../values/cursor.ts';
import { invalidCursor } from '../next-page.tsx';

export type LedgerRow = Awaited<ReturnType<typeof readEntries>>['entries'][number];

/** The entries of a page. */
const PAGE = 100;

interface Which {
  productId: bigint;
  /** Only those of this offer. */
  offerId: bigint | undefined;
}

/** @throws {Problem} `invalid_parameter` for a damaged cursor. */
export async function readEntries(database: Database, { productId, offerId }: Which, after: string | undefined) {
  const list = `console ledger ${productId} ${offerId ?? ''}`;
  const place = after === undefined ? undefined : placeOf(list, after);
  const prisma = await prismaOf(database);
  const rows = await prisma.ledgerEntry.findMany({
    where: {
      productId,
      ...(offerId !== undefined && { offerId }),
      ...(place && {
        AND: [
          // The index starts here; the rest skips entries of one offer.
          { offerId: { lte: place.offerId } },
          {
            OR: [
              { offerId: { lt: place.offerId } },
              { observedAt: { lt: place.observedAt } },
              { observedAt: place.observedAt, importRunId: { lt: place.importRunId } },
            ],
          },
        ],
      }),
    },
    orderBy: [{ offerId: 'desc' }, { observedAt: 'desc' }, { importRunId: 'desc' }],
    take: PAGE + 1,
  });
  const shown = rows.slice(0, PAGE);
  const ids = [...new Set(shown.map((row) => row.offerId))];
  const offers = await prisma.offer.findMany({
    where: { id: { in: ids } },
    select: { id: true, merchant: { select: { name: true } } },
  });
  const shops = new Map(offers.map(({ id, merchant }) => [id, merchant.name]));
  const last = rows.length > PAGE ? shown.at(-1) : undefined;
  const next = last && [String(last.offerId), last.observedAt.getTime(), String(last.importRunId)];
  return {
    entries: shown.map((row) => ({ ...row, merchant: shops.get(row.offerId) })),
    ...(next && { next: encodeCursor(list, next) }),
  };
}

function placeOf(list: string, cursor: string) {
  const place = decodeCursor(list, cursor) ?? [];
  const [offerId, observedAt, importRunId] = [bigintIn(place[0]), momentIn(place[1]), bigintIn(place[2])];
  if (offerId === undefined || !observedAt || importRunId === undefined) throw invalidCursor();
  return { offerId, observedAt, importRunId };
}
