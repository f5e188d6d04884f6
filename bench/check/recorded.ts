/** The commits with which `--check` compares the present one: `bench/recorded.json`, one for each part of the benchmark. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NotMeasured } from '../not-measured.ts';
import { PARTS, type Part } from '../options.ts';
import { git } from './git.ts';

const FILE = join('bench', 'recorded.json');

/** Reads the full hash of the commit recorded for each part. @throws NotMeasured if the file is unreadable or incomplete. */
export function readRecorded(): Record<Part, string> {
  let recorded: Record<string, unknown>;
  try {
    recorded = JSON.parse(readFileSync(FILE, 'utf8'));
  } catch (error) {
    throw new NotMeasured(
      `${FILE} could not be read: ${(error as Error).message}. Restore it, or write it with --record.`,
    );
  }
  for (const part of PARTS) {
    if (!/^[0-9a-f]{40}$/.test(String(recorded[part]))) {
      throw new NotMeasured(`${FILE} has no full commit hash for "${part}". Restore it, or write it with --record.`);
    }
  }
  return recorded as Record<Part, string>;
}

/**
 * Records the present commit for some parts.
 *
 * @returns its hash.
 * @throws NotMeasured if there are uncommitted changes, because the commit would not be the version that was measured.
 */
export function record(parts: readonly Part[]): string {
  const changes = git('status', '--porcelain').trim();
  if (changes !== '') throw new NotMeasured(`Commit or stash these changes first, then record:\n${changes}`);
  const commit = git('rev-parse', 'HEAD').trim();
  const others = parts.length === PARTS.length ? undefined : readRecorded();
  const ordered = Object.fromEntries(PARTS.map((part) => [part, parts.includes(part) ? commit : others?.[part]]));
  writeFileSync(FILE, `${JSON.stringify(ordered, null, 2)}\n`);
  return commit;
}
