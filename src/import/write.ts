/**
 * From matched rows to products, offers and history, in the importer's transaction: readers see the shop as it was, and
 * then as the feed has it, and nothing between.
 *
 * A feed speaks of one moment, `observedAt`. Where the data knows nothing newer of an offer, the feed changes the offer;
 * where it does (a backfill from an archive), it adds to the offer's history alone: the price holds from that moment
 * until the next one at which the shop was seen whole, and from then on what held before.
 */
import type { Queryable } from '../database/database.ts';
import { CREATE_TOUCHED, refreshFigures } from './figures.ts';
import { LONGEST_SORT_NAME, writeSearchWords } from './search-words.ts';
import type { Staging } from './staging.ts';

/** The moment a feed speaks of, in its merchant's history. */
export interface Moment {
  merchantId: bigint;
  observedAt: Date;
  /** The merchant's next full feed after that moment, where there is one already. */
  nextFullAt: Date | undefined;
}

/** How many offers a feed touches. */
export interface Effect {
  new: number;
  changed: number;
  withdrawn: number;
}

/** Offers that a full feed no longer lists, of those in force at its moment. */
export interface Withdrawals {
  count: number;
  inForce: number;
}

// True for an offer of which nothing newer is known than the feed's moment: $2 is that moment, $3 the next full feed's.
const IS_CURRENT = '($3::timestamptz IS NULL AND offer.updated_at <= $2::timestamptz)';

// What the offer cost at the feed's moment; null when it was not listed. By the primary key of price_change.
const VALUE_BEFORE = `
  CASE
    WHEN ${IS_CURRENT} THEN CASE WHEN offer.withdrawn_at IS NULL THEN offer.total END
    ELSE (
      SELECT price_change.total
      FROM price_change
      WHERE price_change.product_id = offer.product_id
        AND price_change.offer_id = offer.id
        AND price_change.observed_at <= $2::timestamptz
      ORDER BY price_change.observed_at DESC
      LIMIT 1
    )
  END`;

const CREATE_TABLES = `
  CREATE TEMPORARY TABLE differing (
    offer_id BIGINT PRIMARY KEY,
    position INT NOT NULL,
    product_id BIGINT NOT NULL,
    old_product_id BIGINT NOT NULL,
    is_current BOOLEAN NOT NULL,
    value_before BIGINT
  ) ON COMMIT DROP;
  CREATE TEMPORARY TABLE gone (
    offer_id BIGINT PRIMARY KEY,
    product_id BIGINT NOT NULL,
    is_current BOOLEAN NOT NULL,
    value_before BIGINT NOT NULL
  ) ON COMMIT DROP;
  CREATE TEMPORARY TABLE filled (
    product_id BIGINT PRIMARY KEY,
    mpn_words TEXT
  ) ON COMMIT DROP;
  ${CREATE_TOUCHED}`;

/**
 * Finds what a feed would change, before anything is.
 *
 * @param isFull whether what the feed does not list is withdrawn.
 * @param hasSurplus whether rows were rejected because the shop lists too many offers for a product: a full feed withdraws theirs.
 * @returns the withdrawals, without those of the surplus: it is the importer's limit that withdraws them, not the feed.
 */
export async function planWrites(
  transaction: Queryable,
  staging: Staging,
  moment: Moment,
  { isFull, hasSurplus }: { isFull: boolean; hasSurplus: boolean },
): Promise<Withdrawals> {
  await transaction.script(CREATE_TABLES);
  const parameters = [moment.merchantId, moment.observedAt, moment.nextFullAt ?? null];
  await transaction.query(findDiffering(staging.table), parameters);
  if (!isFull) return { count: 0, inForce: 0 };
  const [row] = await transaction.query<{ gone: number; in_force: number }>(findGone(staging.table), parameters);
  const [surplus] = hasSurplus ? await transaction.query<{ gone: number }>(FIND_SURPLUS, parameters) : [];
  return { count: row?.gone ?? 0, inForce: (row?.in_force ?? 0) - (surplus?.gone ?? 0) };
}

