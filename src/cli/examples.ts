/** Adds examples to the end of a command's help. */
import type { Command } from 'commander';

export function examples(command: Command, ...lines: string[]): void {
  command.addHelpText('after', `\nExample:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
}
