/** Logs slow statements without their values, with a limited rate for times when everything is slow. */
import type { Statement } from '../database/observed.ts';
import type { Log } from './log.ts';

const LONGEST_TEXT = 2_000;
const MOST_LINES = 10;
const WINDOW_MS = 10_000;

/** Logs statements of at least `fromMs`, or none if that is 0: at most ten in ten seconds, with the number left out in between. */
export function openSlowStatementLog(log: Log, fromMs: number, now = () => performance.now()) {
  if (fromMs === 0) return () => {};
  let windowEndsAt = 0;
  let lines = 0;
  let leftOut = 0;

  return ({ sql, milliseconds, rows, batchSize }: Statement) => {
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
