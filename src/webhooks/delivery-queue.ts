/**
 * The queue of messages in the database, which all gateways share. A gateway leases the messages that it is about to send; if it dies,
 * others find them due again when the lease ends. Each claim counts as an attempt, so that a late outcome of an earlier lease is
 * recognised and changes nothing.
 */
import type { PlanId } from '../access/plans.ts';
import type { Queryable } from '../database/database.ts';
import type { WebhookKind } from './kinds.ts';
import type { Payload } from './payload.ts';
import { makeMessageId } from './sign.ts';

/** How long a gateway may take for an attempt, before others take the message over. */
export const LEASE_SECONDS = 30;
/** How long deliveries are kept. */
export const KEPT_DAYS = 30;
/** How long those of tests are kept. */
export const TESTS_KEPT_DAYS = 1;
/** Failures for this long, without a success, disable a webhook. */
export const MOST_FAILING_DAYS = 10;

/** A message that this process is to send now. */
export interface ClaimedMessage {
  id: bigint;
  webhookId: bigint;
  /** The key that owns the webhook. */
  keyId: bigint;
  plan: PlanId;
  messageId: string;
  payload: Payload;
  /** The attempts, including this one. */
  attempts: number;
  /** How long ago the first attempt became due, in milliseconds. */
  ageMs: number;
  url: string;
  secret: string;
}

/** How many messages to claim. */
export interface ClaimLimits {
  /** Only those of webhooks after this one. */
  after: bigint;
  /** The room of webhooks, by id; one message where it is absent. */
  room: ReadonlyMap<bigint, number>;
  /** The keys whose webhooks have no room, or that have used up their messages of the minute. */
  fullKeys: readonly bigint[];
  most: number;
}

const IS_WAITING = 'delivery.delivered_at IS NULL AND delivery.given_up_at IS NULL';

// Skips from webhook to webhook in webhook_delivery_waiting_idx, so that a webhook with many waiting messages costs no more than others.
const CLAIM = `
  WITH RECURSIVE waiting (webhook_id) AS (
    (SELECT delivery.webhook_id
     FROM webhook_delivery AS delivery
     WHERE ${IS_WAITING} AND delivery.webhook_id > $1::bigint
     ORDER BY delivery.webhook_id
     LIMIT 1)
    UNION ALL
    SELECT (SELECT delivery.webhook_id
            FROM webhook_delivery AS delivery
            WHERE ${IS_WAITING} AND delivery.webhook_id > waiting.webhook_id
            ORDER BY delivery.webhook_id
            LIMIT 1)
    FROM waiting
    WHERE waiting.webhook_id IS NOT NULL
  ),
  active AS (
    SELECT webhook.id, webhook.key_id, key.plan, webhook.url, webhook.secret, COALESCE(busy.room, 1) AS room
    FROM waiting
    JOIN webhook ON webhook.id = waiting.webhook_id AND webhook.disabled_at IS NULL
    JOIN api_key AS key ON key.id = webhook.key_id
    LEFT JOIN unnest($2::bigint[], $3::int[]) AS busy (webhook_id, room) ON busy.webhook_id = webhook.id
    WHERE key.revoked_at IS NULL AND COALESCE(key.expires_at > now(), TRUE) AND NOT (key.id = ANY ($5::bigint[]))
    ORDER BY webhook.id
  ),
  mine AS (
    SELECT due.id, active.key_id, active.plan, active.url, active.secret
    FROM active
    CROSS JOIN LATERAL (
      SELECT delivery.id
      FROM webhook_delivery AS delivery
      WHERE delivery.webhook_id = active.id AND ${IS_WAITING} AND delivery.next_attempt_at <= now()
      ORDER BY delivery.next_attempt_at, delivery.id
      LIMIT active.room
      FOR UPDATE SKIP LOCKED
    ) AS due
    LIMIT $4::int
  )
  UPDATE webhook_delivery AS delivery
  SET attempts = delivery.attempts + 1,
      last_attempt_at = now(),
      leased_until = now() + INTERVAL '${LEASE_SECONDS} seconds',
      next_attempt_at = now() + INTERVAL '${LEASE_SECONDS} seconds'
  FROM mine
  WHERE delivery.id = mine.id
  RETURNING delivery.id, delivery.webhook_id AS "webhookId", mine.key_id AS "keyId", mine.plan, delivery.message_id AS "messageId", delivery.payload, delivery.attempts,
            (EXTRACT(EPOCH FROM now() - delivery.due_since) * 1000)::float8 AS "ageMs", mine.url, mine.secret`;

