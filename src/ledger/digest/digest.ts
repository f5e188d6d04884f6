/**
 * Runs the digest in the background, never during a request: short steps while products are due, with pauses that leave the database to
 * requests. All gateways take part.
 */
import { type Database, isUnavailable } from '../../database/database.ts';
import { isOutOfTime } from '../../database/replica.ts';
import type { Consumer } from './consumer.ts';
import { CONSUMERS } from './consumers.ts';
import { DigestFailed, digestStep, enqueueJudged, hasDueProduct, setAside } from './digest-step.ts';

const PAUSES = {
  /** The pause before the first step. */
  firstMs: 500,
  /** The pause after the queue was found empty: an import shows this much later. */
  idleMs: 1_000,
  /** The pause after a failure of the database. */
  failedMs: 5_000,
  /** The shortest pause between two steps. */
  stepMs: 20,
};
// A pause is at least this many times as long as the step before it.
const PAUSE_PER_STEP = 3;
// A gateway computes for 4 ms for so many products. Its requests wait meanwhile.
const MOST_PRODUCTS = 40;
// An import that changes a product of a step waits for its end, so a step is to be about this short.
const STEP_MS = 50;

/** Receives the failures of the digest. */
export interface DigestObserver {
  /** A step failed and is retried. */
  onFailure(error: unknown): void;
  /** The digest of a product failed twice, once alone, so it is set aside for a day or until it changes. */
  onSetAside(productId: bigint, error: unknown): void;
}

/** Starts the digest. */
export function startDigest(
  database: Database,
  { onFailure, onSetAside }: DigestObserver,
  { pauses = PAUSES, consumers = CONSUMERS as readonly Consumer[] } = {},
) {
  let isStopped = false;
  let most = MOST_PRODUCTS;
  // Steps go on from product to product and then start over, so that no step reads past the entries that earlier steps have deleted.
  let after = 0n;
  let timer = setTimeout(takeStep, pauses.firstMs).unref();

  /** @returns the pause after the step. */
  async function digest(): Promise<number> {
    if (after === 0n && !(await hasDueProduct(database)) && !(await enqueueJudged(database))) return pauses.idleMs;
    const startedAt = performance.now();
    const taken = await digestStep(database, most, after, consumers);
    const tookMs = performance.now() - startedAt;
    // Nothing was taken although a product is due: an import is about to change it, or another gateway digests it.
    if (taken.length === 0 && after === 0n) return pauses.idleMs;
    after = taken.at(-1) ?? 0n;
    const room = Math.round((taken.length * STEP_MS) / tookMs);
    if (taken.length > 0) most = Math.min(MOST_PRODUCTS, Math.max(1, room), most * 2);
    return Math.max(pauses.stepMs, tookMs * PAUSE_PER_STEP);
  }

  async function noteFailure(error: unknown): Promise<number> {
    const { cause, productIds } = error instanceof DigestFailed ? error : { cause: error, productIds: [] };
    const [productId] = productIds;
    // If the database is unavailable, the products are not at fault. If a statement timed out, they may be.
    if (productId === undefined || (isUnavailable(cause) && !isOutOfTime(cause))) {
      if (!isStopped) onFailure(cause);
      return pauses.failedMs;
    }
    if (productIds.length > 1) {
      most = 1;
      if (!isStopped) onFailure(cause);
      return pauses.stepMs;
    }
    await setAside(database, productId);
    onSetAside(productId, cause);
    return pauses.stepMs;
  }

  async function takeStep(): Promise<void> {
    const pauseMs = await digest()
      .catch(noteFailure)
      .catch((error) => {
        if (!isStopped) onFailure(error);
        return pauses.failedMs;
      });
    if (!isStopped) timer = setTimeout(takeStep, pauseMs).unref();
  }

  return {
    /** Stops taking steps. A running step is one transaction, so nobody has to wait for it. */
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
