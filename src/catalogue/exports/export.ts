/** Exports of the catalogue: all products, offers or entries of the price history that a filter selects, in the order of their ids. */
import type { Queryable } from '../../database/database.ts';
import type { Availability } from '../../generated/prisma/client.ts';
import type { Context } from '../builder.ts';
import type { ShippingFilter } from '../offer/offer.ts';
import type { OfferLine } from '../offer/offer-line.ts';
import { findFiltered } from '../product/product-filter.ts';
import type { ProductLine } from '../product/product-line.ts';
import { HISTORY } from './history.ts';
import type { HistoryLine } from './history-line.ts';
import { OFFERS } from './offers.ts';
import { PRODUCTS } from './products.ts';
import type { Source } from './source.ts';
import { type Place, type Walk, walk } from './walk.ts';

/** What can be exported, by name. */
export const EXPORTS = { products: PRODUCTS, offers: OFFERS, history: HISTORY } as const;

export type ExportKind = keyof typeof EXPORTS;
export const EXPORT_KINDS = Object.keys(EXPORTS) as [ExportKind, ...ExportKind[]];

/** A line of an export. */
export type ExportLine = ProductLine | OfferLine | HistoryLine;

/** Selects the lines of an export. All conditions must match. An unknown category, brand or merchant matches nothing. */
export interface ExportFilter {
  /** The slug or id of a category, including all below it; `brand` and `merchant` likewise. */
  category?: string | undefined;
  brand?: string | undefined;
  merchant?: string | undefined;
  minPrice?: number | undefined;
  maxPrice?: number | undefined;
  availability?: Availability | undefined;
  /** The first and the last day of the history. */
  from?: string | undefined;
  to?: string | undefined;
  /** Leaves out offers with unknown shipping. */
  shipping?: ShippingFilter | undefined;
}

/** What an export reads from. */
export type ExportContext = Pick<Context, 'loaders' | 'market'> & {
  catalogue: Queryable;
  /** Whether others need the processor right now: pages are small then. */
  isBusy?: () => boolean;
};

/** Some lines of an export, which are rendered when they are needed. */
export interface ExportPage {
  length: number;
  lineAt(index: number): ExportLine;
}

/** The place of the line with an id; `undefined` if the text is not the id of a line of this kind. */
export const placeOfId = (kind: ExportKind, id: string): Place | undefined => EXPORTS[kind].decode(id);

/**
 * Opens an export. Rows that are added while it is read may be missing, and changes may be included: both follow in the stream of changes.
 * @param after the place of the last line that the client has.
 * @param gone aborted when the client leaves: then no further page is read, and the export ends as if it were complete.
 * @throws {Problem} `invalid_parameter` for an invalid price, or days in the wrong order.
 */
export async function openExport(
  kind: ExportKind,
  filter: ExportFilter,
  context: ExportContext,
  after?: Place,
  gone?: AbortSignal,
): Promise<AsyncIterable<ExportPage>> {
  const source: Source<unknown, ExportLine> = EXPORTS[kind];
  const filtered = await findFiltered(filter, context);
  if (!filtered) return pagesOf([]);
  const { from, to, shipping } = filter;
  const walking = source.walk(context.catalogue, { ...filtered, from, to, shipping });
  return readPages(source, walking, context, after, gone);
}

async function* readPages(
  source: Source<unknown, ExportLine>,
  walking: Walk<unknown>,
  { catalogue, market, isBusy }: ExportContext,
  after: Place | undefined,
  gone: AbortSignal | undefined,
): AsyncGenerator<ExportPage, void, undefined> {
  const last = await source.readLast(catalogue);
  for await (const rows of walk(walking, after ?? source.endOf(0n), last, { gone, isBusy })) {
    yield { length: rows.length, lineAt: (index) => source.lineOf(rows[index], market) };
  }
}

async function* pagesOf(pages: readonly ExportPage[]): AsyncGenerator<ExportPage, void, undefined> {
  yield* pages;
}