const findDiffering = (table: string) => `
  INSERT INTO differing (offer_id, position, product_id, old_product_id, is_current, value_before)
  SELECT id, position, product_id, old_product_id, is_current, value_before
  FROM (
    SELECT offer.id, matched.position, matched.product_id, offer.product_id AS old_product_id,
           ${IS_CURRENT} AS is_current,
           ${VALUE_BEFORE} AS value_before,
           item.total,
           offer.withdrawn_at IS NOT NULL
           OR (offer.product_id, offer.price, offer.shipping, offer.availability::text, offer.condition::text, offer.link)
              IS DISTINCT FROM
              (matched.product_id, item.price, item.shipping, item.availability, item.condition, item.link) AS is_changed
    FROM matched
    JOIN ${table} AS item ON item.position = matched.position
    JOIN offer ON offer.id = matched.offer_id AND offer.merchant_id = $1
    WHERE matched.fault IS NULL
  ) AS known
  WHERE CASE WHEN is_current THEN is_changed ELSE total IS DISTINCT FROM value_before END`;

// A row that was rejected still lists its offer: that one stays as it was, unless it is one too many (see FIND_SURPLUS).
const findGone = (table: string) => `
  WITH merchant_offer AS (
    SELECT offer.id, offer.product_id, offer.sku, ${IS_CURRENT} AS is_current, ${VALUE_BEFORE} AS value_before
    FROM offer
    WHERE offer.merchant_id = $1
  ), added AS (
    INSERT INTO gone (offer_id, product_id, is_current, value_before)
    SELECT id, product_id, is_current, value_before
    FROM merchant_offer
    WHERE value_before IS NOT NULL
      AND NOT EXISTS (SELECT FROM ${table} AS item WHERE item.sku = merchant_offer.sku)
    RETURNING 1
  )
  SELECT (SELECT count(*)::int FROM added) AS gone,
         (SELECT count(*)::int FROM merchant_offer WHERE value_before IS NOT NULL) AS in_force`;

const FIND_SURPLUS = `
  WITH added AS (
    INSERT INTO gone (offer_id, product_id, is_current, value_before)
    SELECT id, product_id, is_current, value_before
    FROM (
      SELECT offer.id, offer.product_id, ${IS_CURRENT} AS is_current, ${VALUE_BEFORE} AS value_before
      FROM matched
      JOIN offer ON offer.id = matched.offer_id AND offer.merchant_id = $1
      WHERE matched.fault = 'too_many_offers'
    ) AS surplus
    WHERE value_before IS NOT NULL
    RETURNING 1
  )
  SELECT count(*)::int AS gone FROM added`;

/** Writes what has been planned. */
export async function writeFeed(transaction: Queryable, { table }: Staging, moment: Moment): Promise<Effect> {
  const { merchantId, observedAt, nextFullAt = null } = moment;
  await transaction.query(addProducts(table), [observedAt, nextFullAt, merchantId]);
  await transaction.query(ADD_IDENTIFIERS, [merchantId]);
  await transaction.query(fillGaps(table), [observedAt, merchantId]);
  await writeSearchWords(transaction, table);
  const [added] = await transaction.query<{ count: number }>(addOffers(table), [merchantId, observedAt, nextFullAt]);
  await transaction.query(changeOffers(table), [observedAt]);
  await transaction.query(restateOffers(table), [merchantId, observedAt, nextFullAt]);
  await transaction.query(WITHDRAW_OFFERS, [observedAt]);
  await transaction.query(recordChanges(table), [observedAt]);
  if (nextFullAt) await transaction.query(HOLD_AFTERWARDS, [observedAt, nextFullAt]);
  await transaction.query(dropRepeated(table), [observedAt]);
  await refreshFigures(transaction, table, moment);
  const [counts] = await transaction.query<{ changed: number; withdrawn: number }>(
    'SELECT (SELECT count(*)::int FROM differing) AS changed, (SELECT count(*)::int FROM gone) AS withdrawn',
  );
  return { new: added?.count ?? 0, changed: counts?.changed ?? 0, withdrawn: counts?.withdrawn ?? 0 };
}

