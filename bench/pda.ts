/** Runs the command line as operators do, and measures its time and memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export interface Run {
  seconds: number;
  /** The peak memory of the process; 0 if the system does not report it. */
  peakMegabytes: number;
  /** Its output, parsed. */
  said: unknown;
}

/** Runs `pda … --json` to its end. @param folder of the built version to run. @throws if its status is not 0. */
export async function pda(words: readonly string[], environment: Record<string, string>, folder = '.'): Promise<Run> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['dist/pda.js', ...words, '--json'], {
    cwd: folder,
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
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, peakMegabytes, said: JSON.parse(said) };
}

/** The peak memory of a process so far according to Linux; 0 on other systems. */
function peakOf(child: ChildProcess): number {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1000;
  } catch {
    return 0; // The process has just ended, or this is not Linux.
  }
}
