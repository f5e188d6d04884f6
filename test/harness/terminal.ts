/** A terminal: a program that runs in it writes as it would for a person. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** True when the machine has a program. */
export function has(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** True when terminals can be made: by `script` of util-linux. */
export const hasTerminals = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

// A program that hangs must not hold up the tests: what it has shown by then tells.
const MOST_MS = 60_000;

/** What a command line shows on a terminal, with the terminal's control sequences. */
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
