/** A limit on the work that waits for other servers at a time. */
import { DatabaseUnavailable } from './database.ts';

// The other connections of the process serve other requests meanwhile.
const AT_ONCE = 4;
// As long as requests wait for a connection (postgres.ts): a server that hangs must not let them wait past their own limit.
const TURN_MS = 1_500;

/** Runs work in its turn. @throws {DatabaseUnavailable} if the turn does not come within {@link TURN_MS} ms. */
export type InTurn = <Value>(work: () => Promise<Value>) => Promise<Value>;

/** The work that was asked for in one turn of the event loop, mostly by one request. */
type Burst = (() => void)[];

/**
 * Opens a limit, which all callers of the result share: {@link AT_ONCE} at a time. Bursts take turns, so one request for very many histories
 * does not hold up those for one.
 */
export function openTurns(atOnce = AT_ONCE, turnMs = TURN_MS): InTurn {
  let free = atOnce;
  let present: Burst | undefined;
  /** None is empty. The first one is next. */
  const bursts: Burst[] = [];

  const ask = (go: () => void): Burst => {
    if (!present) {
      present = [];
      setImmediate(() => {
        present = undefined;
      });
    }
    if (present.length === 0) bursts.push(present);
    present.push(go);
    return present;
  };
  const withdraw = (burst: Burst, go: () => void) => {
    burst.splice(burst.indexOf(go), 1);
    if (burst.length === 0) bursts.splice(bursts.indexOf(burst), 1);
  };
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
      const burst = ask(go);
      const timer = setTimeout(() => {
        withdraw(burst, go);
        reject(new DatabaseUnavailable('The servers of the ledger are busy.', { isUndecided: false }));
      }, turnMs);
    });
  const pass = () => {
    const burst = bursts.shift();
    const go = burst?.shift();
    if (burst && burst.length > 0) bursts.push(burst);
    if (go) go();
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