// All offers of a product that is made now are in this feed, so its figures are known at once. A slug that is taken gets
// the product's number after two hyphens, which no slug made of a name can have.
const addProducts = (table: string) => `
  INSERT INTO product (
    id, slug, name, sort_name, brand_id, category_id, mpn, mpn_key, description, image_url, attributes,
    offer_count, min_total, max_total, lowest_ever, lowest_ever_at, popularity, created_at, updated_at, merchant_id
  )
  SELECT founder.product_id,
         CASE
           WHEN founder.is_first AND NOT EXISTS (SELECT FROM product WHERE product.slug = founder.slug) THEN founder.slug
           ELSE founder.slug || '--' || founder.product_id
         END,
         founder.title, left(founder.words, ${LONGEST_SORT_NAME}), founder.brand_id, founder.category_id, founder.mpn, founder.mpn_key,
         founder.description, founder.image_url, founder.attributes::jsonb,
         CASE WHEN $2::timestamptz IS NULL THEN figures.offers ELSE 0 END,
         CASE WHEN $2::timestamptz IS NULL THEN figures.lowest END,
         CASE WHEN $2::timestamptz IS NULL THEN figures.highest END,
         figures.lowest,
         $1::timestamptz,
         CASE WHEN $2::timestamptz IS NULL THEN 1 ELSE 0 END,
         $1::timestamptz,
         $1::timestamptz,
         $3::bigint
  FROM (
    SELECT matched.product_id, matched.brand_id, item.slug, item.title, item.words, item.category_id, item.mpn, item.mpn_key,
           item.description, item.image_url, item.attributes,
           row_number() OVER (PARTITION BY item.slug ORDER BY matched.position) = 1 AS is_first
    FROM matched
    JOIN ${table} AS item ON item.position = matched.position
    WHERE matched.is_founder
  ) AS founder
  JOIN (
    SELECT matched.product_id, count(*)::int AS offers, min(item.total) AS lowest, max(item.total) AS highest
    FROM matched
    JOIN ${table} AS item ON item.position = matched.position
    WHERE matched.fault IS NULL
    GROUP BY matched.product_id
  ) AS figures ON figures.product_id = founder.product_id`;

// In the feed's order: the first of a kind is the primary one, and of a row's two the GTIN is the first. The kind is compared as the text
// that `learned` has; the enum orders the other way round.
const ADD_IDENTIFIERS = `
  INSERT INTO product_identifier (kind, value, product_id, merchant_id, claimed_at)
  SELECT kind::identifier_kind, value, product_id, $1::bigint, now()
  FROM learned
  WHERE kind IN ('gtin', 'asin')
  ORDER BY learned.position, learned.kind DESC`;

