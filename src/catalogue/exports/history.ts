/** The export of the ledger: each entry that counts, by product, offer and time. */
import { DAY_MS, startOfDay } from '../../values/day.ts';
import { LARGEST_BIGINT } from '../../values/largest-bigint.ts';
import { invalid } from '../arguments.ts';
import { groupConditions, isOneOf, priceConditions } from '../product/product-filter.ts';
import type { Bind } from '../read-page.ts';
import { type HistoryLine, type HistoryRow, historyLine, placeOfEntry } from './history-line.ts';
import { MERCHANT_NAMES } from './merchant-names.ts';
import { bound, lastBy, type Selection, type Source } from './source.ts';
import type { Place } from './walk.ts';

const PAGE = 500;
const endOf = (productId: bigint): Place => [productId, LARGEST_BIGINT, new Date(0), 0n];

const KEY = 'ledger.product_id, ledger.offer_id, ledger.observed_at, ledger.import_run_id';

// By the primary key of ledger. Of several entries with one time, the one of the latest import counts.
const IS_REPLACED = `
      EXISTS (
        SELECT
        FROM ledger AS later
        WHERE later.product_id = ledger.product_id
          AND later.offer_id = ledger.offer_id
          AND later.observed_at = ledger.observed_at
          AND later.import_run_id > ledger.import_run_id
      )`;

export const HISTORY: Source<HistoryRow, HistoryLine> = {
  readLast: lastBy('SELECT max(product_id) AS last FROM ledger', 'export_last'),
  endOf,
  walk(database, selection) {
    const days = daysOf(selection);
    return {
      limit: PAGE,
      placeOf: ({ productId, offerId, observedAt, importRunId }) => [productId, offerId, observedAt, importRunId],
      endOf,
      read([productId, offerId, observedAt, importRunId], through, limit) {
        const { merchantIds, availabilities: [availability] = [], prices } = selection;
        const { sql, parameters } = bound((bind) => {
          const ofProduct = groupConditions(selection, bind);
          const after = `${bind(productId)}::bigint, ${bind(offerId)}::bigint, ${bind(observedAt)}::timestamptz, ${bind(importRunId)}::bigint`;
          return `
  SELECT ledger.product_id AS "productId", ledger.offer_id AS "offerId", ledger.observed_at AS "observedAt",
         ledger.import_run_id AS "importRunId", ledger.total, ledger.price, ledger.shipping,
         ledger.regular_price AS "regularPrice", ledger.availability, ledger.condition,
         offer.merchant_id AS "merchantId", ${MERCHANT_NAMES}
  FROM ledger
  JOIN offer ON offer.id = ledger.offer_id
  JOIN merchant ON merchant.id = offer.merchant_id
  ${ofProduct.length > 0 ? 'JOIN product ON product.id = ledger.product_id' : ''}
  WHERE ${[
    `(${KEY}) > (${after})`,
    `ledger.product_id <= ${bind(through)}::bigint`,
    ...ofProduct,
    ...days(bind),
    ...priceConditions(prices, 'ledger.total', bind),
    ...isOneOf('offer.merchant_id', merchantIds, bind),
    ...(availability === undefined ? [] : [`ledger.availability = ${bind(availability)}::availability`]),
    `NOT ${IS_REPLACED.trim()}`,
  ].join('\n    AND ')}
  ORDER BY ${KEY}
  LIMIT ${bind(limit)}::int`;
        });
        return database.query<HistoryRow>(sql, parameters, { name: 'export_history', isPlannedAnew: true });
      },
    };
  },
  lineOf: historyLine,
  decode: placeOfEntry,
};

/** The conditions on the time. Both days are included. @throws {Problem} `invalid_parameter` if `from` is after `to`. */
function daysOf({ from, to }: Pick<Selection, 'from' | 'to'>): (bind: Bind) => string[] {
  if (from !== undefined && to !== undefined && from > to) throw invalid('from', '`from` is after `to`: swap them.');
  return (bind) => [
    ...(from === undefined ? [] : [`ledger.observed_at >= ${bind(new Date(startOfDay(from)))}::timestamptz`]),
    ...(to === undefined ? [] : [`ledger.observed_at < ${bind(new Date(startOfDay(to) + DAY_MS))}::timestamptz`]),
  ];
}
