/** A transaction with separate calls for its start and end, for callers that cannot express it as one function. */
import type { Connection, Database } from './database.ts';

export interface OpenTransaction {
  on: Connection;
  /** Settles when it is committed. */
  commit(): Promise<void>;
  /** Settles when it is rolled back. */
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
            resolve({
              on,
              commit() {
                commit();
                return ended;
              },
              rollback() {
                fail(rolledBack);
                return ended;
              },
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
