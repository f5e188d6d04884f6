/** Each command's help ends with examples that can be copied. */
import type { Command } from 'commander';

export function examples(command: Command, ...lines: string[]): void {
  command.addHelpText('after', `\nExample:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
}
