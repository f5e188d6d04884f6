/** Brings exports up to date with the changes that follow them. */

import type { Market } from '../../src/catalogue/market.ts';
import type { OfferLine } from '../../src/catalogue/offer/offer-line.ts';
import { offerLine } from '../../src/catalogue/offer/offer-line.ts';
import { productLine } from '../../src/catalogue/product/product-line.ts';
import { present } from '../../src/database/batch.ts';
import type { Database } from '../../src/database/database.ts';
import { decodeChangesCursor } from '../../src/ledger/changes/changes-cursor.ts';
import { PRODUCT_STATE, type ProductState } from '../../src/ledger/changes/product-state.ts';
import { type ChangeRow, readRows } from '../../src/ledger/changes/read-changes.ts';
import type { Line } from './exports.ts';

/** A client's copy of the catalogue: the lines of both exports by id. */
export interface Copy {
  offers: Map<string, Line>;
  products: Map<string, Line>;
}

/** A change as it is applied to a copy. */
interface Applied {
  kind: keyof Copy;
  id: string;
  /** The line after the change; null if it is not listed any more. */
  after: Line | null;
}

export const copyOf = (lines: readonly Line[]) => new Map<string, Line>(lines.map((line) => [line.id, line]));

/** Applies all changes after a cursor. */
export async function replay(copy: Map<string, Line>, kind: keyof Copy, cursor: string, source: ChangeSource) {
  for await (const change of source(cursor)) {
    if (change.kind !== kind) continue;
    if (change.after) copy.set(change.id, change.after);
    else copy.delete(change.id);
  }
}

/** Reads all changes after a cursor, up to now. */
export type ChangeSource = (cursor: string) => AsyncIterable<Applied>;

const PAGE = 500;

/** Reads changes from the stream in the database, rendered as in exports. */
export const fromDatabase = (database: Database, market: Market): ChangeSource =>
  async function* (cursor) {
    let after = decodeChangesCursor(cursor) ?? -1n;
    for (;;) {
      const rows = await readRows(database, after, ['offer', 'product'], PAGE);
      for (const row of rows) yield await applied(database, market, row);
      if (rows.length < PAGE) return;
      after = present(rows.at(-1)).seq;
    }
  };

async function applied(database: Database, market: Market, row: ChangeRow): Promise<Applied> {
  const { productId, offerId } = row;
  if (offerId !== null) {
    const line = await offerAfter(database, market, row, offerId);
    return { kind: 'offers', id: line.id, after: row.totalAfter === null ? null : line };
  }
  const state = await stateAfter(database, row);
  const line = productLine(productId, state, market);
  return { kind: 'products', id: line.id, after: line };
}

async function offerAfter(database: Database, market: Market, row: ChangeRow, id: bigint): Promise<OfferLine> {
  const [merchant] = await database.query<{ id: bigint; slug: string; name: string }>(
    'SELECT id, slug, name FROM merchant WHERE id = $1::bigint',
    [row.merchantId],
  );
  return offerLine(
    {
      id,
      productId: row.productId,
      price: row.priceAfter ?? 0n,
      shipping: row.shippingAfter,
      total: row.totalAfter ?? 0n,
      availability: row.availabilityAfter ?? 'in_stock',
      condition: row.conditionAfter ?? 'new',
      updatedAt: row.updatedAtAfter ?? new Date(0),
    },
    present(merchant),
    market,
  );
}

/** What the product was after a change: in its next row, or in its tables. */
async function stateAfter(database: Database, { seq, productId }: ChangeRow): Promise<ProductState> {
  const [next] = await database.query<{ state: ProductState }>(
    `SELECT state_before AS state FROM change WHERE product_id = $1::bigint AND kind = 'product' AND seq > $2::bigint ORDER BY seq LIMIT 1`,
    [productId, seq],
  );
  if (next) return next.state;
  const [now] = await database.query<{ state: ProductState }>(
    `SELECT ${PRODUCT_STATE} AS state FROM product WHERE id = $1::bigint`,
    [productId],
  );
  return present(now).state;
}
