/** Reads of products from a distributed ledger: many with one statement, while all of its servers answer. */
import { batched, groupProducts, type ProductGroup, type ProductKey } from './batch.ts';
import { DatabaseUnavailable } from './database.ts';
import type { InTurn } from './in-turn.ts';

// A few products for each of the usual 32 shards.
const LARGEST = 100;
// Those beyond the batches that run take turns (in-turn.ts), so that one request for very many does not hold up others.
const MOST_PENDING = 2 * LARGEST;
const PATIENCE_MS = 200;
// A statement that fails later has probably waited for a server that hangs. Together with the patience, the wait for a turn (in-turn.ts) and the
// timeout of a statement (postgres.ts), a second reading after this time still ends about six seconds after the request.
const FAST_FAILURE_MS = 500;
const ALONE_MS = 60_000;
// Longer than the timeout of a statement.
const TRIAL_MS = 5_000;

export interface ShardReads<Window, Value> {
  /** Reads several products with one statement, which fails if one of their servers fails. Products without a value are absent. */
  together(productIds: readonly bigint[], window: Window): Promise<Map<bigint, Value>>;
  /** Reads one product from its server. */
  alone(productId: bigint, window: Window): Promise<Value | undefined>;
}

/** Stands for the value of a product that is to be read by itself. */
const ALONE = Symbol('alone');

/**
 * Opens a reader that combines the products of concurrent requests, as {@link batched} does. After a failure, it reads each product by itself
 * for a minute, so the loss of one server fails only the products on it; then one statement for several products is tried. If a statement
 * fails fast, the reader reads its products again. If it fails late, it fails for all of them. The reader also throws DatabaseUnavailable if no
 * turn comes in time.
 *
 * @param nameOf a name that differs for windows that need different statements.
 */
export function openShardReads<Window, Value>(
  inTurn: InTurn,
  nameOf: (window: Window) => string,
  { together, alone }: ShardReads<Window, Value>,
): (key: ProductKey<Window>) => Promise<Value | undefined> {
  /** 0 unless a statement has failed and none has succeeded since. */
  let aloneUntil = 0;
  let lastFailure: unknown;
  let pending = 0;
  const isAlone = () => performance.now() < aloneUntil;
  const readAlone = ({ productId, window }: ProductKey<Window>) => inTurn(() => alone(productId, window));

  /** Returns undefined if the products are to be read by themselves. */
  const tryTogether = async ({ productIds, window }: ProductGroup<Window>) => {
    if (isAlone()) return undefined;
    const isTrial = aloneUntil > 0;
    if (isTrial) aloneUntil = performance.now() + TRIAL_MS;
    try {
      const values = await together(productIds, window);
      if (isTrial) aloneUntil = 0;
      return values;
    } catch (error) {
      lastFailure = error;
      aloneUntil = performance.now() + ALONE_MS;
      return undefined;
    }
  };
  /** Returns a function for the value of each product of a group. */
  const readGroup = async (
    group: ProductGroup<Window>,
  ): Promise<(productId: bigint) => Value | undefined | typeof ALONE> => {
    const [first] = group.productIds;
    if (first !== undefined && group.productIds.length === 1) {
      const value = await readAlone({ productId: first, window: group.window });
      return () => value;
    }
    const askedAt = performance.now();
    const values = isAlone() ? undefined : await inTurn(() => tryTogether(group));
    if (values) return (productId) => values.get(productId);
    if (performance.now() - askedAt > FAST_FAILURE_MS) {
      throw new DatabaseUnavailable('A server of the ledger does not answer.', {
        cause: lastFailure,
        isUndecided: false,
      });
    }
    return () => ALONE;
  };
  const loader = batched<ProductKey<Window>, Value | undefined | typeof ALONE>(
    (keys) => {
      const groups = [...groupProducts(keys, nameOf)];
      const values = new Map(groups.map(([name, group]) => [name, readGroup(group)]));
      const readOne = async ({ productId, window }: ProductKey<Window>) =>
        (await values.get(nameOf(window)))?.(productId);
      return Promise.all(keys.map((key) => readOne(key).catch(asError)));
    },
    { largest: LARGEST, patienceMs: PATIENCE_MS },
  );
  return async (key) => {
    if (isAlone() || pending >= MOST_PENDING) return readAlone(key);
    pending += 1;
    try {
      const value = await loader.load(key);
      if (value !== ALONE) return value;
    } finally {
      pending -= 1;
    }
    return readAlone(key);
  };
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
