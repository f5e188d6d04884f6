/** A limit on the work that waits for other servers at a time. */
import { DatabaseUnavailable } from './database.ts';

// The other connections of the process serve other requests meanwhile.
const AT_ONCE = 4;
// As long as requests wait for a connection (postgres.ts): a server that hangs must not let them wait past their own limit.
const TURN_MS = 1_500;

/** Runs work in its turn. @throws {DatabaseUnavailable} if the turn does not come within {@link TURN_MS} ms. */
export type InTurn = <Value>(work: () => Promise<Value>) => Promise<Value>;

/** Opens a limit, which all callers of the result share: {@link AT_ONCE} at a time, first come, first served. */
export function openTurns(atOnce = AT_ONCE, turnMs = TURN_MS): InTurn {
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

  return async (work) => {
    await turn();
    try {
      return await work();
    } finally {
      pass();
    }
  };
}
