/** A clean, built copy of a commit. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { NotMeasured } from '../not-measured.ts';
import { git } from './git.ts';

/**
 * Extracts a commit into a new folder, installs its packages and builds it.
 *
 * @param folder for copies.
 * @returns the folder of the copy.
 */
export function copyCommit(commit: string, folder: string): string {
  const copy = join(folder, commit);
  mkdirSync(copy);
  const archive = `${copy}.tar`;
  git('archive', '--format=tar', `--output=${archive}`, commit);
  run(copy, 'tar', '-xf', archive);
  const lockOf = (each: string) => readFileSync(join(each, 'package-lock.json'), 'utf8');
  if (lockOf(copy) === lockOf('.')) symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  else run(copy, 'npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error');
  run(copy, process.execPath, 'build.js');
  return copy;
}

/** Whether two versions have the same migrations, so that they can use the same database. */
export const haveSameMigrations = (one: string, other: string): boolean => migrationsOf(one) === migrationsOf(other);

function migrationsOf(folder: string): string {
  const migrations = join(folder, 'prisma', 'migrations');
  return readdirSync(migrations, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => `${relative(folder, file)}\n${readFileSync(file, 'utf8')}`)
    .join('\n');
}

function run(folder: string, program: string, ...words: string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' });
  if (status === 0) return;
  throw new NotMeasured(
    `The recorded commit could not be prepared: ${program} ${words.join(' ')} failed.\n${error?.message ?? stdout + stderr}`,
  );
}
