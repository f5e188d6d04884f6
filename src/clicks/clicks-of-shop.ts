/** The clicks on all offers of one shop by day (UTC), from the sums that are written with each click. */
import type { Queryable } from '../database/database.ts';
import { DAY_MS, dayOf } from '../values/day.ts';

/** A shop's clicks on one day. */
export interface DayClicks {
  day: string;
  clicks: number;
}

/** The clicks of the last `days` days up to today, the oldest first. Days without clicks have 0. */
export async function clicksOfShop(database: Queryable, merchantId: bigint, days: number): Promise<DayClicks[]> {
  const today = Date.now();
  const shown = Array.from({ length: days }, (_, index) => dayOf(today - (days - 1 - index) * DAY_MS));
  const rows = await database.query<DayClicks>(CLICKS_OF_SHOP, [merchantId, shown[0]], { name: 'shop_clicks' });
  const counted = new Map(rows.map(({ day, clicks }) => [day, clicks]));
  return shown.map((day) => ({ day, clicks: counted.get(day) ?? 0 }));
}

// By the primary key of merchant_click.
const CLICKS_OF_SHOP = `
  SELECT day::text, count AS clicks
  FROM merchant_click
  WHERE merchant_id = $1 AND day >= $2::date`;
