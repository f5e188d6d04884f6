/**
 * Keeps the plans of statements that a transaction of the embedded database repeats. PGlite parses and plans each statement anew, which takes
 * longer than to run one for a few rows. Its messages for unnamed statements (PostgreSQL, §54.7) are changed here to name them.
 *
 * A plan can become useless: PostgreSQL refuses it after a change of its table (0A000) or when the session has forgotten it (26000). Its
 * transaction then fails, and cannot be repeated here because `work` has effects of its own. All names are forgotten, so the next one succeeds.
 */
import type { PGlite } from '@electric-sql/pglite';

export type PlanCache = ReturnType<typeof openPlanCache>;

// An import has about 70; those of the last import are not used again if they name its staging table.
const MOST_PLANS = 300;

const [PARSE, DESCRIBE, BIND, EXECUTE, SYNC] = ['P', 'D', 'B', 'E', 'S'].map((letter) => letter.charCodeAt(0));
const STATEMENT = 'S'.charCodeAt(0);
const HEAD_BYTES = 5;

/** Opens the cache of an open database. */
export function openPlanCache(pglite: PGlite) {
  const run = pglite.execProtocolRawSync.bind(pglite);
  const names = new Map<string, string>();
  let isOn = false;
  let count = 0;
  let current = { key: '', name: '', isPrepared: false };
  const forgotten: string[] = [];

  /** Inserts the name of the current statement, which is empty in the message, at this place. */
  const named = (message: Uint8Array, place: number) => {
    const name = Buffer.from(current.name, 'latin1');
    const changed = Buffer.concat([message.subarray(0, place), name, message.subarray(place)]);
    changed.writeInt32BE(changed.length - 1, 1);
    return changed;
  };

  const parse = (message: Uint8Array) => {
    const key = Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString('latin1');
    const name = names.get(key);
    current = { key, name: name ?? `kept_${count}`, isPrepared: true };
    if (name !== undefined) return new Uint8Array(0);
    count += 1;
    return run(named(message, HEAD_BYTES));
  };

  const close = (name: string) => {
    const text = Buffer.from(`C....S${name}\0`, 'latin1');
    text.writeInt32BE(text.length - 1, 1);
    run(text);
  };

  const forgetAll = () => {
    forgotten.push(...names.values());
    names.clear();
  };

  const closeForgotten = () => {
    for (const [key, name] of names) {
      if (names.size <= MOST_PLANS) break;
      names.delete(key);
      forgotten.push(name);
    }
    for (const name of forgotten.splice(0)) close(name);
  };

  pglite.execProtocolRawSync = (message) => {
    if (!isOn) return run(message);
    const [kind, , , , , first, second] = message;
    if (kind === EXECUTE) current.isPrepared = false;
    // PGlite reads the answers itself, but it ends a statement that failed before its execution without an EXECUTE.
    if (kind === SYNC && current.isPrepared) {
      current.isPrepared = false;
      forgetAll();
    }
    if (kind === PARSE && first === 0) return parse(message);
    if (kind === DESCRIBE && first === STATEMENT && second === 0) return run(named(message, HEAD_BYTES + 1));
    if (kind !== BIND || first !== 0 || second !== 0) return run(message);
    // Only a statement that was parsed without an error is bound.
    names.set(current.key, current.name);
    return run(named(message, HEAD_BYTES + 1));
  };

  return {
    /** Keeps the plans of all statements that `work` runs. */
    async keep<Result>(work: () => Promise<Result>): Promise<Result> {
      isOn = true;
      try {
        return await work();
      } finally {
        isOn = false;
        try {
          closeForgotten();
        } catch {
          // The database has ended, as the next statement will report. The caller needs the result or the error of `work`.
        }
      }
    },
  };
}
