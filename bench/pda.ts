/** The command line as operators run it, with what it costs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export interface Run {
  seconds: number;
  /** The most memory that the process held; 0 where the system does not say. */
  peakMegabytes: number;
  /** What it printed, parsed. */
  said: unknown;
}

/** Runs `pda … --json` to its end. @throws when its status is not 0. */
export async function pda(words: readonly string[], environment: Record<string, string>): Promise<Run> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['dist/pda.js', ...words, '--json'], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let peakMegabytes = 0;
  const watch = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, peakOf(child));
  }, 200);
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const [status] = await once(child, 'close');
  clearInterval(watch);
  if (status !== 0) throw new Error(`pda ${words[0]} ended with status ${status}.`);
  return { seconds: (performance.now() - startedAt) / 1000, peakMegabytes, said: JSON.parse(said) };
}

/** The most memory that a process has held so far, as Linux keeps it; 0 elsewhere. */
function peakOf(child: ChildProcess): number {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1000;
  } catch {
    return 0; // It has just ended, or this is not Linux.
  }
}
