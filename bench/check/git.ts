/** Git in the project's folder. */
import { spawnSync } from 'node:child_process';
import { NotMeasured } from '../not-measured.ts';

/** The output of a git command. @throws NotMeasured with git's message if it fails. */
export function git(...words: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', words, { encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new NotMeasured(`git ${words.join(' ')} failed: ${error?.message ?? stderr.trim()}`);
}

/** Checks that the history here contains a commit. @throws NotMeasured if not, as in a shallow clone. */
export function requireCommit(commit: string): void {
  if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`]).status === 0) return;
  throw new NotMeasured(
    `The history here lacks the recorded commit ${commit}. In a shallow clone, run: git fetch --unshallow\n` +
      'If the commit no longer exists, record another one: npm run bench -- --record',
  );
}
