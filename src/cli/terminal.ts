/** Output for people: tables, colours on terminals only, and progress as a bar on a terminal or plain lines elsewhere. */
import { SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import type { Command } from 'commander';
import { createColors } from 'picocolors';
import { printable, printableJson } from '../values/printable.ts';
import { session } from './session.ts';

/** Colours on standard output; see {@link hasColours}. */
export const colours = () => createColors(hasColours(session().stdout, session().environment));

/**
 * Whether to use colours on a stream: if it is a terminal that supports them. A non-empty `NO_COLOR` disables them
 * (no-color.org); `FORCE_COLOR` enables them, or disables them if it is `0` or `false` (force-color.org, as Node reads it).
 */
export function hasColours({ isTTY }: { isTTY?: boolean }, environment: NodeJS.ProcessEnv): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTTY === true && TERM !== 'dumb';
}

/** A table cell: text from any source, which is escaped, or text that this process has coloured itself. */
export type Cell = string | { painted: string };

const LINES = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((line) => [line, `${line}-mid`]);
const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'];
const WITHOUT_LINES = { ...Object.fromEntries([...LINES, ...CORNERS].map((name) => [name, ''])), middle: '  ' };

/** Formats rows under a header as text. */
export function tableOf(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const { bold } = colours();
  const table = new Table({
    head: header.map((name) => bold(name)),
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    chars: WITHOUT_LINES,
  });
  for (const row of rows) table.push(row.map((cell) => (typeof cell === 'string' ? printable(cell) : cell.painted)));
  const lines = table.toString().split('\n');
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** Writes the output of a command: one JSON value for scripts, or text for people. */
export function say(isJson: boolean | undefined, value: unknown, text: string): void {
  session().stdout.write(isJson ? `${printableJson(value)}\n` : text);
}

/** Adds examples to the end of a command's help. */
export function examples(command: Command, ...lines: string[]): void {
  command.addHelpText('after', `\nExample:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar that is `width` columns long at share 1; any share above 0 is visible. */
export function barOf(share: number, width: number): string {
  const eighths = share > 0 ? Math.max(1, Math.round(share * width * 8)) : 0;
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}

/** A sparkline: one column per figure, scaled to the greatest. */
export function sparkOf(figures: readonly number[]): string {
  const most = Math.max(...figures, 0);
  return figures.map((figure) => (figure > 0 ? '▁▂▃▄▅▆▇█'[Math.ceil((figure / most) * 8) - 1] : ' ')).join('');
}

export interface Progress {
  /** @param share the completed share, 0 to 1, if known. */
  update(share: number | undefined, words: string): void;
  end(): void;
}

const LINE_EVERY_MS = 5_000;

/** Opens a progress display on standard error. */
export function openProgress(name: string): Progress {
  const { stderr } = session();
  if (stderr.isTTY) {
    const bar = new SingleBar({
      format: `${name} {bar} {percentage}% {words}`,
      stream: stderr,
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
      stderr.write(`${name}: ${share === undefined ? '' : `${Math.floor(share * 100)}% `}${words}\n`);
    },
    end: () => {},
  };
}
