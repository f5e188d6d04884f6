/**
 * PostgreSQL ends itself where it could lose data by going on, as when the write-ahead log cannot be written (PANIC), so that
 * its next start recovers what was committed. PGlite takes no notice of that and runs on in what is left of it, for ever and
 * with the whole process. Here such an end is one: nothing reaches the database any more.
 */
import type { PGlite } from '@electric-sql/pglite';
import { DatabaseUnavailable } from './database.ts';

/** By this status PGlite's PostgreSQL leaves a statement that has failed, as others do by a long jump; by others it ends. */
const STATEMENT_FAILED = 100;

export interface FailStop {
  hasEnded(): boolean;
}

/**
 * Has PGlite stop where its PostgreSQL has ended.
 *
 * @param onEnd called once, when that has happened.
 */
export function stopOnFailure(pglite: PGlite, onEnd: (cause: unknown) => void): FailStop {
  const postgres = pglite.Module;
  const { _PostgresMainLoopOnce: runStatement, _PostgresMainLongJmp: cleanUp } = postgres;
  let hasEnded = false;

  const refuse = (): never => {
    throw new DatabaseUnavailable('The embedded database has ended itself: start again.');
  };
  const end = (cause: unknown) => {
    if (hasEnded) return;
    hasEnded = true;
    // PGlite tries again whatever a statement throws, but not what the restoring of its stack does.
    postgres.stackRestore = refuse;
    postgres._PostgresMainLoopOnce = refuse;
    postgres._PostgresSendReadyForQueryIfNecessary = () => {};
    postgres._pgl_pq_flush = () => {};
    onEnd(cause);
  };
  const watch = (work: () => void) => () => {
    try {
      work();
    } catch (error) {
      if ((error as { status?: number }).status !== STATEMENT_FAILED) end(error);
      throw error;
    }
  };

  postgres._PostgresMainLoopOnce = watch(runStatement);
  postgres._PostgresMainLongJmp = watch(cleanUp);
  return { hasEnded: () => hasEnded };
}
