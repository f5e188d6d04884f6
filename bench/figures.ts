/** The figures of a benchmark: printed immediately with their targets, and collected for a file. */
import { writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';

interface Figure {
  name: string;
  value: number;
  unit: string;
  target?: number;
  ok?: boolean;
}

const figures: Figure[] = [];
let hasOnlyRatios = false;

/** Drops the targets of durations, speeds and sizes, which only mean something in a long run on a quiet machine. */
export function dropAbsoluteTargets(): void {
  hasOnlyRatios = true;
}

/** Prints the machine and the software versions. @param versions of further software, by name. */
export function introduce(versions: Readonly<Record<string, string>>): void {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  process.stdout.write(`${cpus().length} × ${cpus()[0]?.model}, ${memory}, ${type()} ${release()}\n`);
  const named = Object.entries({ Node: process.versions.node, ...versions }).map((pair) => pair.join(' '));
  process.stdout.write(`${named.join(', ')}\n`);
}

/** Prints a figure. @param target the minimum, or with `isAtMost` the maximum. */
export function note(name: string, value: number, unit: string, target?: number, isAtMost = false): void {
  const shown = value < 100 ? Math.round(value * 100) / 100 : Math.round(value);
  const isTarget = target !== undefined && (!hasOnlyRatios || unit === '×' || unit === '%');
  const ok = isTarget && (isAtMost ? value <= target : value >= target);
  figures.push({ name, value: shown, unit, ...(isTarget && { target, ok }) });
  const against = isTarget ? `  target ${isAtMost ? '≤' : '≥'} ${target}  ${ok ? 'ok' : 'short'}` : '';
  process.stdout.write(`${name.padEnd(58)} ${String(shown).padStart(8)} ${unit}${against}\n`);
}

/** Writes all figures to a file, if one is given. */
export function keepFigures(file: string | undefined): void {
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
}
