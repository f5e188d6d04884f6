/** Reads keys with a statement of their own each, where a distributed engine sends them to different servers. */
import { DatabaseUnavailable } from './database.ts';

/** The statements of a {@link ReadEach} that run at a time. The other connections of the process serve other requests meanwhile. */
export const STATEMENTS_AT_ONCE = 4;
// As long as requests wait for a connection (postgres.ts): a server that hangs must not let them wait past their own limit.
const TURN_MS = 1_500;

/**
 * Reads each key. The error of one key fails no other. {@link STATEMENTS_AT_ONCE} statements run at a time, whatever the number of callers; a
 * key that waits longer than {@link TURN_MS} ms for its turn gets {@link DatabaseUnavailable}.
 */
export type ReadEach = <Key, Value>(
  keys: readonly Key[],
  read: (key: Key) => Promise<Value>,
) => Promise<Map<Key, Value | Error>>;

/** Opens a reader, whose callers share its limit. */
export function openReadEach(atOnce = STATEMENTS_AT_ONCE, turnMs = TURN_MS): ReadEach {
  let free = atOnce;
  const waiting: (() => void)[] = [];

  const turn = () =>
    new Promise<void>((resolve, reject) => {
      if (free > 0) {
        free -= 1;
        resolve();
        return;
      }
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(new DatabaseUnavailable('The servers of the ledger are busy.', { isUndecided: false }));
      }, turnMs);
      waiting.push(go);
    });
  const pass = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };

  const inTurn = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    await turn();
    try {
      return await work();
    } finally {
      pass();
    }
  };

  return async <Key, Value>(keys: readonly Key[], read: (key: Key) => Promise<Value>) => {
    const outcomes = await Promise.allSettled(keys.map((key) => inTurn(() => read(key))));
    return new Map<Key, Value | Error>(
      outcomes.map((outcome, index) => [
        keys[index] as Key,
        outcome.status === 'fulfilled' ? outcome.value : asError(outcome.reason),
      ]),
    );
  };
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));
