/** Clicks on the links to the shops, by shop and day (UTC): what an operator shows or invoices. */
import type { Queryable } from '../database/database.ts';

/** A shop's clicks on one day; days without any have no row. */
export interface ShopClicks {
  day: string;
  /** The shop's slug. */
  merchant: string;
  name: string;
  clicks: number;
}

export interface ClickSpan {
  /** The first and the last day, both included. */
  from: string;
  to: string;
  /** One shop alone, by its name or slug. */
  merchant?: string | undefined;
}

/** The most rows that a report has. */
export const MOST_CLICK_ROWS = 100_000;

/** The report asks for more rows than {@link MOST_CLICK_ROWS}. */
export class TooManyClickRows extends Error {
  override name = 'TooManyClickRows';
}

/** @throws {TooManyClickRows} when there are more rows than a report has. */
export async function reportClicks(database: Queryable, { from, to, merchant }: ClickSpan): Promise<ShopClicks[]> {
  const rows = await database.query<ShopClicks>(REPORT, [from, to, merchant ?? null, MOST_CLICK_ROWS + 1]);
  if (rows.length > MOST_CLICK_ROWS) {
    throw new TooManyClickRows(
      `The report has more than ${MOST_CLICK_ROWS} rows: choose fewer days, or one shop with --merchant.`,
    );
  }
  return rows;
}

/** Whether there is a shop of this name or slug. */
export async function isShop(database: Queryable, merchant: string): Promise<boolean> {
  const rows = await database.query('SELECT FROM merchant WHERE name = $1::text OR slug = $1::text', [merchant]);
  return rows.length > 0;
}

// One pass over the clicks: a report is asked for now and then, and an index by day would be written with every click.
const REPORT = `
  SELECT click.day, merchant.slug AS merchant, merchant.name, sum(click.count)::float8 AS clicks
  FROM click
  JOIN offer ON offer.id = click.offer_id
  JOIN merchant ON merchant.id = offer.merchant_id
  WHERE click.day BETWEEN $1::date AND $2::date
    AND ($3::text IS NULL OR merchant.name = $3::text OR merchant.slug = $3::text)
  GROUP BY click.day, merchant.id
  ORDER BY click.day, merchant.name
  LIMIT $4::int`;
