/** What people see: tables, colours on a terminal alone, a progress bar on a terminal and plain lines elsewhere. */
import { SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import { createColors } from 'picocolors';

const colours = createColors(process.stdout.isTTY && process.env.NO_COLOR === undefined);

/** A table of rows under a header, as text. */
export function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: header.map((name) => colours.bold(name)),
    style: { head: [], border: [], compact: true },
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
  for (const row of rows) table.push([...row]);
  return `${table.toString()}\n`;
}

/** Writes what a command has to say: one JSON value for scripts, else text for people. */
export function say(isJson: boolean | undefined, value: unknown, text: string): void {
  process.stdout.write(isJson ? `${JSON.stringify(value)}\n` : text);
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
