/**
 * Delivers the messages of webhooks in the background. Each gateway leases due messages from the shared queue, sends them with bounded
 * concurrency, and records the outcomes of many at once. Delivery is at least once, each time with the same message id.
 */
import { setMaxListeners } from 'node:events';
import type { LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openRateLimits, type RateLimits } from '../access/rate-limit.ts';
import type { Database } from '../database/database.ts';
import { openBudgets } from './budget.ts';
import {
  type ClaimedMessage,
  claimMessages,
  hasWebhooks,
  type Outcome,
  readQueue,
  recordOutcomes,
  releaseMessages,
} from './delivery-queue.ts';
import { MOST_OF_WEBHOOK, openPaces } from './pace.ts';
import { RETRY_DELAYS_MS, retryDelayOf } from './schedule.ts';
import { openSecret } from './secret.ts';
import { openSender, RESPONSE_MS, type Sent } from './send.ts';
import { tidyDeliveries } from './tidy.ts';
import { openVerifier } from './verify.ts';

/** The most messages on their way at once in a process. */
export const MOST_UNDER_WAY = 256;
/** The number of one key's messages from which it gets no more, so that a key with many slow receivers leaves room for other keys. */
export const MOST_OF_KEY = 64;
// A key may have no message on its way before a claim, and this many after it.
const MOST_CLAIMED = MOST_OF_KEY;
/** The most messages a second of a process on average, so that a large number of them leaves the processor to requests. */
export const MOST_A_SECOND = 250;
// Between two claims, messages end whose places the second one fills together.
const CLAIM_EVERY_MS = 20;
// Outcomes in one statement, and how long the first of them waits for others. If the process dies meanwhile, receivers get these messages twice.
const MOST_RECORDED = 200;
const RECORD_AFTER_MS = 100;

const PAUSES = {
  /** The pause after the queue was found empty. */
  idleMs: 500,
  /** The pause while no webhook is enabled. */
  withoutWebhooksMs: 2_000,
  /** The pause after a failure of the database. */
  failedMs: 2_000,
  /** The time between two checks whether a webhook is still enabled. */
  existsMs: 10_000,
  /** The time between two measurements of the queue. */
  queueMs: 10_000,
  /** The time between two steps that delete old deliveries; a second if there is more to do. */
  tidyMs: 600_000,
  /** How long a stop waits for receivers before it cuts them off. */
  graceMs: 4_000,
};

/** Receives what happens, for metrics and the log. */
export interface DeliveryObserver {
  /** An attempt has ended. `given_up`: it failed, and was the last one. */
  onAttempt(result: 'delivered' | 'failed' | 'given_up', seconds: number): void;
  /** The state of the queue, measured now and then. */
  onQueue(queue: { due: number; oldestSeconds: number }): void;
  /** A webhook was disabled by its receiver's failures. */
  onDisabled(webhookId: bigint, reason: string): void;
  /** A step failed and is retried. */
  onFailure(error: unknown): void;
}

export interface DeliveryOptions {
  isPrivateAllowed: boolean;
  observer: DeliveryObserver;
  /** Count messages and attempts to confirm addresses; by default in this process only. */
  rates?: RateLimits;
  lookup?: LookupFunction | undefined;
  /** The pauses between attempts. */
  delaysMs?: readonly number[];
  responseMs?: number;
  pauses?: Partial<typeof PAUSES>;
}

export type Deliveries = ReturnType<typeof startDeliveries>;

