/** The export of the ledger: each entry that counts, by product, offer and time. */
import { ledgerHomeOf } from '../../database/ledger-home.ts';
import { DAY_MS, startOfDay } from '../../values/day.ts';
import { LARGEST_BIGINT } from '../../values/largest-bigint.ts';
import { invalid } from '../arguments.ts';
import { groupConditions, isOneOf, priceConditions } from '../product/product-filter.ts';
import type { Bind } from '../read-page.ts';
import { type HistoryLine, type HistoryRow, historyLine, placeOfEntry } from './history-line.ts';
import { dividedPage, jointPage, type PageParts } from './history-page.ts';
import { bound, lastBy, type Selection, type Source } from './source.ts';
import type { Place } from './walk.ts';

const PAGE = 500;
const endOf = (productId: bigint): Place => [productId, LARGEST_BIGINT, new Date(0), 0n];

export const HISTORY: Source<HistoryRow, HistoryLine> = {
  readLast: lastBy('SELECT max(product_id) AS last FROM ledger', 'export_last'),
  endOf,
  walk(database, selection) {
    const days = daysOf(selection);
    const home = ledgerHomeOf(database);
    return {
      limit: PAGE,
      placeOf: ({ productId, offerId, observedAt, importRunId }) => [productId, offerId, observedAt, importRunId],
      endOf,
      async read([productId, offerId, observedAt, importRunId], through, limit) {
        const { merchantIds, availabilities: [availability] = [], prices } = selection;
        const partsOf = (bind: Bind): PageParts => ({
          after: [
            `${bind(productId)}::bigint`,
            `${bind(offerId)}::bigint`,
            `${bind(observedAt)}::timestamptz`,
            `${bind(importRunId)}::bigint`,
          ],
          through: `${bind(through)}::bigint`,
          entries: [
            ...days(bind),
            ...priceConditions(prices, 'ledger.total', bind),
            ...(availability === undefined ? [] : [`ledger.availability = ${bind(availability)}::availability`]),
          ],
          products: groupConditions(selection, bind),
          offers: isOneOf('offer.merchant_id', merchantIds, bind),
          limit: `${bind(limit)}::int`,
        });
        const page = (statement: (parts: PageParts) => string) => () => {
          const { sql, parameters } = bound((bind) => statement(partsOf(bind)));
          return database.query<HistoryRow>(sql, parameters, { name: 'export_history', isPlannedAnew: true });
        };
        // The ledger may be distributed while an export runs.
        return home.read(page(jointPage), page(dividedPage));
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
    // Up to its last millisecond: the day after 9999-12-31 has no text that PostgreSQL reads.
    ...(to === undefined ? [] : [`ledger.observed_at <= ${bind(new Date(startOfDay(to) + DAY_MS - 1))}::timestamptz`]),
  ];
}
