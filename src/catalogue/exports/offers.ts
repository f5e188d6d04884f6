/** The export of the offers that are listed now, by id. */
import { columnsOf } from '../../database/columns.ts';
import { decodeId } from '../../values/id.ts';
import { type OfferLine, offerLine } from '../offer/offer-line.ts';
import { type ListedOffer, OFFER } from '../offer/read-offers.ts';
import { groupConditions, isOneOf, priceConditions } from '../product/product-filter.ts';
import { MERCHANT_NAMES, type MerchantNames, merchantOf } from './merchant-names.ts';
import { bound, lastBy, numberPlace, type Source } from './source.ts';

type Row = Omit<ListedOffer, 'merchantName'> & MerchantNames;

const PAGE = 500;

export const OFFERS: Source<Row, OfferLine> = {
  readLast: lastBy('SELECT max(id) AS last FROM offer', 'export_last'),
  endOf: numberPlace,
  walk: (database, selection) => ({
    limit: PAGE,
    placeOf: ({ id }) => [id],
    endOf: numberPlace,
    read([after], through, limit) {
      const { merchantIds, availabilities: [availability] = [], prices, shipping } = selection;
      // By the primary key.
      const { sql, parameters } = bound((bind) => {
        const ofProduct = groupConditions(selection, bind);
        return `
  SELECT ${columnsOf('Offer', OFFER)}, ${MERCHANT_NAMES}
  FROM offer
  JOIN merchant ON merchant.id = offer.merchant_id
  ${ofProduct.length > 0 ? 'JOIN product ON product.id = offer.product_id' : ''}
  WHERE ${[
    `offer.id > ${bind(after)}::bigint`,
    `offer.id <= ${bind(through)}::bigint`,
    'offer.withdrawn_at IS NULL',
    ...ofProduct,
    ...priceConditions(prices, 'offer.total', bind),
    ...isOneOf('offer.merchant_id', merchantIds, bind),
    ...(shipping === undefined ? [] : ['offer.shipping IS NOT NULL']),
    ...(availability === undefined ? [] : [`offer.availability = ${bind(availability)}::availability`]),
  ].join('\n    AND ')}
  ORDER BY offer.id
  LIMIT ${bind(limit)}::int`;
      });
      return database.query<Row>(sql, parameters, { name: 'export_offers', isPlannedAnew: true });
    },
  }),
  lineOf: (row, market) => offerLine(row, merchantOf(row), market),
  decode(id) {
    const number = decodeId('offer', id);
    return number === undefined ? undefined : [number];
  },
};
