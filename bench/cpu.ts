/** The CPU time of processes, user and system, according to Linux; undefined on other systems. */
import { readFileSync } from 'node:fs';
import type { Database } from '../src/database/database.ts';

// Of proc(5), which counts fields from 1. Linux reports these times in hundredths of a second on every architecture of Node.js.
const UTIME = 14;
const TICKS = 100;

/** The CPU time of a process since its start, in seconds. */
export function cpuSecondsOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the name in parentheses, may contain spaces. User and system time are adjacent.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[UTIME - 3]) + Number(fields[UTIME - 2])) / TICKS;
  } catch {
    return undefined; // The process has ended, or this is not Linux.
  }
}

/**
 * The CPU time of each session of a database so far, by process id, in seconds; undefined if its server is not on this machine.
 * The session that asks is left out.
 */
export async function cpuSecondsOfSessions(database: Database): Promise<Map<number, number> | undefined> {
  const sessions = await database.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  const times = new Map<number, number>();
  for (const { pid } of sessions) {
    const seconds = nameOf(pid) === 'postgres' ? cpuSecondsOf(pid) : undefined;
    if (seconds !== undefined) times.set(pid, seconds);
  }
  return times.size === 0 ? undefined : times;
}

function nameOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return undefined; // The process has ended, or this is not Linux.
  }
}