// What is known of a product stays; what is not, the first row in the feed that knows it tells.
const fillGaps = (table: string) => `
  WITH filler AS (
    SELECT matched.product_id,
           (array_agg(item.description ORDER BY item.position) FILTER (WHERE item.description IS NOT NULL))[1] AS description,
           (array_agg(item.image_url ORDER BY item.position) FILTER (WHERE item.image_url IS NOT NULL))[1] AS image_url,
           (array_agg(item.attributes ORDER BY item.position) FILTER (WHERE item.attributes IS NOT NULL))[1] AS attributes,
           (array_agg(item.category_id ORDER BY item.position) FILTER (WHERE item.category_id IS NOT NULL))[1] AS category_id,
           (array_agg(matched.brand_id ORDER BY item.position) FILTER (WHERE matched.brand_id IS NOT NULL))[1] AS brand_id,
           (array_agg(item.mpn ORDER BY item.position) FILTER (WHERE item.mpn_key IS NOT NULL))[1] AS mpn,
           (array_agg(item.mpn_key ORDER BY item.position) FILTER (WHERE item.mpn_key IS NOT NULL))[1] AS mpn_key,
           (array_agg(item.mpn_words ORDER BY item.position) FILTER (WHERE item.mpn_key IS NOT NULL))[1] AS mpn_words
    FROM matched
    JOIN ${table} AS item ON item.position = matched.position
    JOIN product ON product.id = matched.product_id
    WHERE NOT matched.is_founder
      AND matched.fault IS NULL
      AND (
        (product.description IS NULL AND item.description IS NOT NULL)
        OR (product.image_url IS NULL AND item.image_url IS NOT NULL)
        OR (product.attributes IS NULL AND item.attributes IS NOT NULL)
        OR (product.category_id IS NULL AND item.category_id IS NOT NULL)
        OR (product.brand_id IS NULL AND matched.brand_id IS NOT NULL)
        OR (product.mpn_key IS NULL AND item.mpn_key IS NOT NULL)
      )
    GROUP BY matched.product_id
  ), updated AS (
    UPDATE product
    SET description = COALESCE(product.description, filler.description),
        image_url = COALESCE(product.image_url, filler.image_url),
        attributes = COALESCE(product.attributes, filler.attributes::jsonb),
        category_id = COALESCE(product.category_id, filler.category_id),
        brand_id = COALESCE(product.brand_id, filler.brand_id),
        mpn = COALESCE(product.mpn, filler.mpn),
        mpn_key = COALESCE(product.mpn_key, filler.mpn_key),
        updated_at = GREATEST(product.updated_at, $1::timestamptz)
    FROM filler
    WHERE product.id = filler.product_id
  ), contributed AS (
    INSERT INTO product_field (product_id, field, merchant_id, filled_at)
    SELECT product.id, gap.field, $2::bigint, now()
    FROM filler
    JOIN product ON product.id = filler.product_id
    CROSS JOIN LATERAL (
      VALUES
        ('description', product.description IS NULL AND filler.description IS NOT NULL),
        ('image', product.image_url IS NULL AND filler.image_url IS NOT NULL),
        ('attributes', product.attributes IS NULL AND filler.attributes IS NOT NULL),
        ('category', product.category_id IS NULL AND filler.category_id IS NOT NULL),
        ('brand', product.brand_id IS NULL AND filler.brand_id IS NOT NULL),
        ('mpn', product.mpn_key IS NULL AND filler.mpn_key IS NOT NULL)
    ) AS gap (field, is_filled)
    WHERE gap.is_filled
    ON CONFLICT DO NOTHING
  )
  INSERT INTO filled (product_id, mpn_words)
  SELECT product_id, mpn_words
  FROM filler`;

// A product takes its name from the row that founds it: what has the name already need not be written twice.
const STATED_TITLE = "CASE WHEN matched.is_founder THEN '' ELSE item.title END";

// An offer that only an archive knows is withdrawn at the next full feed, which did not list it.
const addOffers = (table: string) => `
  WITH added AS (
    INSERT INTO offer (
      merchant_id, sku, product_id, price, shipping, total, availability, condition, link, created_at, updated_at, withdrawn_at,
      gtin, asin, title
    )
    SELECT $1::bigint, item.sku, matched.product_id, item.price, item.shipping, item.total,
           item.availability::availability, item.condition::condition, item.link,
           $2::timestamptz, COALESCE($3::timestamptz, $2::timestamptz), $3::timestamptz,
           item.gtin, item.asin, ${STATED_TITLE}
    FROM matched
    JOIN ${table} AS item ON item.position = matched.position
    WHERE matched.offer_id IS NULL AND matched.fault IS NULL
    ORDER BY matched.position
    RETURNING id, product_id, total
  ), history AS (
    INSERT INTO price_change (product_id, offer_id, observed_at, total)
    SELECT product_id, id, $2::timestamptz, total
    FROM added
    UNION ALL
    SELECT product_id, id, $3::timestamptz, NULL
    FROM added
    WHERE $3::timestamptz IS NOT NULL
  )
  SELECT count(*)::int AS count
  FROM added`;

