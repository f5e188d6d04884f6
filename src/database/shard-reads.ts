/** Reads of products from a distributed ledger: many with one statement, while all of its servers answer. */
import { batched, groupProducts, type ProductGroup, type ProductKey } from './batch.ts';
import type { InTurn } from './in-turn.ts';

// A few products of each of the usual 32 shards, and no more entries than the service should have in memory at once.
const LARGEST = 100;
// A batch that waits for a server that hangs fails after four seconds. Together with the wait for a turn, later ones must stay below six.
const PATIENCE_MS = 200;
// A statement that took longer has waited for a server that hangs, or nearly so.
const AT_ONCE_MS = 1_000;
// Each trial of a batch may delay the products on other servers.
const ALONE_MS = 60_000;

export interface ShardReads<Window, Value> {
  /** Reads several products with one statement, which fails if one of their servers fails. Products without a value are absent. */
  together(productIds: readonly bigint[], window: Window): Promise<Map<bigint, Value>>;
  /** Reads one product from its server. */
  alone(productId: bigint, window: Window): Promise<Value | undefined>;
}

/**
 * Opens a reader that combines the products of concurrent requests, as {@link batched} does. After a failure, it reads each product by itself
 * for a minute, so the loss of one server fails only the products on it. Those whose statement failed at once are read again. Those that waited
 * fail, because a second wait would exceed the time that a request may take.
 *
 * @param nameOf a name that differs for different windows.
 */
export function openShardReads<Window, Value>(
  inTurn: InTurn,
  nameOf: (window: Window) => string,
  { together, alone }: ShardReads<Window, Value>,
): (key: ProductKey<Window>) => Promise<Value | undefined> {
  let aloneUntil = 0;
  const readAlone = ({ productId, window }: ProductKey<Window>) => inTurn(() => alone(productId, window));
  /** Returns undefined if the products are to be read by themselves. */
  const tryTogether = async ({ productIds, window }: ProductGroup<Window>) => {
    const startedAt = performance.now();
    try {
      return await together(productIds, window);
    } catch (error) {
      const failedAt = performance.now();
      aloneUntil = failedAt + ALONE_MS;
      if (failedAt - startedAt > AT_ONCE_MS) throw error;
      return undefined;
    }
  };
  /** Returns a function for the value of each product of a group. */
  const readGroup = async (group: ProductGroup<Window>): Promise<ValueOf<Value>> => {
    const { productIds, window } = group;
    const [first] = productIds;
    if (first !== undefined && productIds.length === 1) {
      const value = await readAlone({ productId: first, window });
      return () => value;
    }
    const values = await inTurn(() => tryTogether(group));
    return (productId) => (values ? values.get(productId) : readAlone({ productId, window }));
  };
  const loader = batched<ProductKey<Window>, Value | undefined>(
    (keys) => {
      const groups = [...groupProducts(keys, nameOf)];
      const values = new Map(groups.map(([name, group]) => [name, readGroup(group)]));
      const readOne = async ({ productId, window }: ProductKey<Window>) =>
        (await values.get(nameOf(window)))?.(productId);
      return Promise.all(keys.map((key) => readOne(key).catch(asError)));
    },
    { largest: LARGEST, patience: PATIENCE_MS },
  );
  return (key) => (performance.now() < aloneUntil ? readAlone(key) : loader.load(key));
}

type ValueOf<Value> = (productId: bigint) => Value | undefined | Promise<Value | undefined>;

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