/** Leases due messages, in the order of their webhooks' numbers. */
export async function claimMessages(
  database: Queryable,
  { after, room, fullKeys, most }: ClaimLimits,
): Promise<ClaimedMessage[]> {
  const parameters = [after, [...room.keys()], [...room.values()], most, fullKeys];
  return database.query<ClaimedMessage>(CLAIM, parameters, { name: 'webhook_claim' });
}

/** The outcome of an attempt. */
export interface Outcome {
  id: bigint;
  /** The number of the attempt. */
  attempt: number;
  isDelivered: boolean;
  /** The pause before the next attempt in milliseconds; null if there is none. */
  delayMs: number | null;
  /** Whether the receiver wants no more messages (410). */
  isGone: boolean;
  /** The status of the response, if there was one. */
  status: number | null;
  /** Why it failed: a sentence for the owner. */
  error: string | null;
}

const GONE = 'The receiver answered 410 Gone, which asks for no more messages.';
const FAILING = `Every attempt failed for ${MOST_FAILING_DAYS} days: correct the receiver, then enable the webhook.`;

const RECORD = `
  WITH outcome AS (
    SELECT *
    FROM unnest($1::bigint[], $2::int[], $3::bool[], $4::bigint[], $5::bool[], $6::int[], $7::text[])
      AS outcome (id, attempt, is_delivered, delay_ms, is_gone, status, error)
  ),
  recorded AS (
    UPDATE webhook_delivery AS delivery
    SET delivered_at = CASE WHEN outcome.is_delivered THEN now() END,
        given_up_at = CASE WHEN NOT outcome.is_delivered AND outcome.delay_ms IS NULL THEN now() END,
        next_attempt_at = now() + COALESCE(outcome.delay_ms, 0) * INTERVAL '1 millisecond',
        leased_until = NULL,
        last_status = outcome.status,
        last_error = outcome.error
    FROM outcome
    WHERE delivery.id = outcome.id AND delivery.attempts = outcome.attempt AND ${IS_WAITING}
    RETURNING delivery.webhook_id, outcome.is_delivered, outcome.is_gone
  ),
  standing AS (
    SELECT webhook_id, bool_or(is_delivered) AS has_success, bool_or(is_gone) AS is_gone
    FROM recorded
    GROUP BY webhook_id
  ),
  judged AS (
    SELECT webhook.id, standing.has_success,
           CASE WHEN webhook.disabled_at IS NOT NULL THEN NULL
                WHEN standing.is_gone THEN $8::text
                WHEN NOT standing.has_success AND webhook.failing_since < now() - INTERVAL '${MOST_FAILING_DAYS} days' THEN $9::text
           END AS reason
    FROM standing
    JOIN webhook ON webhook.id = standing.webhook_id
    WHERE standing.is_gone OR NOT standing.has_success OR webhook.failing_since IS NOT NULL
    ORDER BY webhook.id
    FOR NO KEY UPDATE OF webhook
  )
  UPDATE webhook
  SET failing_since = CASE WHEN judged.has_success THEN NULL ELSE COALESCE(webhook.failing_since, now()) END,
      disabled_at = CASE WHEN judged.reason IS NULL THEN webhook.disabled_at ELSE now() END,
      disabled_reason = COALESCE(judged.reason, webhook.disabled_reason)
  FROM judged
  WHERE webhook.id = judged.id AND (judged.reason IS NOT NULL OR judged.has_success = (webhook.failing_since IS NOT NULL))
  RETURNING webhook.id, judged.reason`;

