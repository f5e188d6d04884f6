/**
 * The embedded database has no checkpointer: without anybody's asking, its write-ahead log would grow with each change until
 * the disk is full, and be read whole after a crash.
 */
import type { Queryable } from './database.ts';

// As much log as is recovered within a second or two, and far more than counting writes in an hour of moderate traffic.
const CHECKPOINT_AFTER_BYTES = 64 * 1024 * 1024;
const LOOK_EVERY_MS = 5_000;

/** For PostgreSQL's start: how much log files it keeps to use them again. */
export const LOG_SETTINGS = ['-c', 'max_wal_size=160MB', '-c', 'min_wal_size=64MB'];

const LOG_BYTES = `
  SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 AS bytes
  FROM pg_control_checkpoint()`;

/** Makes checkpoints until told to stop. One that fails, as on a full disk, is tried again: until then the log is kept. */
export function makeCheckpoints(database: Queryable): { stop(): void } {
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      const [log] = await database.query<{ bytes: number }>(LOG_BYTES);
      if (log && log.bytes > CHECKPOINT_AFTER_BYTES) await database.script('CHECKPOINT');
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}
