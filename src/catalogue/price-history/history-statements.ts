/** The statements of price histories, in the forms that the home of the ledger asks for. Products with few entries have others (read-whole.ts). */
import { packTimes, packTotals, STOCK } from './offer-prices.ts';

/**
 * The form of a statement. `joint` reads several products at once. The others read one product, whose id they compare with a parameter
 * and never with a column, so that a distributed engine sends them to the shard of the product. There, nothing can be joined with the
 * ledger: `routed` reads the offers of all shops, and `routedByShop` reads all of them too, and then keeps those of one shop.
 */
type Form = 'joint' | 'routed' | 'routedByShop';

/** A statement in all forms, which have the same parameters and columns. `$1` are the products or the product, `$2` is the shop or null. */
export type Statements = Record<Form, string>;

// By the primary key of ledger, skipping from offer to offer.
function listed(form: Form): string {
  const productOf = productIn(form);
  return `
  WITH RECURSIVE listed (product_id, offer_id) AS (
    SELECT asked.product_id,
           (SELECT min(offer_id) FROM ledger WHERE ledger.product_id = ${productOf('asked')})
    FROM ${form === 'joint' ? 'unnest($1::bigint[])' : '(SELECT $1::bigint)'} AS asked (product_id)
    UNION ALL
    SELECT product_id,
           (
             SELECT min(offer_id)
             FROM ledger
             WHERE ledger.product_id = ${productOf('listed')} AND ledger.offer_id > listed.offer_id
           )
    FROM listed
    WHERE offer_id IS NOT NULL
  )`;
}

const productIn = (form: Form) => (alias: string) => (form === 'joint' ? `${alias}.product_id` : '$1::bigint');

// By the primary key of offer.
const isOfMerchant = (offers: string) =>
  `EXISTS (SELECT FROM offer WHERE offer.id = ${offers}.offer_id AND offer.merchant_id = $2::bigint)`;
const OF_MERCHANT: Record<Form, string> = {
  joint: `($2::bigint IS NULL OR ${isOfMerchant('listed')})`,
  // Always true. A statement must use all its parameters.
  routed: '$2::bigint IS NULL',
  routedByShop: 'TRUE',
};

/** Wraps a statement, whose rows have an `offer_id`, so that only those of one shop remain. */
const shopOnly = (form: Form, statement: string) =>
  form === 'routedByShop'
    ? `SELECT * FROM (WITH found AS MATERIALIZED (${statement}) SELECT * FROM found WHERE ${isOfMerchant('found')}) AS kept`
    : statement;

// A fact that was not recorded is NULL, which equals no value.
const matches = (condition: string, availability: string) => `
  (${condition}::condition IS NULL OR condition = ${condition}::condition)
  AND (${availability}::availability IS NULL OR availability = ${availability}::availability)`;

const STOCK_OF_ALL = `
  CASE
    WHEN availability = 'in_stock' THEN ${STOCK.in}
    WHEN availability IS NULL AND total IS NOT NULL THEN ${STOCK.unknown}
    ELSE ${STOCK.out}
  END`;
// Whether an offer was in stock does not depend on the filter on availability.
const STOCK_OF_CONDITION = `
  CASE
    WHEN total IS NULL OR condition <> $5::condition OR availability <> 'in_stock' THEN ${STOCK.out}
    WHEN availability IS NULL OR ($5::condition IS NOT NULL AND condition IS NULL) THEN ${STOCK.unknown}
    ELSE ${STOCK.in}
  END`;

const IN_ORDER = 'observed_at, import_run_id';

// By the primary key of ledger. For each offer, it reads the entries valid at the start and the later ones, in the order of the index,
// which aggregates keep. Earlier entries are not read, however many they are.
const readEntries = (form: Form, total: string, stock: string) => {
  const productOf = productIn(form);
  return `${shopOnly(
    form,
    `${listed(form)}
  SELECT listed.product_id AS "productId", listed.offer_id, history.times, history.totals
  FROM listed
  CROSS JOIN LATERAL (
    SELECT ${packTimes('observed_at')} AS times, ${packTotals(total, stock)} AS totals
    FROM (
      SELECT observed_at, total, availability, condition
      FROM ledger
      WHERE ledger.product_id = ${productOf('listed')}
        AND ledger.offer_id = listed.offer_id
        AND observed_at < $4::timestamptz
        AND observed_at >= COALESCE(
          (
            SELECT max(earlier.observed_at)
            FROM ledger AS earlier
            WHERE earlier.product_id = ${productOf('listed')}
              AND earlier.offer_id = listed.offer_id
              AND earlier.observed_at <= $3::timestamptz
          ),
          $3::timestamptz
        )
      ORDER BY ${IN_ORDER}
    ) AS entry
  ) AS history
  WHERE listed.offer_id IS NOT NULL
    AND history.times IS NOT NULL
    AND ${OF_MERCHANT[form]}`,
  )}
  ORDER BY "productId", offer_id`;
};

const inAllForms = (build: (form: Form) => string): Statements => ({
  joint: build('joint'),
  routed: build('routed'),
  routedByShop: build('routedByShop'),
});

// Two statements, because conditions that filter nothing would take a fifth of the time of a long history.
/** The entries of each offer that are valid from `$3` until before `$4`, packed into `times` and `totals`. */
export const CHANGES = inAllForms((form) => readEntries(form, 'total', STOCK_OF_ALL));
/** As {@link CHANGES}, with the totals of entries that match the condition `$5` and the availability `$6` only; null matches all. */
export const CHANGES_FILTERED = inAllForms((form) =>
  readEntries(form, `CASE WHEN ${matches('$5', '$6')} THEN total END`, STOCK_OF_CONDITION),
);

// By the primary key of ledger. An entry counts unless a later import replaced it, which few did: the cheapest are looked at first.
/** The lowest total of each product, of entries in the condition `$3` and the availability `$4`; null matches all. */
export const LOWEST = inAllForms((form) => {
  const productOf = productIn(form);
  return `
  SELECT DISTINCT ON (product_id) product_id AS "productId", total, observed_at AS at
  FROM (${shopOnly(
    form,
    `${listed(form)}
    SELECT listed.product_id, listed.offer_id, cheapest.total, cheapest.observed_at
    FROM listed
    CROSS JOIN LATERAL (
      SELECT entry.total, entry.observed_at
      FROM (
        SELECT total, observed_at, import_run_id
        FROM ledger
        WHERE ledger.product_id = ${productOf('listed')}
          AND ledger.offer_id = listed.offer_id
          AND total IS NOT NULL
          AND (${matches('$3', '$4')})
        ORDER BY total, observed_at
        OFFSET 0
      ) AS entry
      WHERE entry.import_run_id = (
        SELECT max(replacement.import_run_id)
        FROM ledger AS replacement
        WHERE replacement.product_id = ${productOf('listed')}
          AND replacement.offer_id = listed.offer_id
          AND replacement.observed_at = entry.observed_at
      )
      ORDER BY entry.total, entry.observed_at
      LIMIT 1
    ) AS cheapest
    WHERE listed.offer_id IS NOT NULL AND ${OF_MERCHANT[form]}`,
  )}) AS lowest
  ORDER BY product_id, total, observed_at`;
});
