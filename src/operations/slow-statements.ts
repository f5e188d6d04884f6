/** Tells of statements that took long, without their values, and of few of them while everything is slow. */
import type { Statement } from '../database/observed.ts';
import type { Log } from './log.ts';

const LONGEST_TEXT = 2_000;
const MOST_LINES = 10;
const WINDOW_MS = 10_000;

/**
 * What writes down slow statements: at most ten in ten seconds, and how many were left out in between.
 *
 * @param fromMs how long a statement takes at least to be slow; 0 for none.
 * @param now a clock in milliseconds.
 */
export function openSlowStatementLog(
  log: Log,
  fromMs: number,
  now: () => number = () => performance.now(),
): (statement: Statement) => void {
  if (fromMs === 0) return () => {};
  let windowEndsAt = 0;
  let lines = 0;
  let leftOut = 0;

  return ({ sql, milliseconds, rows, batchSize }) => {
    if (milliseconds < fromMs) return;
    if (now() >= windowEndsAt) {
      windowEndsAt = now() + WINDOW_MS;
      lines = 0;
    }
    if (lines >= MOST_LINES) {
      leftOut += 1;
      return;
    }
    lines += 1;
    log.warn(
      {
        ms: Math.round(milliseconds),
        statement: sql.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT),
        ...(rows === undefined ? { failed: true } : { rows }),
        ...(batchSize !== undefined && { batchSize }),
        ...(leftOut > 0 && { leftOut }),
      },
      'Slow statement',
    );
    leftOut = 0;
  };
}
