/** Reads of products from a distributed ledger: many with one statement, while all of its servers answer. */
import { batched } from './batch.ts';
import { DatabaseUnavailable } from './database.ts';
import type { InTurn } from './in-turn.ts';

// A product or two for each of the usual 32 shards, and a bound for what one answer of the servers holds.
const LARGEST = 50;
// Beyond these, smaller statements take turns (in-turn.ts) without collecting more products first. Turns are fair, and short ones let the
// products of others through.
const MOST_PENDING = 2 * LARGEST;
const FAIR = 8;
const PATIENCE_MS = 200;
// A statement that fails later has probably waited for a server that hangs. Together with the patience, the wait for a turn (in-turn.ts) and the
// timeout of a statement (postgres.ts), a second reading after this time still ends about six seconds after the request.
const FAST_FAILURE_MS = 500;
const ALONE_MS = 60_000;
// Longer than the timeout of a statement.
const TRIAL_MS = 5_000;

export interface ShardReads<Value> {
  /** Reads several products with one statement, which fails if one of their servers fails. Products without a value are absent. */
  together(productIds: readonly bigint[]): Promise<Map<bigint, Value>>;
  /** Reads one product from its server. */
  alone(productId: bigint): Promise<Value | undefined>;
}

/** Stands for the value of a product that is to be read by itself. */
const ALONE = Symbol('alone');

/**
 * Opens a reader that combines the products of concurrent requests, as {@link batched} does. After a failure, it reads each product by itself
 * for a minute, so the loss of one server fails only the products on it; then one statement for several products is tried. If a statement
 * fails fast, the reader reads its products again. If it fails late, it fails for all of them. The reader also throws DatabaseUnavailable if no
 * turn comes in time.
 */
export function openShardReads<Value>(
  inTurn: InTurn,
  { together, alone }: ShardReads<Value>,
): (productId: bigint) => Promise<Value | undefined> {
  /** 0 unless a statement has failed and none has succeeded since. */
  let aloneUntil = 0;
  let lastFailure: unknown;
  let pending = 0;
  const isAlone = () => performance.now() < aloneUntil;
  const readAlone = (productId: bigint) => inTurn(() => alone(productId));

  /** Returns undefined if the products are to be read by themselves. */
  const tryTogether = async (productIds: readonly bigint[]) => {
    if (isAlone()) return undefined;
    const isTrial = aloneUntil > 0;
    if (isTrial) aloneUntil = performance.now() + TRIAL_MS;
    try {
      const values = await together(productIds);
      if (isTrial) aloneUntil = 0;
      return values;
    } catch (error) {
      lastFailure = error;
      aloneUntil = performance.now() + ALONE_MS;
      return undefined;
    }
  };
  const readTogether = async (productIds: readonly bigint[]) => {
    const askedAt = performance.now();
    const values = isAlone() ? undefined : await inTurn(() => tryTogether(productIds));
    if (values) return values;
    if (performance.now() - askedAt > FAST_FAILURE_MS) {
      throw new DatabaseUnavailable('A server of the ledger does not answer.', {
        cause: lastFailure,
        isUndecided: false,
      });
    }
    return undefined;
  };
  const readBatch = async (keys: readonly bigint[]): Promise<(Value | undefined | typeof ALONE)[]> => {
    const productIds = [...new Set(keys)];
    const [first] = productIds;
    if (first !== undefined && productIds.length === 1) {
      const value = await readAlone(first);
      return keys.map(() => value);
    }
    const values = await readTogether(productIds);
    return keys.map((productId) => (values ? values.get(productId) : ALONE));
  };
  const collecting = batched(readBatch, { largest: LARGEST, patienceMs: PATIENCE_MS });
  const fair = batched(readBatch, { largest: FAIR, mostAtOnce: Number.POSITIVE_INFINITY });
  return async (productId) => {
    if (isAlone()) return readAlone(productId);
    const loader = pending < MOST_PENDING ? collecting : fair;
    pending += 1;
    try {
      const value = await loader.load(productId);
      if (value !== ALONE) return value;
    } finally {
      pending -= 1;
    }
    return readAlone(productId);
  };
}
