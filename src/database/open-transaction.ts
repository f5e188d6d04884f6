/** A transaction with separate calls for its start and end, for callers that cannot express it as one function. */
import type { Connection, Database } from './database.ts';

/** The ends settle when the transaction is committed or rolled back. */
export interface OpenTransaction {
  on: Connection;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

const rolledBack = Symbol('rolled back');

/** Starts a {@link Database.transaction} and keeps it open until it is committed or rolled back. */
export function beginTransaction(database: Database): Promise<OpenTransaction> {
  return new Promise((resolve, reject) => {
    const ended = database
      .transaction(
        (on) =>
          new Promise<void>((commit, fail) => {
            let isOver = false;
            const end = (settle: () => void) => {
              isOver = true;
              settle();
              return ended;
            };
            resolve({
              on: whileOpen(on, () => isOver),
              commit: () => end(commit),
              rollback: () => end(() => fail(rolledBack)),
            });
          }),
      )
      .catch((error: unknown) => {
        reject(error); // Without effect once the transaction is open.
        if (error !== rolledBack) throw error;
      });
    ended.catch(() => {}); // The caller learns of the error from the start or the end of the transaction.
  });
}

/** Refuses statements after the end of the transaction: they would run on a connection that others use by then. */
function whileOpen(on: Connection, isOver: () => boolean): Connection {
  const guard = <Result>(run: () => Promise<Result>): Promise<Result> =>
    isOver() ? Promise.reject(new Error('The transaction is over.')) : run();
  return {
    query: (sql, parameters, options) => guard(() => on.query(sql, parameters, options)),
    script: (sql) => guard(() => on.script(sql)),
    raw: (sql, parameters, options) => guard(() => on.raw(sql, parameters, options)),
  };
}
