/** Reports clicks on links to shops, by shop and day (UTC), for statistics and invoices. */
import type { Queryable } from '../database/database.ts';

/** A shop's clicks on one day. Days without clicks have no row. */
export interface ShopClicks {
  day: string;
  /** The shop's slug. */
  merchant: string;
  name: string;
  clicks: number;
}

interface ClickSpan {
  /** The first and last day, inclusive. */
  from: string;
  to: string;
  /** Limits the report to one shop. */
  shopId?: bigint | undefined;
}

/** The maximum number of rows in a report. */
const MOST_CLICK_ROWS = 100_000;

/** The report would have more than {@link MOST_CLICK_ROWS} rows. */
export class TooManyClickRows extends Error {
  override name = 'TooManyClickRows';
}

/** @throws {TooManyClickRows} */
export async function reportClicks(database: Queryable, { from, to, shopId }: ClickSpan): Promise<ShopClicks[]> {
  const rows = await database.query<ShopClicks>(REPORT, [from, to, shopId ?? null, MOST_CLICK_ROWS + 1]);
  if (rows.length > MOST_CLICK_ROWS) {
    throw new TooManyClickRows(
      `The report has more than ${MOST_CLICK_ROWS} rows. Choose fewer days, or one shop with --merchant.`,
    );
  }
  return rows;
}

// Scans all clicks: reports are rare, and an index by day would have to be maintained with every click. They are counted first, because
// they may be on other servers than the offers.
const REPORT = `
  WITH counted AS MATERIALIZED (
    SELECT offer_id, day, sum(count) AS count
    FROM click
    WHERE day BETWEEN $1::date AND $2::date
    GROUP BY offer_id, day
  )
  SELECT counted.day, merchant.slug AS merchant, merchant.name, sum(counted.count)::float8 AS clicks
  FROM counted
  JOIN offer ON offer.id = counted.offer_id
  JOIN merchant ON merchant.id = offer.merchant_id
  WHERE $3::bigint IS NULL OR merchant.id = $3::bigint
  GROUP BY counted.day, merchant.id
  ORDER BY counted.day, merchant.name COLLATE "C"
  LIMIT $4::int`;
