/** The statements that match changes to webhooks. Set-based: each serves all changes of a step. */
import type { Queryable } from '../../database/database.ts';
import type { ArrivedOffer, KnownIdentifiers } from './events.ts';
import type { Groups, Watching } from './matches.ts';

/** How far changes have been matched. */
export interface MatchState {
  /** The last change. */
  head: bigint;
  /** The last one that was matched. */
  position: bigint;
  /** Whether any webhook is enabled. */
  isWatched: boolean;
}

const STATE = `
  SELECT catalogue_version.change_seq AS head, webhook_position.seq AS position,
         EXISTS (SELECT FROM webhook WHERE disabled_at IS NULL) AS "isWatched"
  FROM catalogue_version, webhook_position`;

export async function readState(database: Queryable): Promise<MatchState> {
  const [state] = await database.query<MatchState>(STATE, [], { name: 'webhook_state', isCurrent: true });
  return state ?? { head: 0n, position: 0n, isWatched: false };
}

// A webhook that is made meanwhile only gets changes from after it was made, which come after $1.
const SKIP = `
  UPDATE webhook_position
  SET seq = $1::bigint
  WHERE seq < $1::bigint AND NOT EXISTS (SELECT FROM webhook WHERE disabled_at IS NULL)`;

/** Moves the position on while no webhook is enabled. */
export async function skipTo(database: Queryable, head: bigint): Promise<void> {
  await database.query(SKIP, [head], { name: 'webhook_skip' });
}

/** Locks the position for the transaction; `undefined` if another gateway has it. */
export async function lockPosition(transaction: Queryable): Promise<bigint | undefined> {
  const lock = 'SELECT seq FROM webhook_position FOR UPDATE SKIP LOCKED';
  const [row] = await transaction.query<{ seq: bigint }>(lock, [], { name: 'webhook_match' });
  return row?.seq;
}

export async function movePosition(transaction: Queryable, seq: bigint): Promise<void> {
  await transaction.query('UPDATE webhook_position SET seq = $1::bigint', [seq], { name: 'webhook_match' });
}

/** A product as messages show it, with its groups. */
export interface MatchedProduct extends Groups {
  id: bigint;
  slug: string;
  name: string;
}

const PRODUCTS = `
  SELECT product.id, product.slug, product.name, product.brand_id AS "brandId", (
           WITH RECURSIVE up AS (
             SELECT category.id, category.parent_id FROM category WHERE category.id = product.category_id
             UNION ALL
             SELECT category.id, category.parent_id FROM up JOIN category ON category.id = up.parent_id
           )
           SELECT COALESCE(array_agg(up.id), '{}') FROM up
         ) AS "categoryIds"
  FROM product
  WHERE product.id = ANY ($1::bigint[])`;

export async function readProducts(
  transaction: Queryable,
  ids: readonly bigint[],
): Promise<Map<bigint, MatchedProduct>> {
  const rows = await transaction.query<MatchedProduct>(PRODUCTS, [ids], { name: 'webhook_match' });
  return new Map(rows.map((row) => [row.id, row]));
}

// What a product had after a change is what it had before its next one, by change_state_idx, or what it has in the same snapshot.
const IDENTIFIERS = `
  SELECT wanted.product_id AS "productId", COALESCE(
           CASE WHEN next.state_before IS NOT NULL THEN next.state_before ->> 'identifiers' ELSE (
             SELECT string_agg(identifier.kind || ' ' || identifier.value, ',' ORDER BY identifier.id)
             FROM product_identifier AS identifier
             WHERE identifier.product_id = wanted.product_id
           ) END,
           ''
         ) AS identifiers
  FROM unnest($1::bigint[]) AS wanted (product_id)
  LEFT JOIN LATERAL (
    SELECT change.state_before
    FROM change
    WHERE change.product_id = wanted.product_id AND change.kind = 'product' AND change.seq > $2::bigint
    ORDER BY change.seq
    LIMIT 1
  ) AS next ON TRUE`;

/** The identifiers of products after the change with a number. */
export async function readIdentifiersAfter(
  transaction: Queryable,
  productIds: readonly bigint[],
  seq: bigint,
): Promise<KnownIdentifiers[]> {
  if (productIds.length === 0) return [];
  return transaction.query<KnownIdentifiers>(IDENTIFIERS, [productIds, seq], { name: 'webhook_match' });
}

const RETURNED = `
  SELECT offer.id
  FROM unnest($1::bigint[], $2::timestamptz[]) AS arrived (offer_id, since)
  JOIN offer ON offer.id = arrived.offer_id
  WHERE offer.created_at < arrived.since`;

/** Those of the offers that their shops had listed before. */
export async function readReturned(transaction: Queryable, arrived: readonly ArrivedOffer[]): Promise<Set<bigint>> {
  if (arrived.length === 0) return new Set();
  const parameters = [arrived.map(({ offerId }) => offerId), arrived.map(({ since }) => since)];
  const rows = await transaction.query<{ id: bigint }>(RETURNED, parameters, { name: 'webhook_match' });
  return new Set(rows.map(({ id }) => id));
}

