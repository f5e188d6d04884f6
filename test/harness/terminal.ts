/** A terminal that makes programs believe that there is a screen and a keyboard. */
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

// A shell that waits for a key press that never comes must not block the tests. Its output until then shows the failure.
const MOST_MS = 60_000;

/** The output of a command line on a terminal, including control sequences. */
export async function showOnTerminal(
  command: string,
  environment: Record<string, string>,
  answers: readonly { after: string; type: string }[] = [],
): Promise<string> {
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    cwd: root,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, TERM: 'xterm', LC_ALL: 'C.UTF-8', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  let seen = 0;
  const waiting = [...answers];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    for (let next = waiting[0]; next; next = waiting[0]) {
      const at = shown.indexOf(next.after, seen);
      if (at < 0) return;
      seen = at + next.after.length;
      waiting.shift();
      child.stdin.write(next.type);
    }
  });
  const tooLong = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
  await once(child, 'close');
  clearTimeout(tooLong);
  return shown;
}
