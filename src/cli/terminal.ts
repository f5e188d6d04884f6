/** What people see: tables, colours on a terminal alone, a progress bar on a terminal and plain lines elsewhere. */
import { SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import { createColors } from 'picocolors';
import { printable, printableJson } from '../values/printable.ts';

/** Colours on standard output; see {@link hasColours}. */
export const colours = createColors(hasColours(process.stdout, process.env));

/**
 * Whether a stream gets colours: where it is a terminal that knows them. `NO_COLOR`, not empty, says never
 * (no-color.org); `FORCE_COLOR` says always, or never where it is `0` or `false` (force-color.org, as Node reads it).
 */
export function hasColours({ isTTY }: { isTTY?: boolean }, environment: NodeJS.ProcessEnv): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTTY === true && TERM !== 'dumb';
}

/** What stands in a table: text from anywhere, or what this process has painted itself, with its colours. */
export type Cell = string | { painted: string };

/** A table of rows under a header, as text. */
export function tableOf(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const table = new Table({
    head: header.map((name) => colours.bold(name)),
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    chars: {
      top: '',
      'top-mid': '',
      'top-left': '',
      'top-right': '',
      bottom: '',
      'bottom-mid': '',
      'bottom-left': '',
      'bottom-right': '',
      left: '',
      'left-mid': '',
      mid: '',
      'mid-mid': '',
      right: '',
      'right-mid': '',
      middle: '  ',
    },
  });
  for (const row of rows) table.push(row.map((cell) => (typeof cell === 'string' ? printable(cell) : cell.painted)));
  const lines = table.toString().split('\n');
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** Writes what a command has to say: one JSON value for scripts, else text for people. */
export function say(isJson: boolean | undefined, value: unknown, text: string): void {
  process.stdout.write(isJson ? `${printableJson(value)}\n` : text);
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of `width` columns at the share 1; any share above 0 is seen. */
export function barOf(share: number, width: number): string {
  const eighths = share > 0 ? Math.max(1, Math.round(share * width * 8)) : 0;
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}

/** Figures as one column each, the greatest as high as the line. */
export function sparkOf(figures: readonly number[]): string {
  const most = Math.max(...figures, 0);
  return figures.map((figure) => (figure > 0 ? '▁▂▃▄▅▆▇█'[Math.ceil((figure / most) * 8) - 1] : ' ')).join('');
}

export interface Progress {
  /** @param share how much is done, 0 to 1, where it can be told. */
  update(share: number | undefined, words: string): void;
  end(): void;
}

const LINE_EVERY_MS = 5_000;

/** Opens a progress display on standard error. */
export function openProgress(name: string): Progress {
  if (process.stderr.isTTY) {
    const bar = new SingleBar({
      format: `${name} {bar} {percentage}% {words}`,
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
    });
    let isStarted = false;
    return {
      update(share, words) {
        if (!isStarted) bar.start(1000, 0, { words });
        isStarted = true;
        bar.update(Math.round((share ?? 0) * 1000), { words });
      },
      end: () => bar.stop(),
    };
  }
  let lastAt = Date.now();
  return {
    update(share, words) {
      if (Date.now() - lastAt < LINE_EVERY_MS) return;
      lastAt = Date.now();
      process.stderr.write(`${name}: ${share === undefined ? '' : `${Math.floor(share * 100)}% `}${words}\n`);
    },
    end: () => {},
  };
}
