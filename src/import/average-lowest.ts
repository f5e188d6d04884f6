/**
 * SQL for the discounts of products: how far the lowest price is below its average over the last days, weighted by time. The functions
 * average_lowest and refresh_aged_figures in the migrations follow the same rules.
 */
const DAYS_OF_AVERAGE = 90;

/**
 * The most prices of a product in these days that are joined with each other, which takes the square of their number. Beyond it, the function
 * average_lowest goes through them in the order of time; for fewer, calling it for each product takes longer than one join for all.
 */
export const MOST_JOINED = 30;

/**
 * The common table expressions of which the last, `average`, has `product_id`, `average`, and `is_long` for products with too many prices;
 * their average is null. The lowest price is taken for each period between the starts and ends of offers' prices. Floating point is precise
 * enough, since the result is only a ratio for ordering. Uses the primary key of ledger.
 * @param ofTouched SQL after `FROM ledger` that selects the products.
 */
export const averageLowest = (ofTouched: string): string => `
  held AS MATERIALIZED (
    SELECT product_id, total, since, until, count(*) OVER (PARTITION BY product_id) > ${MOST_JOINED} AS is_long
    FROM (
      SELECT product_id, total,
             GREATEST(observed_at, now() - INTERVAL '${DAYS_OF_AVERAGE} days') AS since,
             LEAST(now(), lead(observed_at, 1, now()) OVER (PARTITION BY product_id, offer_id ORDER BY observed_at, import_run_id)) AS until
      FROM ledger
      ${ofTouched}
    ) AS change
    WHERE total IS NOT NULL AND since < until
  ), short AS MATERIALIZED (
    SELECT product_id, total, since, until FROM held WHERE NOT is_long
  ), average AS (
    SELECT product_id, sum(lowest * seconds) / sum(seconds) AS average, FALSE AS is_long
    FROM (
      SELECT step.product_id, min(short.total) AS lowest, EXTRACT(EPOCH FROM step.until - step.since)::float8 AS seconds
      FROM (
        SELECT product_id, at AS since, lead(at) OVER (PARTITION BY product_id ORDER BY at) AS until
        FROM (SELECT product_id, since AS at FROM short UNION SELECT product_id, until FROM short) AS moment
      ) AS step
      JOIN short ON short.product_id = step.product_id AND short.since <= step.since AND short.until > step.since
      WHERE step.until IS NOT NULL
      GROUP BY step.product_id, step.since, step.until
    ) AS lowest_over_time
    GROUP BY product_id
    UNION ALL
    SELECT DISTINCT product_id, NULL::float8, TRUE FROM held WHERE is_long
  )`;

/** The discount in hundredths of a percent, never below 0. @param total SQL for the lowest price. */
export const discountOf = (total: string): string => `
  CASE
    WHEN ${total} < average.average THEN round((average.average - ${total}) * 10000 / average.average)::int
    ELSE 0
  END`;

/** The day (UTC) of a discount. */
export const TODAY = "(now() AT TIME ZONE 'UTC')::date";

/** Gives their discounts to the products in `touched` that have no day of one yet. It reads the ledger of one product at a time. */
export const REFRESH_LONG = `
  WITH average AS MATERIALIZED (
    SELECT product.id, average_lowest(product.id) AS average
    FROM touched
    JOIN product ON product.id = touched.product_id
    WHERE product.discounted_on IS NULL
  )
  UPDATE product
  SET discount = ${discountOf('product.min_total')}, discounted_on = ${TODAY}
  FROM average
  WHERE product.id = average.id`;
