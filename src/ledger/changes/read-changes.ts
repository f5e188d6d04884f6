/** Reads the stream of changes (`change`), which imports write in the order of their commits. */
import { columnsOf } from '../../database/columns.ts';
import type { Queryable } from '../../database/database.ts';
import type { ChangeKind, Prisma } from '../../generated/prisma/client.ts';

/** Declared once: the row type and the statements derive from it. */
const CHANGE = {
  seq: true,
  kind: true,
  at: true,
  observedAt: true,
  productId: true,
  oldProductId: true,
  offerId: true,
  merchantId: true,
  priceBefore: true,
  priceAfter: true,
  shippingBefore: true,
  shippingAfter: true,
  totalBefore: true,
  totalAfter: true,
  availabilityBefore: true,
  availabilityAfter: true,
  conditionBefore: true,
  conditionAfter: true,
  updatedAtBefore: true,
  updatedAtAfter: true,
  lowestEverBefore: true,
  stateBefore: true,
} as const satisfies Prisma.ChangeSelect;

/** A row of the stream. Amounts are in minor units. */
export type ChangeRow = Prisma.ChangeGetPayload<{ select: typeof CHANGE & { types: true } }>;

/** The columns of {@link ChangeRow}, for statements. */
// The types as text, because PostgreSQL's driver has no parser for arrays of an enum.
export const CHANGE_COLUMNS = `${columnsOf('Change', CHANGE)}, change.types::text[] AS types`;

/** What the stream holds: the rows with `forgotten < seq <= head`. Numbers have no gaps. */
export interface StreamExtent {
  /** The number of the last row. */
  head: bigint;
  /** The number of the last row that was deleted, 0 if none was: readers that are behind it have missed changes. */
  forgotten: bigint;
}

/** SQL for a {@link StreamExtent}, at one moment. */
export const EXTENT = `
  SELECT change_seq AS head, COALESCE((SELECT min(seq) FROM change) - 1, change_seq) AS forgotten
  FROM catalogue_version`;

/** The rows that the stream holds now, from the primary. */
export async function readExtent(database: Queryable): Promise<StreamExtent> {
  const [row] = await database.query<StreamExtent>(EXTENT, [], { name: 'change_extent', isCurrent: true });
  return row ?? { head: 0n, forgotten: 0n };
}

const ROWS = `
  SELECT ${CHANGE_COLUMNS}
  FROM change
  WHERE seq > $1::bigint AND kind = ANY ($2::text[]::change_kind[])
  ORDER BY seq
  LIMIT $3::int`;

/** The first rows of some kinds after a position, in the order of commits. */
export async function readRows(
  database: Queryable,
  after: bigint,
  kinds: readonly ChangeKind[],
  limit: number,
): Promise<ChangeRow[]> {
  return database.query<ChangeRow>(ROWS, [after, kinds, limit], { name: 'changes', isCurrent: true });
}

const HEAD = 'SELECT change_seq AS head FROM catalogue_version';

/** The number of the last row, from the primary. */
export async function readHead(database: Queryable): Promise<bigint> {
  const [row] = await database.query<{ head: bigint }>(HEAD, [], { name: 'change_head', isCurrent: true });
  return row?.head ?? 0n;
}
