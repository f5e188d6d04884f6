/**
 * PostgreSQL ends itself (PANIC) when continuing could lose data, for example when it cannot write its write-ahead log. Its next
 * start then recovers all committed data. PGlite ignores this and continues on the remains, which hangs the process. This module
 * makes the end final: no statement reaches the database any more.
 */
import type { PGlite } from '@electric-sql/pglite';
import { DatabaseUnavailable } from './database.ts';

/** PGlite's PostgreSQL exits with this status instead of a long jump when a statement fails. Any other status is its end. */
const STATEMENT_FAILED = 100;

/** Stops PGlite when its PostgreSQL ends itself. @param onEnd called once, when that happens. */
export function stopOnFailure(pglite: PGlite, onEnd: (cause: unknown) => void): { hasEnded(): boolean } {
  const postgres = pglite.Module;
  const { _PostgresMainLoopOnce: runStatement, _PostgresMainLongJmp: cleanUp } = postgres;
  let hasEnded = false;

  const refuse = (): never => {
    throw new DatabaseUnavailable('The embedded database has ended itself: start again.');
  };
  const end = (cause: unknown) => {
    if (hasEnded) return;
    hasEnded = true;
    // PGlite retries after errors of a statement, but not after an error of stackRestore.
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
