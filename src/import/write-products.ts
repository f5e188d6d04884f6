/** Writes the products that a feed founds, the identifiers that it teaches, and the fields that it adds to known products. */
import type { PlacedFeed } from './placed-feed.ts';
import type { PlannedWork } from './planned-work.ts';
import { isLacking, type ProductField } from './product-field.ts';
import { LONGEST_SORT_NAME } from './search-words.ts';
import { soleValue } from './sole-value.ts';
import { noteNewProducts, noteProducts } from './stream.ts';
import { unitPriceSql } from './unit-price-sql.ts';

/**
 * Writes all of it; the table `filled` of the transaction then has the products that gained fields, with their new words.
 * @returns whether there are any.
 */
export async function writeProducts(
  feed: PlacedFeed,
  { foundsProducts, addsIdentifiers }: PlannedWork,
): Promise<boolean> {
  const { transaction, table, productFields, merchantId, observedAt, nextFullAt } = feed;
  await transaction.script(CREATE_FILLED);
  if (foundsProducts) await transaction.query(addProducts(table, productFields), [observedAt, nextFullAt, merchantId]);
  if (addsIdentifiers) {
    await transaction.query(noteProducts(LEARNING));
    await transaction.query(ADD_IDENTIFIERS, [merchantId]);
  }
  await transaction.query(fillGaps(table, productFields), [observedAt, merchantId]);
  return soleValue(transaction, 'SELECT EXISTS (SELECT FROM filled) AS some');
}

const CREATE_FILLED = 'CREATE TEMPORARY TABLE filled (product_id BIGINT PRIMARY KEY, words TEXT) ON COMMIT DROP';

// All offers of a new product are in this feed, so its figures are known at once. A slug that is taken gets the product's number
// after two hyphens, which no slug made from a name can have.
function addProducts(table: string, fields: readonly ProductField[]): string {
  const columns = fields.flatMap((field) => field.columns);
  return `
  WITH founded AS (INSERT INTO product (
    id, slug, name, sort_name,
    offer_count, min_total, max_total, lowest_ever, lowest_ever_at, popularity, is_in_stock, unit_price, created_at, updated_at, merchant_id,
    ${columns.map(({ name }) => name).join(', ')}
  )
  SELECT matched.product_id,
         CASE
           WHEN matched.is_first AND NOT EXISTS (SELECT FROM product WHERE product.slug = item.slug) THEN item.slug
           ELSE item.slug || '--' || matched.product_id
         END,
         item.title, left(item.words, ${LONGEST_SORT_NAME}),
         CASE WHEN $2::timestamptz IS NULL THEN matched.offers ELSE 0 END,
         CASE WHEN $2::timestamptz IS NULL THEN matched.lowest END,
         CASE WHEN $2::timestamptz IS NULL THEN matched.highest END,
         matched.lowest,
         $1::timestamptz,
         CASE WHEN $2::timestamptz IS NULL THEN 1 ELSE 0 END,
         $2::timestamptz IS NULL AND matched.is_in_stock,
         CASE WHEN $2::timestamptz IS NULL THEN ${unitPriceSql('matched.lowest', 'matched.measure')} END,
         $1::timestamptz,
         $1::timestamptz,
         $3::bigint,
         ${columns.map(({ sql, cast }) => castTo(sql, cast)).join(', ')}
  FROM (
    SELECT *
    FROM (
      SELECT matched.position, matched.product_id, matched.brand_id, matched.is_founder,
             row_number() OVER (PARTITION BY matched.is_founder, item.slug COLLATE "C" ORDER BY matched.position) = 1 AS is_first,
             count(*) OVER of_product AS offers, min(item.total) OVER of_product AS lowest, max(item.total) OVER of_product AS highest,
             bool_or(item.availability = 'in_stock') OVER of_product AS is_in_stock,
             first_value(item.measure) OVER (PARTITION BY matched.product_id ORDER BY item.total, item.measure) AS measure
      FROM matched
      JOIN ${table} AS item ON item.position = matched.position
      WHERE matched.fault IS NULL AND matched.product_id IN (SELECT product_id FROM matched WHERE is_founder)
      WINDOW of_product AS (PARTITION BY matched.product_id)
    ) AS row
    WHERE is_founder
  ) AS matched
  JOIN ${table} AS item ON item.position = matched.position
  ORDER BY matched.product_id
  RETURNING id)
  ${noteNewProducts('SELECT id FROM founded')}`;
}

const LEARNING = `
  SELECT product_id FROM learned WHERE kind IN ('gtin', 'asin')
  EXCEPT
  SELECT product_id FROM noted_product`;

// In the feed's order: the first identifier of a kind is the primary one, and of a row's two the GTIN comes first. The kind is
// compared as the text that `learned` has; the enum orders the other way round.
const ADD_IDENTIFIERS = `
  INSERT INTO product_identifier (kind, value, product_id, merchant_id, claimed_at)
  SELECT kind::identifier_kind, value, product_id, $1::bigint, now()
  FROM learned
  WHERE kind IN ('gtin', 'asin')
  ORDER BY learned.position, learned.kind DESC`;

// A field that a product has stays. A field that it lacks comes from the first row of the feed that states it.
function fillGaps(table: string, productFields: readonly ProductField[]): string {
  const fields = productFields.filter(({ fillsGaps = true }) => fillsGaps);
  const columns = fields.flatMap((field) => field.columns);
  const isStated = ({ columns: [{ sql }] }: ProductField) => `${sql} IS NOT NULL`;
  const first = (sql: string, field: ProductField) =>
    `(array_agg(${sql} ORDER BY item.position) FILTER (WHERE ${isStated(field)}))[1]`;
  const firsts = fields.flatMap((field) => [
    ...field.columns.map(({ name, sql }) => `${first(sql, field)} AS ${name}`),
    ...(field.words === undefined ? [] : [`${first(`item.${field.words}`, field)} AS ${field.words}`]),
  ]);
  const words = fields.flatMap((field) => field.words ?? []);
  return `
  WITH filler AS (
    SELECT matched.product_id,
           ${firsts.join(',\n           ')}
    FROM matched
    JOIN ${table} AS item ON item.position = matched.position
    JOIN product ON product.id = matched.product_id
    WHERE NOT matched.is_founder
      AND matched.fault IS NULL
      AND NOT matched.is_known
      AND (
        ${fields.map((field) => `(${isLacking(field)} AND ${isStated(field)})`).join('\n        OR ')}
      )
    GROUP BY matched.product_id
  ), noted AS (
    ${noteProducts('SELECT product_id FROM filler')}
  ), updated AS (
    UPDATE product
    SET ${columns.map(({ name, cast }) => `${name} = COALESCE(product.${name}, ${castTo(`filler.${name}`, cast)})`).join(',\n        ')},
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
        ${fields.map((field) => `('${field.name}', ${isLacking(field)} AND NOT (${isLacking(field, 'filler')}))`).join(',\n        ')}
    ) AS gap (field, is_filled)
    WHERE gap.is_filled
    ON CONFLICT DO NOTHING
  )
  INSERT INTO filled (product_id, words)
  SELECT product_id, concat_ws(' ', ${['NULL', ...words].join(', ')})
  FROM filler`;
}

const castTo = (sql: string, type: string | undefined) => (type === undefined ? sql : `${sql}::${type}`);