// By webhook_product_idx, webhook_brand_idx, webhook_category_idx, webhook_merchant_idx and webhook_codes_idx.
const WATCHING = `
  SELECT webhook.id, webhook.kinds::text[] AS kinds, webhook.product_id AS "productId", webhook.category_id AS "categoryId",
         webhook.brand_id AS "brandId", webhook.merchant_id AS "merchantId", webhook.min_percent AS "minPercent", webhook.below,
         ARRAY(SELECT code FROM unnest(webhook.codes) AS code WHERE code = ANY ($5::text[])) AS codes,
         webhook.created_at AS "createdAt"
  FROM webhook
  JOIN api_key AS key ON key.id = webhook.key_id
  WHERE webhook.disabled_at IS NULL
    AND key.revoked_at IS NULL
    AND COALESCE(key.expires_at > now(), TRUE)
    AND (
      webhook.product_id = ANY ($1::bigint[])
      OR webhook.brand_id = ANY ($2::bigint[])
      OR webhook.category_id = ANY ($3::bigint[])
      OR webhook.merchant_id = ANY ($4::bigint[])
      OR webhook.codes && $5::text[]
    )
  ORDER BY webhook.id`;

/** What the events of a step have in common with filters. */
export interface Concerned {
  productIds: readonly bigint[];
  brandIds: readonly bigint[];
  categoryIds: readonly bigint[];
  merchantIds: readonly bigint[];
  codes: readonly string[];
}

/** The enabled webhooks, of keys in force, that may want one of these. */
export async function readWatching(transaction: Queryable, concerned: Concerned): Promise<Watching[]> {
  const { productIds, brandIds, categoryIds, merchantIds, codes } = concerned;
  return transaction.query<Watching>(WATCHING, [productIds, brandIds, categoryIds, merchantIds, codes], {
    name: 'webhook_match',
  });
}

/** A kind of message to a webhook about a product. */
export interface Topic {
  webhookId: bigint;
  kind: string;
  productId: bigint;
}

/** The name of a topic, for sets. */
export const nameOf = ({ webhookId, kind, productId }: Topic): string => `${webhookId} ${kind} ${productId}`;

/** How long a webhook hears nothing of a kind about a product after a message. */
export const SILENT_MINUTES = 10;

// By webhook_delivery_last_idx. Tests, which have no change, are no messages about a product.
const SILENT = `
  SELECT topic.webhook_id AS "webhookId", topic.kind, topic.product_id AS "productId"
  FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS topic (webhook_id, kind, product_id)
  WHERE EXISTS (
    SELECT
    FROM webhook_delivery AS delivery
    WHERE delivery.webhook_id = topic.webhook_id
      AND delivery.kind = topic.kind::webhook_kind
      AND delivery.product_id = topic.product_id
      AND delivery.created_at > now() - INTERVAL '${SILENT_MINUTES} minutes'
      AND delivery.seq IS NOT NULL
  )`;

/** The names of those topics that are silent now. */
export async function readSilent(transaction: Queryable, topics: readonly Topic[]): Promise<Set<string>> {
  if (topics.length === 0) return new Set();
  const parameters = [
    topics.map(({ webhookId }) => webhookId),
    topics.map(({ kind }) => kind),
    topics.map(({ productId }) => productId),
  ];
  const rows = await transaction.query<Topic>(SILENT, parameters, { name: 'webhook_match' });
  return new Set(rows.map(nameOf));
}

/** The most messages that may wait for one webhook. */
export const MOST_WAITING = 20_000;

const OVERFLOW = `More than ${MOST_WAITING} messages wait: narrow the filter, or follow /api/v1/changes instead; then enable the webhook.`;

const DISABLE_OVERFLOWING = `
  UPDATE webhook
  SET disabled_at = now(), disabled_reason = $2::text
  WHERE webhook.id = ANY ($1::bigint[])
    AND webhook.disabled_at IS NULL
    AND (
      SELECT count(*)
      FROM (
        SELECT
        FROM webhook_delivery AS delivery
        WHERE delivery.webhook_id = webhook.id AND delivery.delivered_at IS NULL AND delivery.given_up_at IS NULL
        LIMIT ${MOST_WAITING} + 1
      ) AS waiting
    ) > ${MOST_WAITING}
  RETURNING webhook.id`;

/** Disables those of the webhooks for which too many messages wait, and returns them. */
export async function disableOverflowing(transaction: Queryable, webhookIds: readonly bigint[]): Promise<Set<bigint>> {
  if (webhookIds.length === 0) return new Set();
  const rows = await transaction.query<{ id: bigint }>(DISABLE_OVERFLOWING, [webhookIds, OVERFLOW], {
    name: 'webhook_match',
  });
  return new Set(rows.map(({ id }) => id));
}

const MERCHANTS = 'SELECT id, slug, name FROM merchant WHERE id = ANY ($1::bigint[])';

/** Shops as messages show them. */
export async function readShops(transaction: Queryable, ids: readonly bigint[]) {
  const rows = await transaction.query<{ id: bigint; slug: string; name: string }>(MERCHANTS, [ids], {
    name: 'webhook_match',
  });
  return new Map(rows.map((row) => [row.id, row]));
}
