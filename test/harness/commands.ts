/** The commands of `pda`. */
import type { Command } from 'commander';

/** Every command without subcommands, by the words that call it. */
export function leavesOf(command: Command, words: string[] = []): { words: string[]; command: Command }[] {
  const shown = command.createHelp().visibleCommands(command);
  const own = shown.filter((each) => each.name() !== 'help');
  if (own.length === 0) return [{ words, command }];
  return own.flatMap((each) => leavesOf(each, [...words, each.name()]));
}