/** Starts to deliver. */
export function startDeliveries(
  database: Database,
  {
    isPrivateAllowed,
    observer,
    rates = openRateLimits(),
    lookup,
    delaysMs = RETRY_DELAYS_MS,
    responseMs = RESPONSE_MS,
    pauses: givenPauses,
  }: DeliveryOptions,
) {
  const pauses = { ...PAUSES, ...givenPauses };
  const sender = openSender({ isPrivateAllowed, lookup, responseMs, idleConnections: MOST_OF_WEBHOOK });
  const underWay = new Map<bigint, ClaimedMessage>();
  const ofWebhook = new Map<bigint, number>();
  const ofKey = new Map<bigint, number>();
  const paces = openPaces();
  const budgets = openBudgets(rates);
  const cutOff = new AbortController();
  // All messages on their way listen, and each lets go at its end: Node would take more than ten for a leak.
  setMaxListeners(0, cutOff.signal);
  const verifier = openVerifier(database, {
    isPrivateAllowed,
    lookup,
    rates,
    cutOff: cutOff.signal,
    onEnd: lookAgain,
    onFailure: (error) => !stopping && observer.onFailure(error),
  });
  let outcomes: Outcome[] = [];
  let recording: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;
  let onIdle = () => {};

  let looking: Promise<void> | undefined;
  let mustLookAgain = false;
  let exists = false;
  let after = 0n;
  let nextClaimAt = 0;
  let nextExistsAt = 0;
  let nextQueueAt = 0;
  let nextTidyAt = 0;
  let timer = setTimeout(look, Math.min(pauses.idleMs, pauses.withoutWebhooksMs)).unref();

  const lookIn = (pauseMs: number) => {
    clearTimeout(timer);
    if (!stopping) timer = setTimeout(look, Math.max(pauseMs, nextClaimAt - performance.now())).unref();
  };

  /** Looks again at once, or after the look that is in progress. */
  function lookAgain(): void {
    if (looking) mustLookAgain = true;
    else lookIn(0);
  }

  /** Looks for due messages; one look at a time. */
  function look(): void {
    if (looking) return;
    mustLookAgain = false;
    looking = takeStep()
      .catch((error) => {
        if (!stopping) observer.onFailure(error);
        return pauses.failedMs;
      })
      .then((pauseMs) => {
        looking = undefined;
        lookIn(mustLookAgain ? 0 : pauseMs);
      });
  }

  /** @returns the pause before the next step. */
  async function takeStep(): Promise<number> {
    const now = performance.now();
    if (!exists || now >= nextExistsAt) {
      nextExistsAt = now + pauses.existsMs;
      // Those of a webhook that was disabled just now may still be under way.
      exists = (await hasWebhooks(database)) || underWay.size > 0;
    }
    await maintain(now);
    if (!exists) return pauses.withoutWebhooksMs;
    if (!stopping) await verifier.step();
    return (await claim()) > 0 ? 0 : pauses.idleMs;
  }

  async function claim(): Promise<number> {
    const most = Math.min(MOST_UNDER_WAY - underWay.size, MOST_CLAIMED);
    // A message that has been sent looks again.
    if (most <= 0 || stopping) return 0;
    const room = paces.rooms(ofWebhook);
    const busyKeys = [...ofKey].flatMap(([id, count]) => (count >= MOST_OF_KEY ? [id] : []));
    const fullKeys = [...busyKeys, ...budgets.spentKeys()];
    const claimed = await claimMessages(database, { after, room, fullKeys, most });
    nextClaimAt = performance.now() + Math.max(CLAIM_EVERY_MS, (claimed.length * 1_000) / MOST_A_SECOND);
    // Claims go on from webhook to webhook and then start over, so that each gets its turn.
    const wasFromStart = after === 0n;
    after =
      claimed.length < most ? 0n : claimed.reduce((last, { webhookId }) => (webhookId > last ? webhookId : last), 0n);
    const { fitting, excess } = stopping ? { fitting: [], excess: claimed } : await budgets.take(claimed);
    if (excess.length > 0) await releaseMessages(database, excess);
    fitting.forEach((message, index) => void deliver(message, (index * 1_000) / MOST_A_SECOND));
    if (claimed.length === 0 && !wasFromStart) return claim();
    return claimed.length;
  }

  /**
   * Sends a claimed message. Never rejects.
   * @param waitMs how long it waits for those before it: to sign and send dozens at once would hold up requests for milliseconds.
   */
  async function deliver(message: ClaimedMessage, waitMs: number): Promise<void> {
    const { id, webhookId, keyId, url, secret, messageId, payload } = message;
    underWay.set(id, message);
    count(ofWebhook, webhookId, 1);
    count(ofKey, keyId, 1);
    if (waitMs >= 1) await pause(waitMs);
    const startedAt = performance.now();
    const sent = await sender.send(
      { url, secret: () => openSecret(database, { id: webhookId, secret }), messageId, body: JSON.stringify(payload) },
      cutOff.signal,
    );
    count(ofWebhook, webhookId, -1);
    count(ofKey, keyId, -1);
    // An attempt that the stop has cut off stays under way; its lease is released.
    if (cutOff.signal.aborted) return;
    underWay.delete(id);
    const seconds = (performance.now() - startedAt) / 1_000;
    paces.note(webhookId, sent.status !== null, seconds);
    note(message, sent, seconds);
    if (underWay.size === 0) onIdle();
    // There is room again, for which messages may wait.
    lookAgain();
  }

  function note({ id, attempts, ageMs }: ClaimedMessage, sent: Sent, seconds: number): void {
    const { isDelivered, status, error, retryAfterMs } = sent;
    const isGone = status === 410;
    const delayMs = isDelivered || isGone ? undefined : retryDelayOf({ attempts, ageMs, retryAfterMs }, delaysMs);
    observer.onAttempt(isDelivered ? 'delivered' : delayMs === undefined ? 'given_up' : 'failed', seconds);
    outcomes.push({ id, attempt: attempts, isDelivered, delayMs: delayMs ?? null, isGone, status, error });
    recording ??= record().finally(() => {
      recording = undefined;
    });
  }

  /** Records outcomes until none is left. Those that arrive during a statement are recorded together by the next one. */
  async function record(): Promise<void> {
    while (outcomes.length > 0) {
      if (!stopping && outcomes.length < MOST_RECORDED) await pause(RECORD_AFTER_MS);
      const batch = outcomes.slice(0, MOST_RECORDED);
      try {
        const disabled = await recordOutcomes(database, batch);
        outcomes = outcomes.slice(batch.length);
        for (const { id, reason } of disabled) observer.onDisabled(id, reason);
      } catch (error) {
        // Without its outcome, a message is sent again when its lease has ended.
        if (stopping) return;
        observer.onFailure(error);
        await new Promise<void>((resolve) => void setTimeout(resolve, pauses.failedMs).unref());
      }
    }
  }

  /** Measures the queue and deletes old deliveries, when it is time. */
  async function maintain(now: number): Promise<void> {
    if (now >= nextQueueAt) {
      nextQueueAt = now + pauses.queueMs;
      observer.onQueue(exists ? await readQueue(database) : { due: 0, oldestSeconds: 0 });
    }
    if (now >= nextTidyAt) {
      nextTidyAt = now + ((await tidyDeliveries(database)) ? 1_000 : pauses.tidyMs);
    }
  }

  async function finish(): Promise<void> {
    clearTimeout(timer);
    // Neither a database nor a receiver that does not respond may hold up the stop.
    const isOver = new Promise<void>((resolve) => void setTimeout(resolve, pauses.graceMs).unref());
    await Promise.race([looking, isOver]);
    if (underWay.size > 0) {
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
      });
      await Promise.race([idle, isOver]);
    }
    cutOff.abort();
    sender.close();
    verifier.close();
    await recording;
    const cut = [...underWay.values()];
    if (cut.length > 0) await releaseMessages(database, cut).catch(observer.onFailure);
  }

  return {
    /** Looks for messages at once, such as after some were added. */
    wake(): void {
      exists = true;
      lookAgain();
    },
    /** Claims no more messages, gives receivers a moment, then releases the messages that were not answered. Repeated calls wait for the same stop. */
    stop(): Promise<void> {
      stopping ??= finish();
      return stopping;
    },
  };
}

function count(counts: Map<bigint, number>, id: bigint, change: 1 | -1): void {
  const left = (counts.get(id) ?? 0) + change;
  if (left > 0) counts.set(id, left);
  else counts.delete(id);
}
