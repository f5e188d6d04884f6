/** Changes as webhooks see them: which kinds of messages a row of the stream can cause, apart from any filter. Pure. */
import { readIdentifiers } from '../../catalogue/product/read-identifiers.ts';
import type { ProductState } from '../../ledger/changes/product-state.ts';
import type { ChangeRow } from '../../ledger/changes/read-changes.ts';
import type { WebhookKind } from '../kinds.ts';

/** A change from the point of view of one product. Amounts are in minor units; null without a listed offer. */
export interface WebhookEvent {
  /** What it can cause a message of. */
  kinds: readonly WebhookKind[];
  productId: bigint;
  /** The shop that caused it; null if an operator did. */
  merchantId: bigint | null;
  row: ChangeRow;
  /** The lowest prices of the product; absent from changes of a single offer. */
  lowest?: { before: bigint | null; after: bigint | null; ever: bigint | null };
  /** The code that is now known. */
  code?: string;
}

/** What is known of offers that came into the lists: those that had been there before. */
export type Returned = ReadonlySet<bigint>;

/** The events of rows, in their order. Products whose identifiers are now known come from {@link foundEvents}. */
export function eventsOf(rows: readonly ChangeRow[], returned: Returned): WebhookEvent[] {
  return rows
    .flatMap((row) => {
      if (row.kind === 'figures') return [figuresEvent(row)];
      return row.kind === 'offer' ? offerEvents(row, returned) : [];
    })
    .filter(({ kinds }) => kinds.length > 0);
}

function figuresEvent(row: ChangeRow): WebhookEvent {
  const { totalBefore: before, totalAfter: after, lowestEverBefore: everBefore, productId, merchantId } = row;
  const kinds: WebhookKind[] = [];
  if (before !== null && after !== null && before !== after) kinds.push('price_changed');
  const hasFallen = after !== null && (before === null || after < before);
  if (hasFallen) {
    kinds.push('price_below');
    if (everBefore !== null && after < everBefore) kinds.push('new_low');
    if (everBefore !== null && after === everBefore) kinds.push('low_equalled');
  }
  const ever = after !== null && (everBefore === null || after < everBefore) ? after : everBefore;
  return { kinds, productId, merchantId, row, lowest: { before, after, ever } };
}

function offerEvents(row: ChangeRow, returned: Returned): WebhookEvent[] {
  const { productId, oldProductId, merchantId, availabilityBefore, availabilityAfter } = row;
  // An offer that moved is gone from its old product. At the new one it is new.
  if (oldProductId !== null) return [{ kinds: ['offer_withdrawn'], productId: oldProductId, merchantId, row }];
  const isBack =
    availabilityAfter === 'in_stock' &&
    (availabilityBefore === null ? isReturned(row, returned) : availabilityBefore !== 'in_stock');
  const kinds: WebhookKind[] = isBack
    ? ['back_in_stock']
    : row.types.includes('offer_withdrawn')
      ? ['offer_withdrawn']
      : [];
  return [{ kinds, productId, merchantId, row }];
}

const isReturned = ({ offerId }: ChangeRow, returned: Returned) => offerId !== null && returned.has(offerId);

/** An offer that a row lists in stock: only its shop's past tells whether it is back. */
export interface ArrivedOffer {
  offerId: bigint;
  /** The time from which it is listed. */
  since: Date;
}

/** The offers that rows list in stock and that were not listed before. */
export const arrivedOffers = (rows: readonly ChangeRow[]): ArrivedOffer[] =>
  rows.flatMap(({ offerId, types, availabilityAfter, updatedAtAfter: since }) =>
    offerId !== null && since !== null && types.includes('offer_created') && availabilityAfter === 'in_stock'
      ? [{ offerId, since }]
      : [],
  );

/** The identifiers of a product after all rows, as in a product's state; empty if it has none. */
export interface KnownIdentifiers {
  productId: bigint;
  identifiers: string;
}

/**
 * The events of identifiers that rows of products added, and that no product had before the row's transaction. A code belongs to the row
 * that added it, however many rows of its product are looked at together.
 * @param rows in their order.
 */
export function foundEvents(rows: readonly ChangeRow[], known: readonly KnownIdentifiers[]): WebhookEvent[] {
  const changed = rows.filter(({ kind }) => kind === 'product');
  // An identifier may have moved from one product to another. The rows of a transaction have the same time.
  const hadBefore = new Set(changed.flatMap((row) => codesBefore(row).map((code) => placeOf(row, code))));
  const codesAfter = new Map(known.map(({ productId, identifiers }) => [productId, codesIn(identifiers)]));
  const events: WebhookEvent[] = [];
  for (const row of changed.toReversed()) {
    const { productId, merchantId } = row;
    for (const code of codesAfter.get(productId) ?? []) {
      if (!hadBefore.has(placeOf(row, code))) {
        events.push({ kinds: ['product_found'], productId, merchantId, row, code });
      }
    }
    codesAfter.set(productId, codesBefore(row));
  }
  return events.reverse();
}

const placeOf = ({ at }: ChangeRow, code: string): string => `${at.getTime()} ${code}`;

const codesBefore = ({ stateBefore }: ChangeRow): string[] =>
  codesIn(((stateBefore ?? {}) as Partial<ProductState>).identifiers ?? '');

const codesIn = (identifiers: string): string[] =>
  readIdentifiers(identifiers === '' ? null : identifiers).map(({ value }) => value);