const changeOffers = (table: string) => `
  UPDATE offer
  SET product_id = differing.product_id,
      price = item.price,
      shipping = item.shipping,
      total = item.total,
      availability = item.availability::availability,
      condition = item.condition::condition,
      link = item.link,
      gtin = item.gtin,
      asin = item.asin,
      title = item.title,
      updated_at = $1::timestamptz,
      withdrawn_at = NULL
  FROM differing
  JOIN ${table} AS item ON item.position = differing.position
  WHERE offer.id = differing.offer_id AND differing.is_current`;

// Offers that cost and link what they did, but whose rows state other identifiers: no change that clients would see.
const restateOffers = (table: string) => `
  UPDATE offer
  SET gtin = item.gtin, asin = item.asin, title = item.title
  FROM matched
  JOIN ${table} AS item ON item.position = matched.position
  WHERE matched.is_restated
    AND matched.fault IS NULL
    AND offer.id = matched.offer_id
    AND offer.merchant_id = $1
    AND ${IS_CURRENT}
    AND NOT EXISTS (SELECT FROM differing WHERE differing.offer_id = matched.offer_id AND differing.is_current)`;

const WITHDRAW_OFFERS = `
  UPDATE offer
  SET withdrawn_at = $1::timestamptz, updated_at = $1::timestamptz
  FROM gone
  WHERE offer.id = gone.offer_id AND gone.is_current`;

// A row only where the total or the listing changes. An offer that moves to another product ends in the old one's history.
const recordChanges = (table: string) => `
  INSERT INTO price_change (product_id, offer_id, observed_at, total)
  SELECT CASE WHEN differing.is_current THEN differing.product_id ELSE differing.old_product_id END,
         differing.offer_id, $1::timestamptz, item.total
  FROM differing
  JOIN ${table} AS item ON item.position = differing.position
  WHERE item.total IS DISTINCT FROM differing.value_before
     OR (differing.is_current AND differing.product_id <> differing.old_product_id)
  UNION ALL
  SELECT old_product_id, offer_id, $1::timestamptz, NULL
  FROM differing
  WHERE is_current AND product_id <> old_product_id AND value_before IS NOT NULL
  UNION ALL
  SELECT product_id, offer_id, $1::timestamptz, NULL
  FROM gone
  ON CONFLICT (product_id, offer_id, observed_at) DO UPDATE SET total = excluded.total`;

// After a backfilled moment, what held before it holds again from the next full feed on, unless something changed between.
const HOLD_AFTERWARDS = `
  INSERT INTO price_change (product_id, offer_id, observed_at, total)
  SELECT past.product_id, past.offer_id, $2::timestamptz, past.value_before
  FROM (
    SELECT old_product_id AS product_id, offer_id, value_before FROM differing
    UNION ALL
    SELECT product_id, offer_id, value_before FROM gone
  ) AS past
  WHERE NOT EXISTS (
    SELECT
    FROM price_change
    WHERE price_change.product_id = past.product_id
      AND price_change.offer_id = past.offer_id
      AND price_change.observed_at > $1::timestamptz
      AND price_change.observed_at <= $2::timestamptz
  )`;

// A backfilled price that the next row of its history only repeats makes that row none.
const dropRepeated = (table: string) => `
  DELETE FROM price_change
  USING (
    SELECT differing.old_product_id AS product_id, differing.offer_id, item.total
    FROM differing
    JOIN ${table} AS item ON item.position = differing.position
    WHERE NOT differing.is_current
    UNION ALL
    SELECT product_id, offer_id, NULL FROM gone WHERE NOT is_current
  ) AS told
  WHERE price_change.product_id = told.product_id
    AND price_change.offer_id = told.offer_id
    AND price_change.total IS NOT DISTINCT FROM told.total
    AND price_change.observed_at = (
      SELECT min(later.observed_at)
      FROM price_change AS later
      WHERE later.product_id = told.product_id AND later.offer_id = told.offer_id AND later.observed_at > $1::timestamptz
    )`;
