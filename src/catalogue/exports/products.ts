/** The export of products, by id. A product's prices are in the export of offers. */
import { PRODUCT_STATE, type ProductState } from '../../ledger/changes/product-state.ts';
import { decodeId } from '../../values/id.ts';
import { CHEAPEST, groupConditions, offerConditions, priceConditions } from '../product/product-filter.ts';
import { type ProductLine, productLine } from '../product/product-line.ts';
import { bound, lastBy, numberPlace, type Source } from './source.ts';

interface Row {
  id: bigint;
  state: ProductState;
}

// With descriptions of a few kilobytes, about a megabyte.
const PAGE = 250;

export const PRODUCTS: Source<Row, ProductLine> = {
  readLast: lastBy('SELECT max(id) AS last FROM product', 'export_last'),
  endOf: numberPlace,
  walk: (database, selection) => ({
    limit: PAGE,
    placeOf: ({ id }) => [id],
    endOf: numberPlace,
    read([after], through, limit) {
      const { prices } = selection;
      // By the primary key.
      const { sql, parameters } = bound(
        (bind) => `
  SELECT product.id, ${PRODUCT_STATE} AS state
  FROM product
  WHERE ${[
    `product.id > ${bind(after)}::bigint`,
    `product.id <= ${bind(through)}::bigint`,
    ...groupConditions(selection, bind),
    ...priceConditions(prices, CHEAPEST, bind),
    ...offerConditions(selection, bind),
  ].join('\n    AND ')}
  ORDER BY product.id
  LIMIT ${bind(limit)}::int`,
      );
      return database.query<Row>(sql, parameters, { name: 'export_products', isPlannedAnew: true });
    },
  }),
  lineOf: ({ id, state }, market) => productLine(id, state, market),
  decode(id) {
    const number = decodeId('product', id);
    return number === undefined ? undefined : [number];
  },
};
