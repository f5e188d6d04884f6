/** The columns of exports as tables. Members of members become columns of their own, such as `merchant_slug`. */
import type { ExportKind, ExportLine } from '../../catalogue/exports/export.ts';
import type { HistoryLine } from '../../catalogue/exports/history-line.ts';
import type { OfferLine } from '../../catalogue/offer/offer-line.ts';
import type { ProductLine } from '../../catalogue/product/product-line.ts';

/** The type of a column: `amount` in the currency's own decimals, `time` in RFC 3339, `json` for the attributes of a product. */
export type ColumnType = 'text' | 'amount' | 'time' | 'boolean' | 'json';

export interface Column<Line = ExportLine> {
  name: string;
  type: ColumnType;
  /** The value in a line; `undefined` if it is unknown. */
  of(line: Line): unknown;
}

const column = <Line>(name: string, type: ColumnType, of: (line: Line) => unknown): Column<Line> => ({
  name,
  type,
  of,
});

const PRODUCT: readonly Column<ProductLine>[] = [
  column('id', 'text', ({ id }) => id),
  column('slug', 'text', ({ slug }) => slug),
  column('name', 'text', ({ name }) => name),
  column('brand', 'text', ({ brand }) => brand),
  column('category_id', 'text', ({ category }) => category?.id),
  column('category_slug', 'text', ({ category }) => category?.slug),
  column('category_name', 'text', ({ category }) => category?.name),
  column('ean', 'text', ({ identifier }) => identifier.ean),
  column('asin', 'text', ({ identifier }) => identifier.asin),
  column('mpn', 'text', ({ identifier }) => identifier.mpn),
  column('eans', 'text', ({ identifiers }) => identifiers.ean.join(' ') || undefined),
  column('asins', 'text', ({ identifiers }) => identifiers.asin.join(' ') || undefined),
  column('description', 'text', ({ description }) => description),
  column('attributes', 'json', ({ attributes }) =>
    attributes ? Object.fromEntries(attributes.map(({ name, value }) => [name, value])) : undefined,
  ),
  column('image', 'text', ({ image }) => image),
  column('url', 'text', ({ url }) => url),
  column('created_at', 'time', ({ createdAt }) => createdAt),
];

const merchant = [
  column('merchant_id', 'text', ({ merchant: { id } }: Pick<OfferLine, 'merchant'>) => id),
  column('merchant_slug', 'text', ({ merchant: { slug } }: Pick<OfferLine, 'merchant'>) => slug),
  column('merchant_name', 'text', ({ merchant: { name } }: Pick<OfferLine, 'merchant'>) => name),
];

const OFFER: readonly Column<OfferLine>[] = [
  column('id', 'text', ({ id }) => id),
  column('product_id', 'text', ({ productId }) => productId),
  ...merchant,
  column('price', 'amount', ({ price }) => price),
  column('shipping', 'amount', ({ shipping }) => shipping),
  column('shipping_known', 'boolean', ({ shippingKnown }) => shippingKnown),
  column('total_price', 'amount', ({ totalPrice }) => totalPrice),
  column('currency', 'text', ({ currency }) => currency),
  column('availability', 'text', ({ availability }) => availability),
  column('condition', 'text', ({ condition }) => condition),
  column('url', 'text', ({ url }) => url),
  column('updated_at', 'time', ({ updatedAt }) => updatedAt),
];

const ENTRY: readonly Column<HistoryLine>[] = [
  column('id', 'text', ({ id }) => id),
  column('product_id', 'text', ({ productId }) => productId),
  column('offer_id', 'text', ({ offerId }) => offerId),
  ...merchant,
  column('observed_at', 'time', ({ observedAt }) => observedAt),
  column('listed', 'boolean', ({ listed }) => listed),
  column('price', 'amount', ({ price }) => price),
  column('shipping', 'amount', ({ shipping }) => shipping),
  column('total_price', 'amount', ({ totalPrice }) => totalPrice),
  column('regular_price', 'amount', ({ regularPrice }) => regularPrice),
  column('currency', 'text', ({ currency }) => currency),
  column('availability', 'text', ({ availability }) => availability),
  column('condition', 'text', ({ condition }) => condition),
];

const COLUMNS = { products: PRODUCT, offers: OFFER, history: ENTRY };

/** The columns of a kind of export. */
export const columnsOfExport = (kind: ExportKind): readonly Column[] => COLUMNS[kind] as readonly Column[];
