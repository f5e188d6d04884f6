/** What a benchmark has measured: printed as it comes, with its target beside it, and kept for a file. */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

interface Figure {
  name: string;
  value: number;
  unit: string;
  target?: number;
  ok?: boolean;
}

const figures: Figure[] = [];

/** Says on what machine the figures are measured. */
export function introduce(): void {
  process.stdout.write(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}\n`);
}

/** Prints a figure. @param target what it should be at least, or with `isAtMost` at most. */
export function note(name: string, value: number, unit: string, target?: number, isAtMost = false): void {
  const shown = value < 100 ? Math.round(value * 100) / 100 : Math.round(value);
  const ok = target === undefined ? undefined : isAtMost ? value <= target : value >= target;
  figures.push({ name, value: shown, unit, ...(target !== undefined && { target, ok: ok ?? false }) });
  const against = target === undefined ? '' : `  target ${isAtMost ? '≤' : '≥'} ${target}  ${ok ? 'ok' : 'short'}`;
  process.stdout.write(`${name.padEnd(58)} ${String(shown).padStart(8)} ${unit}${against}\n`);
}

/** Writes all figures to a file, where one is wanted. */
export function keepFigures(file: string | undefined): void {
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
}