/** Records the outcomes of attempts. @returns the webhooks that they have disabled, and why. */
export async function recordOutcomes(
  database: Queryable,
  outcomes: readonly Outcome[],
): Promise<{ id: bigint; reason: string }[]> {
  const column = <Name extends keyof Outcome>(name: Name) => outcomes.map((outcome) => outcome[name]);
  const rows = await database.query<{ id: bigint; reason: string | null }>(
    RECORD,
    [
      column('id'),
      column('attempt'),
      column('isDelivered'),
      column('delayMs'),
      column('isGone'),
      column('status'),
      column('error'),
      GONE,
      FAILING,
    ],
    { name: 'webhook_record' },
  );
  return rows.flatMap(({ id, reason }) => (reason === null ? [] : [{ id, reason }]));
}

const RELEASE = `
  UPDATE webhook_delivery AS delivery
  SET attempts = delivery.attempts - 1, leased_until = NULL, next_attempt_at = now()
  FROM unnest($1::bigint[], $2::int[]) AS released (id, attempt)
  WHERE delivery.id = released.id AND delivery.attempts = released.attempt AND ${IS_WAITING}`;

/** Ends the leases of messages whose attempts were cut off, so that another gateway sends them at once. */
export async function releaseMessages(
  database: Queryable,
  messages: readonly Pick<ClaimedMessage, 'id' | 'attempts'>[],
): Promise<void> {
  const parameters = [messages.map(({ id }) => id), messages.map(({ attempts }) => attempts)];
  await database.query(RELEASE, parameters, { name: 'webhook_release' });
}

const HAS_WEBHOOKS = 'SELECT EXISTS (SELECT FROM webhook WHERE disabled_at IS NULL OR verify_at IS NOT NULL) AS "isSo"';

/** Whether any webhook is enabled, or its address is to be confirmed. */
export async function hasWebhooks(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ isSo: boolean }>(HAS_WEBHOOKS, [], { name: 'webhook_exists', isCurrent: true });
  return row?.isSo === true;
}

/** The most messages that {@link readQueue} counts. */
export const MOST_COUNTED = 10_000;

const QUEUE = `
  SELECT count(*)::int AS due, COALESCE(EXTRACT(EPOCH FROM now() - min(next_attempt_at)), 0)::float8 AS "oldestSeconds"
  FROM (
    SELECT delivery.next_attempt_at
    FROM webhook_delivery AS delivery
    JOIN webhook ON webhook.id = delivery.webhook_id AND webhook.disabled_at IS NULL
    JOIN api_key AS key ON key.id = webhook.key_id AND key.revoked_at IS NULL AND COALESCE(key.expires_at > now(), TRUE)
    WHERE ${IS_WAITING} AND delivery.next_attempt_at <= now()
    LIMIT ${MOST_COUNTED}
  ) AS waiting`;

/** The messages that are due and that no gateway is sending, at most {@link MOST_COUNTED}, and how long the oldest has been due. */
export async function readQueue(database: Queryable): Promise<{ due: number; oldestSeconds: number }> {
  const [row] = await database.query<{ due: number; oldestSeconds: number }>(QUEUE, [], {
    name: 'webhook_queue',
    isCurrent: true,
  });
  return row ?? { due: 0, oldestSeconds: 0 };
}

/** A message to add to the queue. */
export interface NewMessage {
  webhookId: bigint;
  kind: WebhookKind;
  productId: bigint | null;
  /** The change that it speaks of; null for a test. */
  seq: bigint | null;
  payload: Payload;
}

// A webhook may be deleted meanwhile: without the lock, the reference to it would fail all messages.
const ENQUEUE = `
  WITH present AS MATERIALIZED (
    SELECT webhook.id FROM webhook WHERE webhook.id = ANY ($1::bigint[]) ORDER BY webhook.id FOR KEY SHARE
  )
  INSERT INTO webhook_delivery (webhook_id, message_id, kind, product_id, seq, payload)
  SELECT webhook_id, message_id, kind::webhook_kind, product_id, seq, payload::jsonb
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[])
    AS message (webhook_id, message_id, kind, product_id, seq, payload)
  JOIN present ON present.id = webhook_id
  ORDER BY seq, message.webhook_id
  RETURNING id`;

