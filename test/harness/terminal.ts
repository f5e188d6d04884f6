/** A terminal, in which programs write as they do for a person. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Whether a program is installed. */
export function has(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** Whether terminals can be made, which needs `script` from util-linux. */
export const hasTerminals = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

// A program that hangs must not block the tests. Its output until then shows the failure.
const MOST_MS = 60_000;

/** The output of a command line on a terminal, including control sequences. */
export async function showOnTerminal(command: string, environment: Record<string, string>): Promise<string> {
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    cwd: root,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, TERM: 'xterm', LC_ALL: 'C.UTF-8', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const tooLong = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
  await once(child, 'close');
  clearTimeout(tooLong);
  return shown;
}
