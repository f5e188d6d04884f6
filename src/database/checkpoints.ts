/**
 * Checkpoints for the embedded database, which has no checkpointer process. Without them, its write-ahead log would grow until the
 * disk is full, and recovery after a crash would have to read all of it.
 */
import type { Queryable } from './database.ts';

// A checkpoint blocks the database, for longer the more has changed: about 80 ms after this much log, which an import writes in two seconds.
const CHECKPOINT_AFTER_BYTES = 24 * 1024 * 1024;
const LOOK_EVERY_MS = 1_000;

/** Start parameters of PostgreSQL: how many log files it keeps for reuse. */
export const LOG_SETTINGS = ['-c', 'max_wal_size=160MB', '-c', 'min_wal_size=64MB'];

const LOG_BYTES = `
  SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 AS bytes
  FROM pg_control_checkpoint()`;

/** Makes checkpoints until stopped. A checkpoint that fails, as on a full disk, is retried; until then the log is kept. */
export function makeCheckpoints(database: Queryable): { stop(): void } {
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      const [log] = await database.query<{ bytes: number }>(LOG_BYTES, [], { yields: true });
      if (log && log.bytes > CHECKPOINT_AFTER_BYTES) await database.script('CHECKPOINT', { yields: true });
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}