/**
 * Adds messages to the queue, in a transaction of the caller's if it has one; those of webhooks that do not exist any more are left out.
 * @returns the numbers of their deliveries.
 */
export async function enqueueMessages(database: Queryable, messages: readonly NewMessage[]): Promise<bigint[]> {
  const rows = await database.query<{ id: bigint }>(
    ENQUEUE,
    [
      messages.map(({ webhookId }) => webhookId),
      messages.map(makeMessageId),
      messages.map(({ kind }) => kind),
      messages.map(({ productId }) => productId),
      messages.map(({ seq }) => seq),
      messages.map(({ payload }) => JSON.stringify(payload)),
    ],
    { name: 'webhook_enqueue' },
  );
  return rows.map(({ id }) => id);
}

/** Past deliveries to send again: those made from a moment on, or those with these numbers. */
export type Replayed = { from: Date } | { ids: readonly bigint[] };

/** The most deliveries that one replay sends again. */
export const MOST_REPLAYED = 1_000;
/** The most ids of deliveries in one replay. */
export const MOST_REPLAYED_IDS = 100;

const REPLAY = `
  WITH chosen AS (
    SELECT delivery.id, delivery.created_at
    FROM webhook_delivery AS delivery
    WHERE delivery.webhook_id = $1::bigint AND NOT (${IS_WAITING})
      -- Tests are sent again only if they are named.
      AND COALESCE(delivery.created_at >= $2::timestamptz, delivery.id = ANY ($3::bigint[]))
      AND ($2::timestamptz IS NULL OR delivery.seq IS NOT NULL)
    ORDER BY delivery.id
    LIMIT CASE WHEN $2::timestamptz IS NULL THEN ${MOST_REPLAYED_IDS} ELSE $4::int + 1 END
    FOR UPDATE
  ),
  replayed AS (
    UPDATE webhook_delivery AS delivery
    SET delivered_at = NULL, given_up_at = NULL, attempts = 0, due_since = now(), next_attempt_at = now()
    WHERE delivery.id IN (SELECT id FROM chosen ORDER BY id LIMIT $4::int)
    RETURNING delivery.id
  )
  SELECT (SELECT count(*) FROM replayed)::int AS count,
         (SELECT created_at FROM chosen WHERE $2::timestamptz IS NOT NULL ORDER BY id OFFSET $4::int) AS "nextFrom",
         (SELECT array_agg(id) FROM (SELECT id FROM chosen ORDER BY id OFFSET $4::int) AS beyond
          WHERE $2::timestamptz IS NULL) AS remaining`;

/** The result of a replay, with what there was no room for: of one by time, the time of the next delivery; of one by ids, the ids. */
export interface ReplayResult {
  count: number;
  nextFrom: Date | null;
  remaining: bigint[] | null;
}

/** Makes past deliveries of a webhook due again, oldest first. */
export async function replayMessages(
  database: Queryable,
  webhookId: bigint,
  replayed: Replayed,
  most: number,
): Promise<ReplayResult> {
  const parameters = [webhookId, ...('from' in replayed ? [replayed.from, null] : [null, replayed.ids]), most];
  const [row] = await database.query<ReplayResult>(REPLAY, parameters, { name: 'webhook_replay' });
  return row ?? { count: 0, nextFrom: null, remaining: null };
}

// A statement of a request must be short.
const MOST_DELETED = 5_000;

const DELETE_OF_WEBHOOK = `
  DELETE FROM webhook_delivery
  WHERE id IN (SELECT id FROM webhook_delivery WHERE webhook_id = $1::bigint LIMIT ${MOST_DELETED})
  RETURNING 1`;

/** Deletes all deliveries of a webhook, in short steps. */
export async function deleteDeliveries(database: Queryable, webhookId: bigint): Promise<void> {
  for (let count = MOST_DELETED; count === MOST_DELETED; ) {
    const rows = await database.query(DELETE_OF_WEBHOOK, [webhookId], { name: 'webhook_delete' });
    count = rows.length;
  }
}
