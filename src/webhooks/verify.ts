/**
 * Confirms the addresses of webhooks, so that nobody can have messages sent to a stranger: a signed message `webhook.verify` has a random
 * text, which the receiver must repeat. Until then the webhook is disabled. Attempts are limited by key and by host.
 */
import { randomBytes } from 'node:crypto';
import type { RateLimits, RateState } from '../access/rate-limit.ts';
import type { Database, Queryable } from '../database/database.ts';
import { encodeId } from '../values/id.ts';
import type { ReceiverRules } from './check-url.ts';
import { LEASE_SECONDS } from './delivery-queue.ts';
import { VERIFICATION } from './payload.ts';
import { openSecret } from './secret.ts';
import { openSender } from './send.ts';
import { makeMessageId } from './sign.ts';

/** The longest that a receiver may take to confirm its address. */
export const VERIFY_MS = 10_000;
/** The most attempts a minute for all webhooks of a key. */
export const MOST_ATTEMPTS_OF_KEY = 10;
/** The most attempts a minute at one host, for all keys. */
export const MOST_ATTEMPTS_AT_HOST = 30;
/** The pauses between attempts, which give the owner time to store the secret. */
export const VERIFY_DELAYS_MS: readonly number[] = [10_000, 60_000, 600_000, 3_600_000];
// One of each key at a time, so that silent receivers of a few keys delay no others.
const MOST_UNDER_WAY = 64;

const MUST_CONFIRM =
  'The receiver has not confirmed its address: it must answer `webhook.verify` with `data.challenge` alone as the body.';

/** The columns of a webhook whose address must be confirmed from now on. */
export const unconfirmed = () => {
  const now = new Date();
  return { disabledAt: now, disabledReason: MUST_CONFIRM, failingSince: null, verifyAttempts: 0, verifyAt: now };
};

/** The columns of a webhook whose address is confirmed and that is enabled. */
export const CONFIRMED = {
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
  verifyAttempts: null,
  verifyAt: null,
} as const;

/** A webhook whose address is to be confirmed now. */
interface Claimed {
  id: bigint;
  keyId: bigint;
  url: string;
  secret: string;
  attempts: number;
}

// By webhook_verify_idx. One of each key.
const CLAIM = `
  WITH due AS (
    SELECT id
    FROM webhook
    WHERE verify_at <= now() AND id IN (
      SELECT DISTINCT ON (webhook.key_id) webhook.id
      FROM webhook
      JOIN api_key AS key ON key.id = webhook.key_id
      WHERE webhook.verify_at <= now() AND NOT (key.id = ANY ($1::bigint[]))
        AND key.revoked_at IS NULL AND COALESCE(key.expires_at > now(), TRUE)
      ORDER BY webhook.key_id, webhook.verify_at, webhook.id
    )
    ORDER BY verify_at
    LIMIT $2::int
    FOR UPDATE SKIP LOCKED
  )
  UPDATE webhook
  SET verify_attempts = COALESCE(verify_attempts, 0) + 1, verify_at = now() + INTERVAL '${LEASE_SECONDS} seconds'
  FROM due
  WHERE webhook.id = due.id
  RETURNING webhook.id, webhook.key_id AS "keyId", webhook.url, webhook.secret, webhook.verify_attempts AS attempts`;

// A change of the webhook in the meantime wins.
const RECORD = `
  UPDATE webhook
  SET verify_attempts = CASE WHEN $4::bool THEN NULL ELSE $5::int END,
      verify_at = now() + $6::bigint * INTERVAL '1 millisecond',
      disabled_at = CASE WHEN $4::bool THEN NULL ELSE disabled_at END,
      disabled_reason = CASE WHEN $4::bool THEN NULL ELSE COALESCE($7::text, disabled_reason) END
  WHERE id = $1::bigint AND url = $2::text AND verify_attempts = $3::int AND verify_at IS NOT NULL`;

interface Recorded {
  isConfirmed?: boolean;
  /** The attempts that count. */
  counted?: number;
  /** Before the next attempt; none follows without it. */
  pauseMs?: number | undefined;
  reason?: string;
}

async function record(
  database: Queryable,
  { id, url, attempts }: Claimed,
  { isConfirmed = false, counted = attempts, pauseMs, reason }: Recorded,
): Promise<void> {
  const values = [id, url, attempts, isConfirmed, counted, pauseMs ?? null, reason ?? null];
  await database.query(RECORD, values, { name: 'webhook_verify' });
}

interface VerifierOptions extends ReceiverRules {
  rates: RateLimits;
  /** Ends attempts early. */
  cutOff: AbortSignal;
  /** An address was confirmed, or there is room for the next attempt. */
  onEnd(): void;
  onFailure(error: unknown): void;
}

/** Opens the verifier of a gateway. */
export function openVerifier(database: Database, { rates, cutOff, onEnd, onFailure, ...rules }: VerifierOptions) {
  const sender = openSender({ ...rules, responseMs: VERIFY_MS, idleConnections: 0 });
  const busyKeys = new Set<bigint>();

  /** The full limit that forbids an attempt, if one does. */
  const takeAttempt = async ({ keyId, url }: Claimed): Promise<RateState | undefined> => {
    const ofKey = await rates.take(`verify ${keyId}`, MOST_ATTEMPTS_OF_KEY, 1);
    if (!ofKey.isAllowed) return ofKey;
    const atHost = await rates.take(`verify ${new URL(url).hostname}`, MOST_ATTEMPTS_AT_HOST, 1);
    return atHost.isAllowed ? undefined : atHost;
  };

  async function attempt(claimed: Claimed): Promise<void> {
    const { id, url, attempts } = claimed;
    const full = await takeAttempt(claimed);
    if (full) return record(database, claimed, { counted: attempts - 1, pauseMs: full.resetAt - Date.now() });
    const challenge = randomBytes(24).toString('base64url');
    const data = { webhookId: encodeId('webhook', id), challenge };
    const body = JSON.stringify({ type: VERIFICATION, timestamp: new Date().toISOString(), data });
    const sent = await sender.send(
      { url, secret: () => openSecret(database, claimed), messageId: makeMessageId(), body },
      cutOff,
    );
    // Another gateway tries again when the lease has ended.
    if (cutOff.aborted) return;
    if (sent.isDelivered && sent.text?.trim() === challenge) return record(database, claimed, { isConfirmed: true });
    const pauseMs = VERIFY_DELAYS_MS[attempts - 1];
    const next = pauseMs === undefined ? 'Enable the webhook to try again.' : 'Another attempt follows.';
    const why = sent.error ?? `It answered ${sent.status} with ${sent.text?.trim() ? 'another' : 'no'} body.`;
    return record(database, claimed, { pauseMs, reason: `${MUST_CONFIRM} ${why} ${next}` });
  }

  return {
    /** Starts the attempts that are due. */
    async step(): Promise<void> {
      const parameters = [[...busyKeys], MOST_UNDER_WAY - busyKeys.size];
      const claimed = await database.query<Claimed>(CLAIM, parameters, { name: 'webhook_verify' });
      for (const each of claimed) {
        busyKeys.add(each.keyId);
        void attempt(each)
          .catch(onFailure)
          .then(() => {
            busyKeys.delete(each.keyId);
            onEnd();
          });
      }
    },
    /** Closes the connections. */
    close: sender.close,
  };
}
