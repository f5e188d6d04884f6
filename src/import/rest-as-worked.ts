/**
 * Pauses of a process that reads feeds beside the requests of a gateway. A low priority alone does not keep it out of their way: where cores
 * are few, a request waits for the processor several times, each time until the scheduler's next look at who should run.
 */
import { setTimeout as pause } from 'node:timers/promises';

// Long enough that timers cost little, short enough that a request waits little.
const SLICE_MS = 4;
// Work besides reading counts too: loading the program, downloads, the end of the last import.
const LONGEST_MS = 50;

const NO_REST = Promise.resolve();
let since: NodeJS.CpuUsage = { user: 0, system: 0 };
let resting: Promise<void> | undefined;

/**
 * Rests for as long as this process has worked since its last rest, once that is 4 ms of CPU time; otherwise returns immediately. All callers
 * rest together, so one does not work while the other rests. Call it every few rows.
 */
export function restAsWorked(): Promise<void> {
  if (resting) return resting;
  const { user, system } = process.cpuUsage(since);
  const worked = (user + system) / 1_000;
  if (worked < SLICE_MS) return NO_REST;
  resting = pause(Math.min(worked, LONGEST_MS)).then(() => {
    resting = undefined;
    since = process.cpuUsage();
  });
  return resting;
}
